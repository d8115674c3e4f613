// Rows most of whose columns take two values each, as bits and numbers; see neighbors/binary_columns.hpp.
#pragma once

#include <cstdint>

namespace assay {

constexpr std::int64_t kPatternPanel = 32;  // patterns side by side

// Columns are counted as in the whole table. Bit j of a row says which of its two values column j has; the
// columns that take more are stored as numbers. Sums of squares are added up in the order in which
// DistanceLoops adds up those of the whole rows, of the columns that are not left out.
struct PatternRows {
    const std::uint64_t* bits;  // `words` a row
    const double* numbers;      // `count` a row
    std::int64_t words, count;
    const std::int32_t* column;    // of each number
    const std::uint64_t* numeric;  // these columns as bits
    const std::uint64_t* used;     // columns of two values that are not left out, as bits
    const std::uint64_t* lanes;    // columns that are added up side by side; the `tails` others come last
    const std::uint8_t* lane;      // of each column
    const double* step;            // what the two values of each column differ by
    std::int64_t tails, tail[3];
};

struct PatternLoops {
    // Squared distances of a row to rows source[0..count), to the last bit those of the whole rows. `room`
    // holds the steps of all columns and may be changed where there are numbers.
    void (*squares)(const PatternRows& rows, std::int64_t row, const std::int32_t* source, std::int64_t count,
                    double* room, double* out);

    // Panels of patterns, code after code: the codes are below 16, and each has a table of sixteen numbers of
    // the query. Lists the patterns whose sum is below 255, and the sum; returns how many.
    std::int64_t (*sweep)(const std::uint8_t* panels, std::int64_t count, std::int64_t codes,
                          const std::uint8_t* tables, std::int32_t* listed, std::uint8_t* sums);
};

}  // namespace assay
