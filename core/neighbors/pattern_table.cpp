// Which columns take two values, and rows as bits and numbers.
#include <algorithm>
#include <cmath>

#include "base/threads.hpp"
#include "neighbors/binary_columns.hpp"

namespace assay {

namespace {

constexpr std::int64_t kStretch = 256;
constexpr std::int64_t kLook = 64;  // rows that show whether it is worth to look at all of them

// The first two values of each column, and whether there are more.
class TwoValues {
  public:
    explicit TwoValues(std::int64_t width)
        : width_(width),
          first_(static_cast<std::size_t>(width)),
          second_(first_),
          more_(static_cast<std::size_t>(width)) {}

    void look_at(const double* x) {
        if (!begun_) std::copy_n(x, width_, first_.begin()), second_ = first_, begun_ = true;
        std::uint64_t any = 0;
        for (std::int64_t j = 0; j < width_; ++j) {
            const auto c = static_cast<std::size_t>(j);
            const bool first = x[j] == first_[c], second = x[j] == second_[c];
            any |= static_cast<std::uint64_t>(!(first || second)) & ~more_[c];
        }
        for (std::int64_t j = 0; any && j < width_; ++j) {
            const auto c = static_cast<std::size_t>(j);
            if (more_[c] || x[j] == first_[c] || x[j] == second_[c]) continue;
            if (first_[c] == second_[c])
                second_[c] = x[j];
            else
                more_[c] = 1;
        }
    }
    std::int64_t columns() const {
        return static_cast<std::int64_t>(std::count(more_.begin(), more_.end(), std::uint64_t{0}));
    }
    bool more(std::size_t column) const { return more_[column] != 0; }
    double high(std::size_t column) const { return std::max(first_[column], second_[column]); }
    double low(std::size_t column) const { return std::min(first_[column], second_[column]); }

  private:
    std::int64_t width_;
    std::vector<double> first_, second_;
    std::vector<std::uint64_t> more_;
    bool begun_ = false;
};

bool enough(std::int64_t two, std::int64_t width) { return 4 * two >= 3 * width; }

}  // namespace

PatternFrame::PatternFrame(const std::uint8_t* kind, std::int64_t width, const double* step)
    : lane_(static_cast<std::size_t>((width + 63) / 64 * 64)), step_(lane_.size()) {
    const auto words = static_cast<std::size_t>((width + 63) / 64);
    numeric_.assign(words, 0), used_ = lanes_ = numeric_;
    const std::int64_t kept =
        width - static_cast<std::int64_t>(std::count(kind, kind + width, std::uint8_t{kLeftOut}));
    std::int64_t place = 0;
    for (std::int64_t j = 0; j < width; ++j) {
        if (kind[j] == kLeftOut) continue;
        const std::uint64_t bit = std::uint64_t{1} << (j % 64);
        const auto word = static_cast<std::size_t>(j / 64), column = static_cast<std::size_t>(j);
        (kind[j] == kNumber ? numeric_ : used_)[word] |= bit;
        if (kind[j] == kNumber) column_.push_back(static_cast<std::int32_t>(j));
        if (place < kept / 4 * 4)
            lanes_[word] |= bit;
        else
            tail_.push_back(j);
        lane_[column] = static_cast<std::uint8_t>(place++ % 8);
        step_[column] = step[j];
    }
}

PatternRows PatternFrame::of(const std::uint64_t* bits, const double* numbers) const {
    PatternRows rows{bits,
                     numbers,
                     words(),
                     this->numbers(),
                     column_.data(),
                     numeric_.data(),
                     used_.data(),
                     lanes_.data(),
                     lane_.data(),
                     step_.data(),
                     0,
                     {0, 0, 0}};
    for (const std::int64_t j : tail_) rows.tail[rows.tails++] = j;
    return rows;
}

bool make_patterns(const RowMatrix& rows, const RowMatrix& queries, int threads, PatternTable& out) {
    const std::int64_t width = rows.width, total = rows.count + queries.count;
    std::vector<double> buffer(static_cast<std::size_t>(width));
    TwoValues found(width);
    for (std::int64_t i = 0; i < rows.count; i += std::max<std::int64_t>(1, rows.count / kLook))
        found.look_at(as_doubles(rows, i, buffer.data()));
    if (!enough(found.columns(), width)) return false;
    for (std::int64_t i = 0; i < rows.count; ++i) found.look_at(as_doubles(rows, i, buffer.data()));
    for (std::int64_t i = 0; i < queries.count; ++i) found.look_at(as_doubles(queries, i, buffer.data()));
    if (!enough(found.columns(), width)) return false;
    std::vector<double> high;
    std::vector<std::int64_t> numeric;
    for (std::size_t j = 0; j < static_cast<std::size_t>(width); ++j) {
        out.kind.push_back(found.more(j) ? kNumber : kTwoValues);
        out.step.push_back(found.more(j) ? 0.0 : found.high(j) - found.low(j));
        high.push_back(found.high(j));
        if (found.more(j)) numeric.push_back(static_cast<std::int64_t>(j));
    }
    const std::int64_t words = (width + 63) / 64, numbers = static_cast<std::int64_t>(numeric.size());
    out.bits.resize(static_cast<std::size_t>(total * words));
    out.numbers.resize(static_cast<std::size_t>(total * numbers));
    parallel_for((total + kStretch - 1) / kStretch, threads, [&](std::int64_t stretch, int) {
        std::vector<double> own(static_cast<std::size_t>(width));
        const std::int64_t end = std::min((stretch + 1) * kStretch, total);
        for (std::int64_t i = stretch * kStretch; i < end; ++i) {
            const bool row = i < rows.count;
            const double* x = as_doubles(row ? rows : queries, row ? i : i - rows.count, own.data());
            for (std::int64_t w = 0; w < words; ++w) {
                std::uint64_t word = 0;
                for (std::int64_t j = 64 * w; j < std::min(width, 64 * w + 64); ++j)
                    word |= static_cast<std::uint64_t>(x[j] == high[static_cast<std::size_t>(j)]) << (j % 64);
                out.bits[static_cast<std::size_t>(i * words + w)] = word;
            }
            for (std::int64_t n = 0; n < numbers; ++n)
                out.numbers[static_cast<std::size_t>(i * numbers + n)] =
                    x[numeric[static_cast<std::size_t>(n)]];
        }
    });
    return true;
}

}  // namespace assay
