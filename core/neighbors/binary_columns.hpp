// Neighbours in tables whose columns mostly take two values each (levels as zeros and ones): rows as bits and
// a few numbers.
//
// The squared distance of two rows is the sum of the squared steps of the bits that differ, and of the
// squared differences of the numbers. Rows with equal bits are a cell. A bound of the first sum to every cell
// costs a shuffle for every four columns and 32 cells; cells are visited in its order until it exceeds the
// k-th least distance.
#pragma once

#include <cstdint>
#include <vector>

#include "neighbors/neighbors.hpp"

namespace assay {

// What becomes of a column: it is left out, takes two values, or is stored as a number.
enum ColumnKind : std::uint8_t { kLeftOut, kTwoValues, kNumber };

// How sums of squares are added up; `step` is what the two values of each column differ by.
class PatternFrame {
  public:
    PatternFrame(const std::uint8_t* kind, std::int64_t width, const double* step);
    std::int64_t words() const { return static_cast<std::int64_t>(used_.size()); }
    std::int64_t numbers() const { return static_cast<std::int64_t>(column_.size()); }
    const std::vector<double>& steps() const { return step_; }
    PatternRows of(const std::uint64_t* bits, const double* numbers) const;

  private:
    std::vector<std::uint64_t> numeric_, used_, lanes_;
    std::vector<std::int32_t> column_;
    std::vector<std::int64_t> tail_;
    std::vector<std::uint8_t> lane_;
    std::vector<double> step_;
};

// Rows and queries, one after the other.
struct PatternTable {
    std::vector<std::uint8_t> kind;
    std::vector<double> step;
    std::vector<std::uint64_t> bits;
    std::vector<double> numbers;
};

// False where too few columns take two values.
bool make_patterns(const RowMatrix& rows, const RowMatrix& queries, int threads, PatternTable& out);

// The nearest of the table's rows `rows`, which ascend, for its rows `queries`; neighbours are named by their
// place in the table, and `among` tells of them by it.
struct PatternSearch {
    const PatternFrame& frame;
    PatternRows table;
    const std::int32_t* rows;
    std::int64_t row_count;
    const std::int32_t* queries;
    std::int64_t query_count;
    NeighborFilter among;
};

// False where values are too large, or too many rows would have to be visited and `anyway` is not said; then
// nothing of use is written.
bool nearest_in_patterns(const PatternSearch& search, bool anyway, int threads, InterruptCheck& pause,
                         const Lists& out);

// The same for rows and queries as they are; false where they are better searched otherwise.
bool nearest_by_patterns(const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among,
                         int threads, InterruptCheck& pause, const Lists& out);

}  // namespace assay
