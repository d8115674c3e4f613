#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "svm/simd.hpp"
#include "svm/smo.hpp"

namespace assay {

namespace {

constexpr std::int64_t kColumns = 2048;  // of v that follow a working set in one go
constexpr std::int64_t kSmall = 1024, kLarge = 4096, kMany = 8192;  // places of a set; rows that are many
constexpr std::int64_t kPatience = 12;                              // rounds before a set may grow

bool is_up(const SmoState& dual, std::int64_t i) { return dual.b[i] < dual.high[i]; }
bool is_down(const SmoState& dual, std::int64_t i) { return dual.b[i] > dual.low[i]; }
bool takes_part(const SmoState& dual, std::int64_t i) { return dual.low[i] < dual.high[i]; }

// The violation, the shift (the mean of v between the bounds, or the middle of what is allowed) and both
// values.
Round measure(const SmoState& dual, double* shift) {
    double top = -std::numeric_limits<double>::infinity(), bottom = -top, sum = 0.0;
    std::int64_t between = 0;
    for (std::int64_t i = 0; i < dual.count; ++i) {
        if (is_up(dual, i)) top = std::max(top, dual.v[i]);
        if (is_down(dual, i)) bottom = std::min(bottom, dual.v[i]);
        if (is_up(dual, i) && is_down(dual, i)) sum += dual.v[i], ++between;
    }
    *shift = between ? sum / static_cast<double>(between) : 0.5 * (top + bottom);
    double square = 0.0, gained = 0.0, paid = 0.0;
    for (std::int64_t i = 0; i < dual.count; ++i) {
        if (!takes_part(dual, i)) continue;
        const double y = dual.high[i] > 0.0 ? 1.0 : -1.0;
        gained += y * dual.b[i];
        square += dual.b[i] * (y - dual.v[i]);
        paid += (dual.high[i] - dual.low[i]) * std::max(0.0, y * (dual.v[i] - *shift));
    }
    return {0.0, std::max(0.0, top - bottom), gained - 0.5 * square, 0.5 * square + paid};
}

// The places of the current set, in order, and the round in which each came in (0: not in the set).
class WorkingSet {
  public:
    WorkingSet(const SmoState& dual, std::int64_t most) : dual_(dual), entered_(dual.count, 0), most_(most) {
        for (std::int64_t i = 0; i < dual.count; ++i) all_ += takes_part(dual, i);
        size_ = all_ > kMany ? 2 * kSmall : kSmall;
    }

    const std::vector<std::int64_t>& next() {
        ++round_;
        grow();
        if (size_ >= all_ && all_ <= most_) {
            places_.clear();
            for (std::int64_t i = 0; i < dual_.count; ++i)
                if (takes_part(dual_, i)) places_.push_back(i);
            return places_;
        }
        const std::int64_t size = std::max<std::int64_t>(4, std::min(size_, most_));
        keep_newest(size / 2);
        // At most half of the room for either side: v is +-1 at the start, and ties would fill it from one.
        const std::int64_t room =
            std::max<std::int64_t>(1, (size - static_cast<std::int64_t>(places_.size())) / 2);
        bring_in(room, true);
        bring_in(room, false);
        std::sort(places_.begin(), places_.end());
        return places_;
    }

  private:
    // A set that is small beside what lies between the bounds needs many rounds; a large one pays only then.
    void grow() {
        if (round_ % kPatience != 0 || size_ >= kLarge) return;
        std::int64_t between = 0;
        for (std::int64_t i = 0; i < dual_.count; ++i) between += is_up(dual_, i) && is_down(dual_, i);
        if (2 * between > size_) size_ *= 2;
    }

    void keep_newest(std::int64_t count) {
        if (static_cast<std::int64_t>(places_.size()) <= count) return;
        std::sort(places_.begin(), places_.end(), [&](std::int64_t a, std::int64_t b) {
            return entered_[a] != entered_[b] ? entered_[a] > entered_[b] : a < b;
        });
        for (std::size_t k = count; k < places_.size(); ++k) entered_[places_[k]] = 0;
        places_.resize(count);
    }

    // The largest violations of one side that are not in the set; what is not a number has no place in an
    // order.
    void bring_in(std::int64_t count, bool up) {
        others_.clear();
        for (std::int64_t i = 0; i < dual_.count; ++i)
            if (!entered_[i] && !std::isnan(dual_.v[i]) && (up ? is_up(dual_, i) : is_down(dual_, i)))
                others_.push_back(i);
        if (static_cast<std::int64_t>(others_.size()) > count) {
            std::nth_element(others_.begin(), others_.begin() + count, others_.end(),
                             [&](std::int64_t a, std::int64_t b) {
                                 if (dual_.v[a] != dual_.v[b]) return (dual_.v[a] > dual_.v[b]) == up;
                                 return a < b;
                             });
            others_.resize(count);
        }
        for (const std::int64_t i : others_) entered_[i] = round_, places_.push_back(i);
    }

    const SmoState& dual_;
    std::vector<std::int64_t> entered_, places_, others_;
    std::int64_t most_, size_ = 0, all_ = 0, round_ = 0;
};

// The problem of a working set, its Gram matrix put together from whole rows.
template <class T>
struct Inner {
    std::int64_t stride = 0;
    std::vector<T> gram;
    std::vector<double> low, high, b, v, before;

    void read(const std::vector<std::int64_t>& places, const std::vector<const T*>& rows,
              const SmoState& dual, int threads) {
        const auto size = static_cast<std::int64_t>(places.size());
        stride = whole_lanes(size);
        gram.resize(static_cast<std::size_t>(stride * size));
        parallel_for((size + 63) / 64, threads, [&](std::int64_t item, int) {
            for (std::int64_t r = item * 64; r < std::min(size, item * 64 + 64); ++r) {
                T* __restrict to = gram.data() + r * stride;
                const T* __restrict from = rows[r];
                for (std::int64_t c = 0; c < size; ++c) to[c] = from[places[c]];
            }
        });
        low.resize(size), high.resize(size), b.resize(size), v.resize(size);
        for (std::int64_t k = 0; k < size; ++k) {
            low[k] = dual.low[places[k]], high[k] = dual.high[places[k]];
            b[k] = dual.b[places[k]], v[k] = dual.v[places[k]];
        }
        before = b;
    }
    SmoState dual() {
        return {static_cast<std::int64_t>(b.size()), low.data(), high.data(), b.data(), v.data()};
    }
};

// v -= K (b - before) over the places that moved, and b is written back.
template <class T>
void follow(const Inner<T>& inner, const std::vector<std::int64_t>& places, const std::vector<const T*>& rows,
            const SmoState& dual, int threads) {
    std::vector<const T*> moved;
    std::vector<double> by;
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (inner.b[k] == inner.before[k]) continue;
        moved.push_back(rows[k]);
        by.push_back(inner.b[k] - inner.before[k]);
        dual.b[places[k]] = inner.b[k];
    }
    parallel_for((dual.count + kColumns - 1) / kColumns, threads, [&](std::int64_t item, int) {
        const std::int64_t first = item * kColumns, count = std::min(kColumns, dual.count - first);
        kernel_loops_of<T>().subtract_rows(moved.data(), by.data(), static_cast<std::int64_t>(moved.size()),
                                           first, count, dual.v + first);
    });
}

// Whether rounds go round in a circle: what is left is rounding of T, and has not become less for a while.
template <class T>
class Circle {
  public:
    bool closed(const SmoState& dual, double violation) {
        if (violation < 0.9 * best_) {
            best_ = violation, since_ = 0;
            return false;
        }
        if (++since_ < kPatience) return false;
        double size = 1.0;
        for (std::int64_t i = 0; i < dual.count; ++i) size = std::max(size, std::abs(dual.v[i]));
        return violation <= 256.0 * std::numeric_limits<T>::epsilon() * size;
    }

  private:
    double best_ = std::numeric_limits<double>::infinity();
    std::int64_t since_ = 0;
};

}  // namespace

template <class T>
SmoResult smo_blocks(GramRows<T>& gram, const SmoState& dual, const SmoStopping& stop, int threads,
                     InterruptCheck& pause, std::vector<Round>& history) {
    WorkingSet working(dual, gram.most());
    Inner<T> inner;
    SmoResult reached;
    Circle<T> circle;
    std::vector<const T*> rows;
    for (;;) {
        Round round = measure(dual, &reached.shift);
        round.steps = static_cast<double>(reached.steps);
        reached.violation = round.violation;
        history.push_back(round);
        if (!(round.violation > stop.tolerance) || reached.steps >= stop.most_steps ||
            circle.closed(dual, round.violation))
            return reached;
        const auto& places = working.next();
        rows.resize(places.size());
        if (!gram.fetch(places.data(), static_cast<std::int64_t>(places.size()), pause, rows.data()))
            throw std::domain_error("a kernel value is not a finite number");
        inner.read(places, rows, dual, threads);
        const SmoStopping nearer{std::max(0.1 * round.violation, 0.5 * stop.tolerance),
                                 stop.most_steps - reached.steps};
        const SmoResult part = smo_pairs<T>(inner.gram.data(), inner.stride, inner.dual(), nearer, pause);
        if (part.steps == 0) return reached;  // rounding: narrow numbers see no violation any more
        follow(inner, places, rows, dual, threads);
        pause.after(static_cast<std::int64_t>(places.size()) * dual.count);
        reached.steps += part.steps;
        reached.bends_down |= part.bends_down;
    }
}

template SmoResult smo_blocks<float>(GramRows<float>&, const SmoState&, const SmoStopping&, int,
                                     InterruptCheck&, std::vector<Round>&);
template SmoResult smo_blocks<double>(GramRows<double>&, const SmoState&, const SmoStopping&, int,
                                      InterruptCheck&, std::vector<Round>&);

}  // namespace assay
