// The nearest rows of every query, exactly: ordered by (distance in double precision, row).
#pragma once

#include <cmath>
#include <cstdint>

#include "base/interrupt.hpp"
#include "base/table.hpp"
#include "neighbors/simd.hpp"

namespace assay {

enum class Metric { squares, absolutes, mismatches, mixed };

// Which rows a query may have for neighbours: those of every group, of other groups than its own, or of its
// own; `itself` (null, or a row for each query) is left out. Rows of negative groups are nobody's neighbours.
enum class GroupRule { all, others, own };
struct NeighborFilter {
    const std::int32_t* row_group = nullptr;  // null: all rows are of group 0
    const std::int32_t* query_group = nullptr;
    std::int64_t groups = 1;
    GroupRule part = GroupRule::all;
    const std::int64_t* itself = nullptr;

    std::int32_t group_of(std::int64_t row) const { return row_group ? row_group[row] : 0; }
    bool allows(std::int32_t group, std::int64_t query) const {
        if (group < 0) return false;
        return part == GroupRule::all || (group == query_group[query]) == (part == GroupRule::own);
    }
};

// The `k` nearest rows of each query into rows[query * k ...], nearest first, and their distances; places
// that no row is left for hold -1 and infinity. For sums of squares the root is taken, unless `squared` asks
// for the sums: two of them may have one root, and their order, which is that of the rows, is needed to merge
// lists.
struct Lists {
    std::int64_t k;
    std::int32_t* rows;
    double* distances;
    bool squared = false;

    double distance(double squares) const { return squared ? squares : std::sqrt(squares); }
};

// By products in single precision with bounds on their rounding; pairs that the bounds cannot tell apart are
// measured. Sums of squares only. The calling thread pauses between blocks.
void nearest_by_products(const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among,
                         int threads, InterruptCheck& pause, const Lists& out);

// By exact products of 16-bit integers, where all rows and queries hold whole numbers small enough for that;
// false, and nothing done, where they do not.
bool nearest_whole(const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among, int threads,
                   InterruptCheck& pause, const Lists& out);

// By measuring every pair.
void nearest_directly(Metric metric, std::int64_t numeric, const RowMatrix& rows, const RowMatrix& queries,
                      const NeighborFilter& among, int threads, InterruptCheck& pause, const Lists& out);

// All distances, count of queries x count of rows; roots taken.
void all_distances(Metric metric, std::int64_t numeric, const RowMatrix& rows, const RowMatrix& queries,
                   int threads, double* out);

// Distances to given candidates, `each` of them a query; roots taken.
void candidate_distances(const RowMatrix& rows, const RowMatrix& queries, const std::int32_t* candidates,
                         std::int64_t each, int threads, double* out);

// Lists of candidates, `length` each, in the order of distances that are bounds from below (-1 and infinity
// where no row is left). Query i is the row query[i], its list is that of place[i]. Distances count as equal
// within `factor` and `slack`.
struct Candidates {
    const std::int32_t* query;
    const std::int32_t* place;
    std::int64_t count;
    const std::int32_t* rows;
    const double* distances;
    std::int64_t length;
    const std::uint8_t* allowed;  // of every row, whether it may be a neighbour
    double factor, slack;
};

// The nearest allowed candidates, and of each query whether no row outside its list can be nearer.
void nearest_listed(const RowMatrix& rows, const Candidates& from, int threads, InterruptCheck& pause,
                    const Lists& out, std::uint8_t* sure);
void nearest_listed(const PatternRows& rows, const Candidates& from, int threads, InterruptCheck& pause,
                    const Lists& out, std::uint8_t* sure);

// Lists of `length` neighbours a query, nearest first.
struct Nearby {
    const std::int32_t* rows;
    const double* distances;
    std::int64_t length;
};

// The nearest of two lists of different rows; together they must be long enough.
void merge_near(const Nearby& one, const Nearby& two, std::int64_t count, const Lists& out);

// One query as doubles, and its distances to rows.
class Measure {
  public:
    Measure(Metric metric, std::int64_t numeric, const RowMatrix& rows) : numeric_(numeric), rows_(rows) {
        const auto pick = [&](const auto& table) {
            return metric == Metric::squares      ? table.squares
                   : metric == Metric::absolutes  ? table.absolutes
                   : metric == Metric::mismatches ? table.mismatches
                                                  : table.mixed;
        };
        if (rows.f64)
            to64_ = pick(neighbors_simd().distances64);
        else
            to32_ = pick(neighbors_simd().distances32);
    }
    // To rows source[0..count), or first, first + 1, ... where source is null.
    void operator()(const double* query, const std::int32_t* source, std::int64_t first, std::int64_t count,
                    double* out) const {
        const std::int64_t skip = source ? 0 : first * rows_.width;
        if (to64_)
            to64_(query, rows_.f64 + skip, source, count, rows_.width, numeric_, out);
        else
            to32_(query, rows_.f32 + skip, source, count, rows_.width, numeric_, out);
    }

  private:
    std::int64_t numeric_;
    RowMatrix rows_;
    DistanceLoops<double>::To to64_ = nullptr;
    DistanceLoops<float>::To to32_ = nullptr;
};

// Row `i` of a sample as doubles.
inline const double* as_doubles(const RowMatrix& sample, std::int64_t i, double* buffer) {
    if (sample.f64) return sample.f64 + i * sample.width;
    for (std::int64_t j = 0; j < sample.width; ++j)
        buffer[j] = static_cast<double>(sample.f32[i * sample.width + j]);
    return buffer;
}

}  // namespace assay
