// Ratings predicted from critics who agree: similarities over the items that both have rated, and means of
// the nearest critics' ratings, for one rating after another that the target's own row does not hold.
//
// Ratings come as codes, whole numbers wherever the ratings lie on a grid: sums of those are exact, and so is
// leaving one out again. What is predicted is in the same unit.
#pragma once

#include <cstdint>

#include "base/interrupt.hpp"

namespace assay {

// Rows of (item, code), those of row r from first[r] to first[r + 1], items ascending; one of the two is set.
struct Rated {
    std::int64_t count = 0;
    const std::int64_t* first = nullptr;
    const std::int32_t* item = nullptr;
    const std::int32_t* whole = nullptr;
    const double* real = nullptr;

    std::int64_t total() const { return first[count]; }
    std::int64_t length(std::int64_t row) const { return first[row + 1] - first[row]; }
};

// The critics, their number of items, and the mean and 1 / deviation (0: they have none) of their codes.
struct Critics {
    Rated rows;
    std::int64_t items = 0;
    const double* mean = nullptr;
    const double* inverse = nullptr;
};

// Whose ratings are asked for: rows of what they have rated, the critic each of them is (-1: none, who is
// then left out), and the items asked for. With `one_out` a target is asked for the items of its own row,
// each of them as if the target, and nobody else, had not rated it; codes are whole numbers then.
struct Targets {
    Rated rows;
    const std::int32_t* itself = nullptr;
    const std::int64_t* query_first = nullptr;
    const std::int32_t* query_item = nullptr;
    bool one_out = false;

    std::int64_t queries() const { return query_first[rows.count]; }
};

struct Closeness {
    std::int64_t overlap = 1;  // items that two must have in common
    double shrinkage = 0.0;    // similarity times n / (n + shrinkage)
    double unit = 1.0;         // codes that make a difference of one in the rating
};

// For each similarity asked for (0: 1 / (1 + distance), 1: correlation + 1, 2: the same with means and
// deviations over all that each of the two has rated, by lists alone) and each query: the mean weighted by
// similarity, the same of standardized codes, the nearest critic's code, and how many critics were heard.
// NaN and 0 where no critic has evidence. `out` is similarities x 3 x queries.
struct Heard {
    int similarities = 0;
    int kind[2] = {0, 1};
    std::int64_t neighbors = 0;  // nearest critics of those who rated the item; 0: all of them
    double* out = nullptr;
    std::int32_t* used = nullptr;
};

// By rows of sixteen critics side by side, for tables that are mostly full: codes and their sums are small
// whole numbers (see simd.hpp).
void hear_panels(const Critics& critics, const Targets& targets, const Closeness& closeness,
                 const Heard& heard, int threads, InterruptCheck& pause);

// By the lists of who rated an item, for tables that are mostly empty.
void hear_lists(const Critics& critics, const Targets& targets, const Closeness& closeness,
                const Heard& heard, int threads, InterruptCheck& pause);

// Of one target to every critic: the number of items in common and the similarity, 0 where there is none.
void similarities_to(const Critics& critics, const Rated& target, const Closeness& closeness, int kind,
                     std::int32_t* overlap, double* out);

}  // namespace assay
