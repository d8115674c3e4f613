// Sorted rows in blocks that lie inside one cell, and what is counted in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/threads.hpp"
#include "search/search.hpp"

namespace assay {

constexpr std::int64_t kBlockRows = 256;

struct Block {
    std::int64_t cell, first, count;
};

class Blocks {
  public:
    explicit Blocks(const SortedRows& rows, std::int64_t size = kBlockRows) {
        for (std::int64_t c = 0; c < rows.cells; ++c)
            for (std::int64_t i = rows.first[c]; i < rows.first[c + 1]; i += size)
                blocks_.push_back({c, i, std::min(size, rows.first[c + 1] - i)});
    }
    std::int64_t count() const { return static_cast<std::int64_t>(blocks_.size()); }
    const Block& operator[](std::int64_t b) const { return blocks_[static_cast<std::size_t>(b)]; }

  private:
    std::vector<Block> blocks_;
};

// Asks for a block's rows of the feature that comes next, which lie far from those of the present one.
inline void expect(const double* rows, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 8) __builtin_prefetch(rows + i);
}

// Margins of a block, apart from those of all rows.
class Margins {
  public:
    explicit Margins(std::int64_t rivals)
        : rivals_(rivals), values_(static_cast<std::size_t>(rivals * kBlockRows)) {}

    void copy(const double* from, std::int64_t stride, std::int64_t count) {
        for (std::int64_t k = 0; k < rivals_; ++k)
            std::copy_n(from + k * stride, count, values_.data() + k * kBlockRows);
    }
    double* data() { return values_.data(); }
    std::int64_t stride() const { return kBlockRows; }

  private:
    std::int64_t rivals_;
    std::vector<double> values_;
};

// Hits of every block and unit, summed in the order of the blocks whichever thread counted them.
class HitTable {
  public:
    HitTable(std::int64_t blocks, std::int64_t units)
        : units_(units), values_(static_cast<std::size_t>(blocks * units)) {}

    double& at(std::int64_t block, std::int64_t unit) {
        return values_[static_cast<std::size_t>(block * units_ + unit)];
    }
    void sum(double* hits) const {
        std::fill_n(hits, units_, 0.0);
        for (std::size_t i = 0; i < values_.size(); ++i)
            hits[static_cast<std::int64_t>(i) % units_] += values_[i];
    }

  private:
    std::int64_t units_;
    std::vector<double> values_;
};

}  // namespace assay
