// Counts of neighbouring documents put into the order of rows and columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay {

// Sorts by column, digit by digit; dealt out to their rows after that, the entries of a row ascend. A row of
// a hundred words is too short for that, hence many rows at once, yet no more than lie near.
class RowSorter {
  public:
    explicit RowSorter(std::int64_t columns) {
        int bits = 1;
        while (bits < 32 && columns > std::int64_t{1} << bits) ++bits;
        digits_ = (bits + MOST_BITS - 1) / MOST_BITS;
        width_ = (bits + digits_ - 1) / digits_;
    }

    // Room for so many entries more; `push` looks for none.
    void reserve(std::size_t more) {
        if (size_ + more <= order_.size()) return;
        order_.resize(std::max(size_ + more, 2 * order_.size()));
        other_.resize(order_.size());
        entries_.resize(order_.size());
    }
    void push(std::int64_t row, std::int32_t column, std::uint32_t count) {
        order_[size_] = static_cast<std::uint64_t>(column) << 32 | size_;
        entries_[size_++] = static_cast<std::uint64_t>(row) << 32 | count;
    }
    std::size_t size() const { return size_; }
    bool is_full() const { return size_ >= ENOUGH; }

    // place[row]: where the next entry of a row goes, moved on. Forgets the entries.
    void write(std::int64_t* place, std::int32_t* columns, std::int32_t* counts) {
        for (int digit = 0; digit < digits_; ++digit) sort(32 + digit * width_);
        for (std::size_t i = 0; i < size_; ++i) {
            const std::uint64_t each = order_[i], entry = entries_[each & 0xffffffff];
            const std::int64_t to = place[entry >> 32]++;
            columns[to] = static_cast<std::int32_t>(each >> 32);
            counts[to] = static_cast<std::int32_t>(entry & 0xffffffff);
        }
        size_ = 0;
    }

  private:
    static constexpr int MOST_BITS = 10;
    static constexpr std::size_t ENOUGH = 2048;

    void sort(int shift) {
        const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
        starts_.assign(mask + 1, 0);
        for (std::size_t i = 0; i < size_; ++i) ++starts_[order_[i] >> shift & mask];
        std::uint32_t sum = 0;
        for (std::uint32_t& start : starts_) sum += std::exchange(start, sum);
        for (std::size_t i = 0; i < size_; ++i) other_[starts_[order_[i] >> shift & mask]++] = order_[i];
        order_.swap(other_);
    }

    int digits_, width_;
    std::size_t size_ = 0;
    std::vector<std::uint64_t> order_, other_;  // column, and number of the entry
    std::vector<std::uint64_t> entries_;        // row and count, in one number: written and read at once
    std::vector<std::uint32_t> starts_;
};

}  // namespace assay
