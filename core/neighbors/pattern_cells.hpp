// Rows of equal patterns lie together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "neighbors/binary_columns.hpp"

namespace assay {

// Places 0, 1, ... of some rows of a table, cell after cell; those of a cell ascend.
class PatternCells {
  public:
    PatternCells(const PatternRows& table, const std::int32_t* rows, std::int64_t count) : table_(table) {
        std::size_t size = 16;
        while (size < 2 * static_cast<std::size_t>(count)) size *= 2;
        std::vector<std::int32_t> slot(size, -1), cell(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            std::size_t at = hash(rows[i]) & (size - 1);
            while (slot[at] >= 0 && !equal(first_row_[static_cast<std::size_t>(slot[at])], rows[i]))
                at = (at + 1) & (size - 1);
            if (slot[at] < 0)
                slot[at] = static_cast<std::int32_t>(this->count()), first_row_.push_back(rows[i]);
            cell[static_cast<std::size_t>(i)] = slot[at];
        }
        begin_.assign(first_row_.size() + 1, 0);
        for (const std::int32_t c : cell) ++begin_[static_cast<std::size_t>(c) + 1];
        for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
        std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
        order_.resize(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
            order_[static_cast<std::size_t>(
                next[static_cast<std::size_t>(cell[static_cast<std::size_t>(i)])]++)] =
                static_cast<std::int32_t>(i);
    }
    std::int64_t count() const { return static_cast<std::int64_t>(first_row_.size()); }
    std::int64_t begin(std::int64_t cell) const { return begin_[static_cast<std::size_t>(cell)]; }
    const std::vector<std::int32_t>& order() const { return order_; }
    std::int32_t first_row(std::int64_t cell) const { return first_row_[static_cast<std::size_t>(cell)]; }
    std::uint64_t word(std::int32_t row, std::int64_t w) const {
        return table_.bits[row * table_.words + w] & table_.used[w];
    }

  private:
    std::size_t hash(std::int32_t row) const {
        std::uint64_t mixed = 0;
        for (std::int64_t w = 0; w < table_.words; ++w) {
            mixed = (mixed ^ word(row, w)) * 0x9E3779B97F4A7C15ULL;
            mixed ^= mixed >> 29;
        }
        return static_cast<std::size_t>(mixed);
    }
    bool equal(std::int32_t one, std::int32_t two) const {
        for (std::int64_t w = 0; w < table_.words; ++w)
            if (word(one, w) != word(two, w)) return false;
        return true;
    }

    PatternRows table_;
    std::vector<std::int32_t> first_row_, order_;
    std::vector<std::int64_t> begin_;
};

// The patterns of cells as codes of four bits, in panels; and the squares of the steps behind each code.
class PatternCodes {
  public:
    PatternCodes(const PatternRows& table, const PatternCells& cells) : cells_(cells) {
        for (std::int64_t j = 0; j < 64 * table.words; ++j)
            if (table.used[j / 64] >> (j % 64) & 1) columns_.push_back(j);
        codes_ = (static_cast<std::int64_t>(columns_.size()) + 3) / 4;
        sums_.assign(static_cast<std::size_t>(16 * codes_), 0.0);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const double square = table.step[columns_[c]] * table.step[columns_[c]];
            for (std::size_t v = 0; v < 16; ++v)
                if (v >> (c % 4) & 1) sums_[c / 4 * 16 + v] += square;
        }
        panels_.assign(static_cast<std::size_t>(panels() * codes_ * kPatternPanel), 0);
        std::vector<std::uint8_t> own(static_cast<std::size_t>(codes_));
        for (std::int64_t i = 0; i < cells.count(); ++i) {
            read(cells.first_row(i), own.data());
            for (std::int64_t c = 0; c < codes_; ++c)
                panels_[static_cast<std::size_t>((i / kPatternPanel * codes_ + c) * kPatternPanel +
                                                 i % kPatternPanel)] = own[static_cast<std::size_t>(c)];
        }
    }
    std::int64_t codes() const { return codes_; }
    std::int64_t panels() const { return (cells_.count() + kPatternPanel - 1) / kPatternPanel; }
    const std::uint8_t* data() const { return panels_.data(); }

    void read(std::int32_t row, std::uint8_t* out) const {
        std::fill_n(out, codes_, std::uint8_t{0});
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::uint64_t bit = cells_.word(row, columns_[c] / 64) >> (columns_[c] % 64) & 1;
            out[c / 4] = static_cast<std::uint8_t>(out[c / 4] | bit << (c % 4));
        }
    }
    // Tables of a pattern, in whole quanta, rounded down.
    void tables(const std::uint8_t* own, double quantum, std::uint8_t* out) const {
        constexpr double kBelow = 1.0 - 1e-9;
        for (std::int64_t c = 0; c < codes_; ++c)
            for (int v = 0; v < 16; ++v) {
                const double units =
                    sums_[static_cast<std::size_t>(16 * c + (v ^ own[c]))] * (kBelow / quantum);
                out[16 * c + v] = units < 255.0 ? static_cast<std::uint8_t>(units) : 255;
            }
    }
    // Above every sum that tables can give, in the same unit as the squares.
    double most() const {
        double sum = 0.0;
        for (std::int64_t c = 0; c < codes_; ++c) sum += sums_[static_cast<std::size_t>(16 * c + 15)];
        return sum;
    }

  private:
    const PatternCells& cells_;
    std::vector<std::int64_t> columns_;
    std::int64_t codes_ = 0;
    std::vector<double> sums_;
    std::vector<std::uint8_t> panels_;
};

}  // namespace assay
