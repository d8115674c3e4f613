// Neighbours by products in single precision, exact all the same.
//
// About the rows' mean, |q - x|^2 = |a|^2 + 2 (|b|^2 / 2 - a.b): the order of the rows is that of the keys in
// brackets, which are products of [t, t |a|, -t a] with [|b|^2 (1 - c) / 2, -c |b|, b]. The parts with c
// lower each key by more than single precision can be wrong, so it is a bound from below; twice as much added
// is one from above. A row stays a candidate while its lower bound does not exceed the k-th least upper one;
// candidates are measured in double precision at the end, or earlier if there are too many. t <= 1 is a power
// of two that keeps far queries in range.
//
// A few panels first show how near the k-th neighbour may be: the limit guessed from them saves most of the
// candidates that a sinking limit lets through. Queries whose guess proves too low start anew without one.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "neighbors/binary_columns.hpp"
#include "neighbors/neighbors.hpp"
#include "neighbors/row_order.hpp"
#include "neighbors/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kBlock = 192;  // queries that share a sweep: a multiple of every tile's rows
constexpr std::size_t kRoom = 64;     // for candidates beyond twice as many as are wanted
constexpr std::size_t kSampled = 16, kEnough = 64;  // one panel in so many shows the way, if there are enough
constexpr float kAnything = std::numeric_limits<float>::infinity();
constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr double kVanished = 2e-36;  // what products too small for single precision may add up to

// Power of two that brings `most` to between 1/2 and 1.
double unit_for(double most) {
    int exponent = 0;
    if (most > 0.0) std::frexp(most, &exponent);
    return std::ldexp(1.0, -exponent);
}

float round_up(double value) {
    const float near = static_cast<float>(value);
    return static_cast<double>(near) < value ? std::nextafter(near, kAnything) : near;
}

// The rows about their mean, in panels of as many columns as a tile has, every group in panels of its own.
class Panels {
  public:
    Panels(const RowMatrix& rows, const NeighborFilter& among, int threads)
        : rows_(rows),
          places_(rows.count, among, neighbors_simd().near_columns),
          depth_(rows.width + 2),
          wide_(neighbors_simd().near_columns),
          slack_(1.01 * static_cast<double>(depth_ + 8) * std::ldexp(1.0, -24)) {
        measure();
        const std::int64_t count = places_.panels();
        packed_.resize(static_cast<std::size_t>(count * wide_ * depth_));
        norm_.resize(places_.size());
        parallel_for(count, threads, [&](std::int64_t panel, int) { pack(panel); });
    }
    std::int64_t depth() const { return depth_; }
    std::int64_t wide() const { return wide_; }
    double slack() const { return slack_; }
    double unit() const { return unit_; }
    const double* center() const { return center_.data(); }
    const Places& places() const { return places_; }
    std::int32_t row(std::int64_t place) const { return places_.row(place); }
    float norm(std::int64_t place) const { return norm_[static_cast<std::size_t>(place)]; }
    const float* panel(std::int64_t p) const { return packed_.data() + p * wide_ * depth_; }

  private:
    template <class Visit>
    void each_value(Visit visit) const {
        for (const std::int32_t i : places_.rows())
            for (std::int64_t j = 0; i >= 0 && j < rows_.width; ++j)
                visit(j, rows_.f64 ? rows_.f64[i * rows_.width + j]
                                   : static_cast<double>(rows_.f32[i * rows_.width + j]));
    }
    void measure() {
        center_.assign(static_cast<std::size_t>(rows_.width), 0.0);
        const double share = 1.0 / static_cast<double>(std::max<std::int64_t>(
                                       1, std::count_if(places_.rows().begin(), places_.rows().end(),
                                                        [](auto i) { return i >= 0; })));
        each_value([&](std::int64_t j, double x) { center_[static_cast<std::size_t>(j)] += x * share; });
        double most = 0.0;
        each_value([&](std::int64_t j, double x) {
            most = std::max(most, std::fabs(x - center_[static_cast<std::size_t>(j)]));
        });
        unit_ = unit_for(most);
    }
    void pack(std::int64_t panel) {
        float* out = packed_.data() + panel * wide_ * depth_;
        std::vector<double> buffer(static_cast<std::size_t>(rows_.width));
        for (std::int64_t column = 0; column < wide_; ++column) {
            const std::int64_t place = panel * wide_ + column;
            const std::int32_t i = row(place);
            double squares = 0.0;
            const double* x = i < 0 ? nullptr : as_doubles(rows_, i, buffer.data());
            for (std::int64_t j = 0; j < rows_.width; ++j) {
                const double b = x ? (x[j] - center_[static_cast<std::size_t>(j)]) * unit_ : 0.0;
                squares += b * b;
                out[(j + 2) * wide_ + column] = static_cast<float>(b);
            }
            const double norm = std::sqrt(squares);
            norm_[static_cast<std::size_t>(place)] = round_up(norm);
            out[column] = x ? static_cast<float>(0.5 * squares * (1.0 - slack_)) : 1e30f;
            out[wide_ + column] = static_cast<float>(-slack_ * norm);
        }
    }

    RowMatrix rows_;
    Places places_;
    std::int64_t depth_, wide_;
    double slack_, unit_ = 1.0;
    std::vector<double> center_;
    std::vector<float> norm_, packed_;
};

struct Candidate {
    float key;
    std::int32_t place;
};

// What is known about one query: candidates not measured yet, and the best of those that were.
struct Query {
    double norm = 0.0, t = 1.0;  // |t a|, t
    float length = 0.0f, half = 0.5f, blur = 0.0f;
    float guess = kAnything;
    std::vector<Candidate> pending;
    std::vector<std::pair<double, std::int32_t>> best;  // squared distance, row
};

// A block of queries on its way through the panels.
class Block {
  public:
    Block(const Panels& panels, const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among,
          const Lists& out)
        : panels_(panels),
          queries_(queries),
          among_(among),
          out_(out),
          measure_(Metric::squares, 0, rows),
          state_(kBlock),
          limit_(kBlock),
          packed_(static_cast<std::size_t>(kBlock * panels.depth())),
          hits_(static_cast<std::size_t>(kBlock * panels.wide())),
          buffer_(static_cast<std::size_t>(queries.width)) {}

    // Queries order[0..count), all of one group.
    void run(const std::int64_t* order, std::int64_t count) {
        again_.clear();
        run(order, count, true);
        if (again_.empty()) return;
        const auto once_more = again_;
        run(once_more.data(), static_cast<std::int64_t>(once_more.size()), false);
    }

  private:
    void run(const std::int64_t* order, std::int64_t count, bool guessing) {
        order_ = order, count_ = count;
        pack();
        list_panels(order[0]);
        const std::size_t sample = guessing && route_.size() >= kEnough ? route_.size() / kSampled : 0;
        const double few = static_cast<double>(out_.k) / kSampled;
        rank_ = static_cast<std::size_t>(out_.k);
        if (sample) rank_ = std::min(rank_, static_cast<std::size_t>(few + 4.0 * std::sqrt(few) + 5.0));
        for (std::size_t p = 0; p < route_.size(); ++p) {
            if (sample && p == sample) guess();
            sweep(route_[p]);
        }
        for (std::int64_t i = 0; i < count; ++i) finish(i);
    }

    // Every kSampled-th panel first.
    void list_panels(std::int64_t query) {
        panels_.places().list(among_, query, passed_);
        route_.clear();
        for (std::size_t p = kSampled - 1; p < passed_.size(); p += kSampled) route_.push_back(passed_[p]);
        for (std::size_t p = 0; p < passed_.size(); ++p)
            if (p % kSampled != kSampled - 1) route_.push_back(passed_[p]);
    }

    void guess() {
        for (std::int64_t i = 0; i < count_; ++i) {
            shrink(i);
            state_[static_cast<std::size_t>(i)].guess = limit_[static_cast<std::size_t>(i)];
        }
        rank_ = static_cast<std::size_t>(out_.k);
    }

    void pack() {
        const std::int64_t tall = neighbors_simd().near_rows, depth = panels_.depth();
        groups_ = (count_ + tall - 1) / tall;
        std::memset(packed_.data(), 0, packed_.size() * sizeof(float));
        for (std::int64_t i = 0; i < groups_ * tall; ++i) {
            limit_[static_cast<std::size_t>(i)] = i < count_ ? kAnything : kNothing;
            if (i >= count_) continue;
            Query& query = state_[static_cast<std::size_t>(i)];
            query.pending.clear(), query.best.clear();
            query.guess = kAnything;
            const double* x = as_doubles(queries_, order_[i], buffer_.data());
            double most = 0.0, squares = 0.0;
            for (std::int64_t j = 0; j < queries_.width; ++j)
                most = std::max(most, std::fabs((x[j] - panels_.center()[j]) * panels_.unit()));
            query.t = std::min(1.0, unit_for(most));
            float* to = packed_.data() + (i / tall) * tall * depth + i % tall;
            for (std::int64_t j = 0; j < queries_.width; ++j) {
                const double a = (x[j] - panels_.center()[j]) * panels_.unit() * query.t;
                squares += a * a;
                to[(j + 2) * tall] = static_cast<float>(-a);
            }
            query.norm = std::sqrt(squares);
            query.length = round_up(query.norm), query.half = static_cast<float>(0.5 * query.t);
            query.blur = round_up(blur(query.t, query.norm / query.t));
            to[0] = static_cast<float>(query.t);
            to[tall] = static_cast<float>(query.norm);
        }
    }

    void sweep(std::int64_t panel) {
        const std::int64_t found = neighbors_simd().near_sweep(
            packed_.data(), groups_, panels_.depth(), panels_.panel(panel), limit_.data(), hits_.data());
        for (std::int64_t h = 0; h < found; ++h) {
            const Hit& hit = hits_[static_cast<std::size_t>(h)];
            const std::int64_t place = panel * panels_.wide() + hit.column;
            const std::int32_t row = panels_.row(place);
            if (row < 0 || (among_.itself && among_.itself[order_[hit.row]] == row)) continue;
            auto& pending = state_[static_cast<std::size_t>(hit.row)].pending;
            pending.push_back({hit.key, static_cast<std::int32_t>(place)});
            if (pending.size() >= 2 * rank_ + kRoom) shrink(hit.row);
        }
    }

    // Bound from above of a candidate's key, in single precision; the factor leaves room for that.
    float above(const Query& query, const Candidate& candidate) const {
        const float norm = panels_.norm(candidate.place), slack = 2.3f * static_cast<float>(panels_.slack());
        return candidate.key + slack * norm * (query.half * norm + query.length) + query.blur;
    }
    // What double precision may be wrong by.
    double blur(double t, double reach) const {
        return kVanished +
               static_cast<double>(panels_.depth() + 8) * std::ldexp(1.0, -49) * t * reach * reach;
    }
    // The same for a row that was measured.
    float measured_key(const Query& query, double squared) const {
        const double a = query.norm / query.t, d = std::sqrt(squared) * panels_.unit();
        return round_up(0.5 * query.t * (d - a) * (d + a) + blur(query.t, a + d));
    }

    // Drops what cannot be among the nearest any more and lowers the limit; measures if too much is left.
    // Returns a bound from above of the key in question.
    float shrink(std::int64_t i) {
        Query& query = state_[static_cast<std::size_t>(i)];
        bounds_.clear();
        for (const Candidate& each : query.pending) bounds_.push_back(above(query, each));
        for (const auto& each : query.best) bounds_.push_back(measured_key(query, each.first));
        float& limit = limit_[static_cast<std::size_t>(i)];
        float bound = kAnything;
        if (bounds_.size() >= rank_) {
            const auto kth = bounds_.begin() + static_cast<std::ptrdiff_t>(rank_) - 1;
            std::nth_element(bounds_.begin(), kth, bounds_.end());
            bound = *kth;
            limit = std::min(limit, bound);
        }
        auto& pending = query.pending;
        pending.erase(std::remove_if(pending.begin(), pending.end(),
                                     [&](const Candidate& each) { return each.key > limit; }),
                      pending.end());
        if (pending.size() <= rank_ + rank_ / 2 + kRoom / 2) return bound;
        measure_pending(i);
        if (query.best.size() >= rank_)
            limit = std::min(limit, measured_key(query, query.best[rank_ - 1].first));
        return bound;
    }

    void measure_pending(std::int64_t i) {
        Query& query = state_[static_cast<std::size_t>(i)];
        source_.clear();
        for (const Candidate& each : query.pending) source_.push_back(panels_.row(each.place));
        query.pending.clear();
        squared_.resize(source_.size());
        measure_(as_doubles(queries_, order_[i], buffer_.data()), source_.data(), 0,
                 static_cast<std::int64_t>(source_.size()), squared_.data());
        for (std::size_t c = 0; c < source_.size(); ++c) query.best.emplace_back(squared_[c], source_[c]);
        const std::size_t k = std::min(static_cast<std::size_t>(out_.k), query.best.size());
        std::partial_sort(query.best.begin(), query.best.begin() + static_cast<std::ptrdiff_t>(k),
                          query.best.end());
        query.best.resize(k);
    }

    void finish(std::int64_t i) {
        if (shrink(i) >
            state_[static_cast<std::size_t>(i)].guess) {  // rows below it may have been passed over
            again_.push_back(order_[i]);
            return;
        }
        measure_pending(i);
        const auto& best = state_[static_cast<std::size_t>(i)].best;
        std::int32_t* rows = out_.rows + order_[i] * out_.k;
        double* distances = out_.distances + order_[i] * out_.k;
        for (std::int64_t c = 0; c < out_.k; ++c) {
            const bool there = c < static_cast<std::int64_t>(best.size());
            rows[c] = there ? best[static_cast<std::size_t>(c)].second : -1;
            distances[c] = there ? out_.distance(best[static_cast<std::size_t>(c)].first)
                                 : std::numeric_limits<double>::infinity();
        }
    }

    const Panels& panels_;
    const RowMatrix queries_;
    const NeighborFilter among_;
    const Lists out_;
    const Measure measure_;
    std::vector<Query> state_;
    std::vector<float> limit_, packed_, bounds_;
    std::vector<Hit> hits_;
    std::vector<double> buffer_, squared_;
    std::vector<std::int32_t> source_;
    std::vector<std::int64_t> passed_, route_, again_;
    std::size_t rank_ = 0;
    const std::int64_t* order_ = nullptr;
    std::int64_t count_ = 0, groups_ = 0;
};

}  // namespace

void nearest_by_products(const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among,
                         int threads, InterruptCheck& pause, const Lists& out) {
    if (nearest_by_patterns(rows, queries, among, threads, pause, out)) return;
    if (nearest_whole(rows, queries, among, threads, pause, out)) return;
    const Panels panels(rows, among, threads);
    const Stretches stretches(queries.count, among, kBlock, neighbors_simd().near_rows, threads);
    std::vector<std::vector<Block>> blocks(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for(stretches.count(), threads, [&](std::int64_t item, int worker) {
        auto& own = blocks[static_cast<std::size_t>(worker)];
        if (own.empty()) own.emplace_back(panels, rows, queries, among, out);
        own[0].run(stretches.queries(item), stretches.length(item));
        if (worker == 0) pause.after(stretches.length(item) * rows.count * rows.width);
    });
}

}  // namespace assay
