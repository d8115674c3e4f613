// Neighbours among small whole numbers (pixels, counts, zeros and ones): every product is exact.
//
// |q - x|^2 = |a|^2 + (|b|^2 - 2 a.b), and the key in brackets orders the rows. Where its largest value fits
// 32 bits, two products of 16-bit integers at a time are as quick as one in single precision, no bounds are
// needed, and nothing is measured again: the sum is what double precision would give, to the last bit.
//
// Queries go through the panels a few at a time; pairs of columns in which all of the few are zero are left
// out, which saves most of the work in sparse tables.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "neighbors/neighbors.hpp"
#include "neighbors/row_order.hpp"
#include "neighbors/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kBlock = 192;  // queries that share a sweep: a multiple of every tile's rows
constexpr std::size_t kRoom = 64;     // for candidates beyond twice as many as are wanted
constexpr std::int64_t kStretch = 256;
constexpr double kMostSquares = 16383.0 * 16383.0;  // of a row: twice a number fits 16 bits, a key 32
constexpr std::int32_t kAnything = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kNothing = std::numeric_limits<std::int32_t>::min();

// The sum of squares of whole numbers; NaN where one is not whole.
double squares_of(const double* x, std::int64_t width) {
    constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: sums with it have no fraction
    double sums[4] = {0.0, 0.0, 0.0, 0.0}, rests[4] = {0.0, 0.0, 0.0, 0.0};
    const auto look = [&](double value, int lane) {
        rests[lane] += std::fabs(((value + kRound) - kRound) - value);
        sums[lane] += value * value;
    };
    std::int64_t j = 0;
    for (; j + 4 <= width; j += 4)
        for (int lane = 0; lane < 4; ++lane) look(x[j + lane], lane);
    for (; j < width; ++j) look(x[j], 0);
    const bool whole = rests[0] + rests[1] + rests[2] + rests[3] == 0.0;
    return whole ? (sums[0] + sums[1]) + (sums[2] + sums[3]) : std::numeric_limits<double>::quiet_NaN();
}

// The sums of squares of all rows; false where one holds other than small whole numbers. No key or part of it
// exceeds |b|^2 + 2 |a| |b|.
bool small_squares(const RowMatrix& sample, int threads, std::vector<std::int32_t>& squares) {
    squares.resize(static_cast<std::size_t>(sample.count));
    std::atomic<bool> small{true};
    parallel_for((sample.count + kStretch - 1) / kStretch, threads, [&](std::int64_t stretch, int) {
        std::vector<double> buffer(static_cast<std::size_t>(sample.width));
        const std::int64_t end = std::min((stretch + 1) * kStretch, sample.count);
        for (std::int64_t i = stretch * kStretch; i < end && small; ++i) {
            const double sum = squares_of(as_doubles(sample, i, buffer.data()), sample.width);
            if (!(sum <= kMostSquares))
                small = false;
            else
                squares[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(sum);
        }
    });
    return small;
}

// Rows of whole numbers, `factor` times each, in 16 bits; two at a time are one number.
class Pairs {
  public:
    explicit Pairs(std::int64_t width)
        : width_(width),
          numbers_(static_cast<std::size_t>(width)),
          halves_(static_cast<std::size_t>(width + 1)) {}
    void read(const RowMatrix& sample, std::int64_t i, double factor) {
        const double* x = as_doubles(sample, i, numbers_.data());
        for (std::int64_t j = 0; j < width_; ++j)
            halves_[static_cast<std::size_t>(j)] = static_cast<std::int16_t>(factor * x[j]);
    }
    std::int32_t operator[](std::int64_t pair) const {
        std::int32_t both;
        std::memcpy(&both, halves_.data() + 2 * pair, sizeof both);
        return both;
    }

  private:
    std::int64_t width_;
    std::vector<double> numbers_;
    std::vector<std::int16_t> halves_;
};

class Panels {
  public:
    Panels(const RowMatrix& rows, const std::vector<std::int32_t>& squares, const NeighborFilter& among,
           int threads)
        : places_(rows.count, among, neighbors_simd().near_columns),
          pairs_((rows.width + 1) / 2),
          packed_(static_cast<std::size_t>(pairs_) * places_.size()),
          squares_(places_.size(), kAnything) {
        parallel_for(places_.panels(), threads, [&](std::int64_t panel, int) { pack(rows, squares, panel); });
    }
    const Places& places() const { return places_; }
    std::int64_t pairs() const { return pairs_; }
    const std::int32_t* panel(std::int64_t p) const { return packed_.data() + p * places_.wide() * pairs_; }
    const std::int32_t* squares(std::int64_t p) const { return squares_.data() + p * places_.wide(); }

  private:
    void pack(const RowMatrix& rows, const std::vector<std::int32_t>& squares, std::int64_t panel) {
        std::int32_t* out = packed_.data() + panel * places_.wide() * pairs_;
        Pairs x(rows.width);
        for (std::int64_t column = 0; column < places_.wide(); ++column) {
            const std::int64_t place = panel * places_.wide() + column;
            const std::int32_t row = places_.row(place);
            if (row < 0) continue;
            x.read(rows, row, 1.0);
            for (std::int64_t pair = 0; pair < pairs_; ++pair) out[pair * places_.wide() + column] = x[pair];
            squares_[static_cast<std::size_t>(place)] = squares[static_cast<std::size_t>(row)];
        }
    }

    Places places_;
    std::int64_t pairs_;
    std::vector<std::int32_t> packed_, squares_;
};

// A block of queries on its way through the panels.
class Block {
  public:
    Block(const Panels& panels, const RowMatrix& queries, const std::vector<std::int32_t>& squares,
          const NeighborFilter& among, const Lists& out)
        : panels_(panels),
          queries_(queries),
          squares_(squares),
          among_(among),
          out_(out),
          kept_(kBlock),
          limit_(kBlock),
          packed_(static_cast<std::size_t>(kBlock * panels.pairs())),
          used_(static_cast<std::size_t>(kBlock / neighbors_simd().near_rows * panels.pairs())),
          hits_(static_cast<std::size_t>(kBlock * panels.places().wide())),
          group_(static_cast<std::size_t>(neighbors_simd().near_rows), Pairs(queries.width)) {}

    // Queries order[0..count), all of one group.
    void run(const std::int64_t* order, std::int64_t count) {
        order_ = order, count_ = count;
        pack();
        panels_.places().list(among_, order[0], route_);
        for (const std::int64_t panel : route_) sweep(panel);
        for (std::int64_t i = 0; i < count; ++i) finish(i);
    }

  private:
    void pack() {
        const std::int64_t tall = neighbors_simd().near_rows;
        ends_.assign(1, 0);
        for (std::int64_t first = 0; first < count_; first += tall) pack_group(first, tall);
    }

    // Queries side by side: every pair of columns in which one of them is not zero.
    void pack_group(std::int64_t first, std::int64_t tall) {
        for (std::int64_t i = first; i < first + tall; ++i) {
            limit_[static_cast<std::size_t>(i)] = i < count_ ? kAnything : kNothing;
            kept_[static_cast<std::size_t>(i)].clear();
            if (i < count_) group_[static_cast<std::size_t>(i - first)].read(queries_, order_[i], -2.0);
        }
        const std::int64_t some = std::min(tall, count_ - first);
        std::int64_t end = ends_.back();
        for (std::int64_t pair = 0; pair < panels_.pairs(); ++pair) {
            std::int32_t* to = packed_.data() + end * tall;
            std::int32_t any = 0;
            for (std::int64_t r = 0; r < tall; ++r)
                any |= to[r] = r < some ? group_[static_cast<std::size_t>(r)][pair] : 0;
            if (any) used_[static_cast<std::size_t>(end++)] = static_cast<std::int32_t>(pair);
        }
        ends_.push_back(end);
    }

    void sweep(std::int64_t panel) {
        const std::int64_t found = neighbors_simd().whole_sweep(
            packed_.data(), used_.data(), ends_.data(), static_cast<std::int64_t>(ends_.size()) - 1,
            panels_.panel(panel), panels_.squares(panel), limit_.data(), hits_.data());
        for (std::int64_t h = 0; h < found; ++h) {
            const WholeHit& hit = hits_[static_cast<std::size_t>(h)];
            const std::int32_t row = panels_.places().row(panel * panels_.places().wide() + hit.column);
            if (row < 0 || (among_.itself && among_.itself[order_[hit.row]] == row)) continue;
            auto& kept = kept_[static_cast<std::size_t>(hit.row)];
            kept.emplace_back(hit.key, row);
            if (kept.size() >= 2 * static_cast<std::size_t>(out_.k) + kRoom) shrink(hit.row);
        }
    }

    void shrink(std::int64_t i) {
        auto& kept = kept_[static_cast<std::size_t>(i)];
        const auto last = kept.begin() + static_cast<std::ptrdiff_t>(out_.k) - 1;
        std::nth_element(kept.begin(), last, kept.end());
        limit_[static_cast<std::size_t>(i)] = last->first;
        kept.resize(static_cast<std::size_t>(out_.k));
    }

    void finish(std::int64_t i) {
        auto& kept = kept_[static_cast<std::size_t>(i)];
        std::sort(kept.begin(), kept.end());
        const std::int64_t squares = squares_[static_cast<std::size_t>(order_[i])];
        std::int32_t* rows = out_.rows + order_[i] * out_.k;
        double* distances = out_.distances + order_[i] * out_.k;
        for (std::int64_t c = 0; c < out_.k; ++c) {
            const bool there = c < static_cast<std::int64_t>(kept.size());
            const auto each = there ? kept[static_cast<std::size_t>(c)] : std::make_pair(0, -1);
            rows[c] = each.second;
            distances[c] = there ? out_.distance(static_cast<double>(squares + each.first))
                                 : std::numeric_limits<double>::infinity();
        }
    }

    const Panels& panels_;
    const RowMatrix queries_;
    const std::vector<std::int32_t>& squares_;
    const NeighborFilter among_;
    const Lists out_;
    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> kept_;  // key, row
    std::vector<std::int32_t> limit_, packed_, used_;
    std::vector<WholeHit> hits_;
    std::vector<Pairs> group_;
    std::vector<std::int64_t> route_, ends_;
    const std::int64_t* order_ = nullptr;
    std::int64_t count_ = 0;
};

}  // namespace

bool nearest_whole(const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among, int threads,
                   InterruptCheck& pause, const Lists& out) {
    std::vector<std::int32_t> row_squares, query_squares;
    if (!neighbors_simd().whole_sweep || !small_squares(queries, threads, query_squares) ||
        !small_squares(rows, threads, row_squares))
        return false;
    const Panels panels(rows, row_squares, among, threads);
    const Stretches stretches(queries.count, among, kBlock, neighbors_simd().near_rows, threads);
    std::vector<std::vector<Block>> blocks(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for(stretches.count(), threads, [&](std::int64_t item, int worker) {
        auto& own = blocks[static_cast<std::size_t>(worker)];
        if (own.empty()) own.emplace_back(panels, queries, query_squares, among, out);
        own[0].run(stretches.queries(item), stretches.length(item));
        if (worker == 0) pause.after(stretches.length(item) * rows.count * rows.width);
    });
    return true;
}

}  // namespace assay
