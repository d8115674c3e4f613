// Predictions for tables of ratings that are mostly empty: by the lists of who rated an item.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/threads.hpp"
#include "ratings/nearest_raters.hpp"
#include "ratings/ratings.hpp"
#include "ratings/simd.hpp"

namespace assay {

namespace {

constexpr double kRounding = 1e-12;  // of sums of squares that are no whole numbers
constexpr std::int64_t kTargets = 8;
constexpr int kKinds = 7;  // of sums: n, a, b, a^2, b^2, a b, (a - b)^2

double code_of(const Rated& rows, std::int64_t e) {
    return rows.whole ? static_cast<double>(rows.whole[e]) : rows.real[e];
}

// Number, sum and sum of squares of the codes of one row: mean, and 1 / sample deviation (0: it has none).
struct Own {
    double n = 0.0, sum = 0.0, square = 0.0;
    bool whole = true;

    Own(const Rated& rows, std::int64_t row) : whole(rows.whole != nullptr) {
        for (std::int64_t e = rows.first[row]; e < rows.first[row + 1]; ++e) {
            const double code = code_of(rows, e);
            n += 1.0, sum += code, square += code * code;
        }
    }
    Own without(double code) const {
        Own left = *this;
        left.n -= 1.0, left.sum -= code, left.square -= code * code;
        return left;
    }
    double mean() const { return n > 0.0 ? sum / n : 0.0; }
    double inverse() const {
        const double spread = n * square - sum * sum;
        if (n < 2.0 || spread <= (whole ? 0.0 : kRounding * n * square)) return 0.0;
        return std::sqrt(n * (n - 1.0) / spread);
    }
};

// Who rated an item, in order.
struct Columns {
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> critic;
    std::vector<double> code;

    explicit Columns(const Critics& from)
        : first(static_cast<std::size_t>(from.items) + 1),
          critic(static_cast<std::size_t>(from.rows.total())),
          code(critic.size()) {
        const Rated& rows = from.rows;
        for (std::int64_t e = 0; e < rows.total(); ++e) ++first[static_cast<std::size_t>(rows.item[e]) + 1];
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        std::vector<std::int64_t> next(first.begin(), first.end() - 1);
        for (std::int64_t v = 0; v < rows.count; ++v)
            for (std::int64_t e = rows.first[v]; e < rows.first[v + 1]; ++e) {
                const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(rows.item[e])]++);
                critic[at] = static_cast<std::int32_t>(v), code[at] = code_of(rows, e);
            }
    }
};

// What a target and a critic have in common; a cache line.
struct alignas(64) Common {
    double sum[kKinds + 1] = {};

    void add(double a, double b) {
        sum[0] += 1.0, sum[1] += a, sum[2] += b;
        sum[3] += a * a, sum[4] += b * b, sum[5] += a * b, sum[6] += (a - b) * (a - b);
    }
    void remove(double a, double b) {
        sum[0] -= 1.0, sum[1] -= a, sum[2] -= b;
        sum[3] -= a * a, sum[4] -= b * b, sum[5] -= a * b, sum[6] -= (a - b) * (a - b);
    }
};

// Sixteen at a time, as the vector loops take them.
struct Block {
    double sums[kKinds * kCritics] = {}, closeness[kCritics];

    void put(int lane, const Common& common) {
        for (int kind = 0; kind < kKinds; ++kind) sums[kind * kCritics + lane] = common.sum[kind];
    }
    void measure(const Closeness& how, int kind, bool whole) {
        ratings_simd().real[kind](sums, static_cast<double>(how.overlap), how.shrinkage, how.unit,
                                  whole ? 0.0 : kRounding, closeness);
    }
};

// To 41 binary digits, as the vector loops round.
double rounded(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x800) & ~std::uint64_t{0xFFF};
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}

// 1 + sum of z_a z_b / (n - 1), z by mean and deviation of all that each has rated, cut at 0 and 2.
double standard_closeness(const Common& common, const Own& own, double mean, double inverse,
                          const Closeness& how) {
    const double n = common.sum[0], scale = own.inverse() * inverse;
    if (n < std::max(2.0, static_cast<double>(how.overlap)) || scale == 0.0) return 0.0;
    const double a = own.mean();
    const double products = common.sum[5] - a * common.sum[2] - mean * common.sum[1] + n * a * mean;
    double r = std::clamp(products * scale / (n - 1.0), -1.0, 1.0);
    if (how.shrinkage > 0.0) r *= n / (n + how.shrinkage);
    return rounded(1.0 + r);
}

constexpr int kStandard = 2;  // the kind of similarity that is measured so

struct Room {
    std::vector<Common> common;
    std::vector<std::int32_t> touched;
    std::vector<double> closeness;  // similarities x critics, 0 but for those touched
};

class Listener {
  public:
    Listener(const Critics& critics, const Targets& targets, const Closeness& closeness, const Heard& heard)
        : critics_(critics), targets_(targets), how_(closeness), heard_(heard), columns_(critics) {}

    // Multiplications done.
    std::int64_t hear(std::int64_t t, Room& room) const {
        room.common.resize(static_cast<std::size_t>(critics_.rows.count));
        room.closeness.resize(static_cast<std::size_t>(critics_.rows.count * heard_.similarities));
        std::int64_t work = gather(t, room);
        if (!targets_.one_out) measure(Own(targets_.rows, t), room);
        for (int which = 0; which < heard_.similarities; ++which)
            work += targets_.one_out ? answer_one_out(t, which, room) : answer(t, which, room);
        forget(room);
        return work;
    }

  private:
    std::int64_t gather(std::int64_t t, Room& room) const {
        std::int64_t work = 0;
        for (std::int64_t e = targets_.rows.first[t]; e < targets_.rows.first[t + 1]; ++e) {
            const auto item = static_cast<std::size_t>(targets_.rows.item[e]);
            const double code = code_of(targets_.rows, e);
            work += 5 * (columns_.first[item + 1] - columns_.first[item]);
            for (auto at = static_cast<std::size_t>(columns_.first[item]);
                 at < static_cast<std::size_t>(columns_.first[item + 1]); ++at) {
                const std::int32_t v = columns_.critic[at];
                if (v == targets_.itself[t]) continue;
                Common& common = room.common[static_cast<std::size_t>(v)];
                if (common.sum[0] == 0.0) room.touched.push_back(v);
                common.add(code, columns_.code[at]);
            }
        }
        return work;
    }

    void measure(const Own& own, Room& room) const {
        Block block;
        for (std::size_t from = 0; from < room.touched.size(); from += kCritics) {
            const int some = static_cast<int>(std::min<std::size_t>(kCritics, room.touched.size() - from));
            for (int l = 0; l < some; ++l)
                block.put(l, room.common[static_cast<std::size_t>(room.touched[from + l])]);
            for (int which = 0; which < heard_.similarities; ++which) {
                double* to = room.closeness.data() + which * critics_.rows.count;
                if (heard_.kind[which] == kStandard) {
                    for (int l = 0; l < some; ++l) {
                        const std::int32_t v = room.touched[from + l];
                        to[v] = standard_closeness(room.common[static_cast<std::size_t>(v)], own,
                                                   critics_.mean[v], critics_.inverse[v], how_);
                    }
                    continue;
                }
                block.measure(how_, heard_.kind[which], critics_.rows.whole != nullptr);
                for (int l = 0; l < some; ++l) to[room.touched[from + l]] = block.closeness[l];
            }
        }
    }

    void forget(Room& room) const {
        for (const std::int32_t v : room.touched) {
            room.common[static_cast<std::size_t>(v)] = Common();
            for (int which = 0; which < heard_.similarities; ++which)
                room.closeness[static_cast<std::size_t>(which * critics_.rows.count + v)] = 0.0;
        }
        room.touched.clear();
    }

    Nearest nearest() const {
        const bool all = heard_.neighbors <= 0 || heard_.neighbors >= critics_.rows.count;
        return Nearest(all ? 0 : heard_.neighbors);
    }

    std::int64_t answer(std::int64_t t, int which, const Room& room) const {
        const double* closeness = room.closeness.data() + which * critics_.rows.count;
        Nearest found = nearest();
        std::int64_t work = 0;
        for (std::int64_t q = targets_.query_first[t]; q < targets_.query_first[t + 1]; ++q) {
            const auto item = static_cast<std::size_t>(targets_.query_item[q]);
            found.begin();
            for (auto at = static_cast<std::size_t>(columns_.first[item]);
                 at < static_cast<std::size_t>(columns_.first[item + 1]); ++at)
                found.add(closeness[columns_.critic[at]], columns_.code[at], columns_.critic[at]);
            work += columns_.first[item + 1] - columns_.first[item];
            found.voices(critics_).write(heard_, which, targets_.queries(), q);
        }
        return work;
    }

    std::int64_t answer_one_out(std::int64_t t, int which, const Room& room) const {
        Nearest found = nearest();
        std::int64_t work = 0;
        const Own own(targets_.rows, t);
        for (std::int64_t q = targets_.query_first[t]; q < targets_.query_first[t + 1]; ++q) {
            const std::int64_t e = targets_.rows.first[t] + q - targets_.query_first[t];
            const auto item = static_cast<std::size_t>(targets_.rows.item[e]);
            found.begin();
            const std::int64_t end = columns_.first[item + 1];
            for (std::int64_t from = columns_.first[item]; from < end; from += kCritics)
                one_block(from, std::min<std::int64_t>(kCritics, end - from), t, code_of(targets_.rows, e),
                          own, which, room, found);
            work += 20 * (end - columns_.first[item]);
            found.voices(critics_).write(heard_, which, targets_.queries(), q);
        }
        return work;
    }

    // Some critics of a column, without what they have in common with the target in that column.
    void one_block(std::int64_t from, std::int64_t some, std::int64_t t, double code, const Own& own,
                   int which, const Room& room, Nearest& found) const {
        Block block;
        const bool standard = heard_.kind[which] == kStandard;
        const Own left = own.without(code);
        for (std::int64_t l = 0; l < some; ++l) {
            const auto at = static_cast<std::size_t>(from + l);
            const std::int32_t v = columns_.critic[at];
            block.closeness[l] = 0.0;
            if (v == targets_.itself[t]) continue;  // all sums of the lane stay 0
            Common common = room.common[static_cast<std::size_t>(v)];
            common.remove(code, columns_.code[at]);
            if (standard)
                block.closeness[l] =
                    standard_closeness(common, left, critics_.mean[v], critics_.inverse[v], how_);
            else
                block.put(static_cast<int>(l), common);
        }
        if (!standard) block.measure(how_, heard_.kind[which], critics_.rows.whole != nullptr);
        for (std::int64_t l = 0; l < some; ++l) {
            const auto at = static_cast<std::size_t>(from + l);
            found.add(block.closeness[l], columns_.code[at], columns_.critic[at]);
        }
    }

    const Critics& critics_;
    const Targets& targets_;
    const Closeness& how_;
    const Heard& heard_;
    Columns columns_;
};

}  // namespace

void hear_lists(const Critics& critics, const Targets& targets, const Closeness& closeness,
                const Heard& heard, int threads, InterruptCheck& pause) {
    const Listener listener(critics, targets, closeness, heard);
    const std::int64_t count = targets.rows.count;
    std::vector<Room> rooms(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for((count + kTargets - 1) / kTargets, threads, [&](std::int64_t block, int worker) {
        const std::int64_t end = std::min((block + 1) * kTargets, count);
        std::int64_t work = 0;
        for (std::int64_t t = block * kTargets; t < end; ++t)
            work += listener.hear(t, rooms[static_cast<std::size_t>(worker)]);
        if (worker == 0) pause.after(work);
    });
}

void similarities_to(const Critics& critics, const Rated& target, const Closeness& closeness, int kind,
                     std::int32_t* overlap, double* out) {
    std::vector<double> own(static_cast<std::size_t>(critics.items));
    std::vector<std::uint8_t> rated(own.size());
    for (std::int64_t e = target.first[0]; e < target.first[1]; ++e) {
        own[static_cast<std::size_t>(target.item[e])] = code_of(target, e);
        rated[static_cast<std::size_t>(target.item[e])] = 1;
    }
    const Rated& rows = critics.rows;
    const Own mine(target, 0);
    for (std::int64_t from = 0; from < rows.count; from += kCritics) {
        const std::int64_t some = std::min<std::int64_t>(kCritics, rows.count - from);
        Block block;
        for (std::int64_t l = 0; l < some; ++l) {
            Common common;
            for (std::int64_t e = rows.first[from + l]; e < rows.first[from + l + 1]; ++e)
                if (rated[static_cast<std::size_t>(rows.item[e])])
                    common.add(own[static_cast<std::size_t>(rows.item[e])], code_of(rows, e));
            block.put(static_cast<int>(l), common);
            overlap[from + l] = static_cast<std::int32_t>(common.sum[0]);
            if (kind == kStandard)
                out[from + l] = standard_closeness(common, mine, critics.mean[from + l],
                                                   critics.inverse[from + l], closeness);
        }
        if (kind == kStandard) continue;
        block.measure(closeness, kind, rows.whole != nullptr);
        for (std::int64_t l = 0; l < some; ++l) out[from + l] = block.closeness[l];
    }
}

}  // namespace assay
