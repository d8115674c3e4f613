// Predictions for tables of ratings that are mostly full: sixteen critics side by side, item by item.
#include <algorithm>
#include <vector>

#include "base/threads.hpp"
#include "ratings/nearest_raters.hpp"
#include "ratings/ratings.hpp"
#include "ratings/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kTargets = 16, kTargetsOneOut = 4;  // that share a panel while it is near
constexpr std::int64_t kSums = 6 * kCritics, kRow = 2 * kCritics;
constexpr std::size_t kAhead = 4;       // critics whose rows are asked for in time
constexpr std::int64_t kSample = 1024;  // similarities that tell where the nearest critics begin

constexpr std::int16_t kUnrated = -32768;

// For every sixteen critics and every item sixteen codes and sixteen masks; the last item is nobody's. And
// the codes by critic, for when few of them are asked.
struct Panels {
    std::int64_t critics, items, count;
    std::vector<std::int16_t> cells, rows;

    explicit Panels(const Critics& from)
        : critics(from.rows.count),
          items(from.items + 1),
          count((critics + kCritics - 1) / kCritics),
          cells(static_cast<std::size_t>(count * items * kRow)),
          rows(static_cast<std::size_t>(critics * items), kUnrated) {
        for (std::int64_t v = 0; v < critics; ++v)
            for (std::int64_t e = from.rows.first[v]; e < from.rows.first[v + 1]; ++e) {
                std::int16_t* at = cell(v, from.rows.item[e]);
                at[0] = static_cast<std::int16_t>(from.rows.whole[e]);
                at[kCritics] = -1;
                rows[static_cast<std::size_t>(v * items + from.rows.item[e])] = at[0];
            }
    }
    std::int16_t* cell(std::int64_t critic, std::int64_t item) {
        return cells.data() + (critic / kCritics * items + item) * kRow + critic % kCritics;
    }
    const std::int16_t* cell(std::int64_t critic, std::int64_t item) const {
        return const_cast<Panels*>(this)->cell(critic, item);
    }
};

// A block of targets: their rows, what they have in common with every critic, how close they are.
struct Room {
    std::vector<std::int32_t> item, sums, places;
    std::vector<std::int16_t> code;
    std::vector<std::int64_t> first;
    std::vector<double> closeness, sample;
    std::vector<Critic> candidates;
    std::vector<Voices> voices;
};

class Listener {
  public:
    Listener(const Critics& critics, const Targets& targets, const Closeness& closeness, const Heard& heard)
        : critics_(critics), targets_(targets), how_(closeness), heard_(heard), panels_(critics) {}

    std::int64_t block_size() const { return targets_.one_out ? kTargetsOneOut : kTargets; }

    // Multiplications done.
    std::int64_t hear(std::int64_t begin, std::int64_t end, Room& room) const {
        take_rows(begin, end, room);
        targets_.one_out ? keep_sums(end - begin, room) : measure(begin, end, room);
        std::int64_t work = static_cast<std::int64_t>(room.item.size()) * panels_.critics * 5;
        for (std::int64_t t = begin; t < end; ++t) {
            const std::int64_t queries = targets_.query_first[t + 1] - targets_.query_first[t];
            if (targets_.one_out) work += queries * panels_.critics * 20;
            for (int which = 0; which < heard_.similarities; ++which)
                if (targets_.one_out)
                    answer_one_out(t, t - begin, which, room);
                else if (heard_.neighbors > 0 && heard_.neighbors < panels_.critics)
                    answer_nearest(t, closeness_of(t - begin, which, room), which, room);
                else
                    answer_all(t, closeness_of(t - begin, which, room), which);
        }
        return work;
    }

  private:
    std::int64_t padded() const { return panels_.count * kCritics; }
    double* closeness_of(std::int64_t target, int which, Room& room) const {
        return room.closeness.data() + (target * heard_.similarities + which) * padded();
    }

    // Items and codes of the targets' rows; rows of odd length end with the item that nobody rated.
    void take_rows(std::int64_t begin, std::int64_t end, Room& room) const {
        room.item.clear(), room.code.clear(), room.first.assign(1, 0);
        for (std::int64_t t = begin; t < end; ++t) {
            for (std::int64_t e = targets_.rows.first[t]; e < targets_.rows.first[t + 1]; ++e) {
                room.item.push_back(targets_.rows.item[e]);
                room.code.push_back(static_cast<std::int16_t>(targets_.rows.whole[e]));
            }
            if (room.item.size() % 2) {
                room.item.push_back(static_cast<std::int32_t>(panels_.items - 1));
                room.code.push_back(0);
            }
            room.first.push_back(static_cast<std::int64_t>(room.item.size()));
        }
    }

    void add_up(std::int64_t panel, std::int64_t target, const Room& room, std::int32_t* sums) const {
        const std::int64_t from = room.first[static_cast<std::size_t>(target)];
        ratings_simd().co_rated(panels_.cells.data() + panel * panels_.items * kRow, room.item.data() + from,
                                room.code.data() + from,
                                room.first[static_cast<std::size_t>(target) + 1] - from, sums);
    }

    void close(int which, const std::int32_t* sums, double* out) const {
        ratings_simd().whole[heard_.kind[which]](sums, static_cast<double>(how_.overlap), how_.shrinkage,
                                                 how_.unit, 0.0, out);
    }

    // How close every critic is to every target of the block; nobody is close to themselves.
    void measure(std::int64_t begin, std::int64_t end, Room& room) const {
        const std::int64_t count = end - begin;
        room.closeness.resize(static_cast<std::size_t>(count * heard_.similarities * padded()));
        std::int32_t sums[kSums];
        for (std::int64_t p = 0; p < panels_.count; ++p)
            for (std::int64_t t = 0; t < count; ++t) {
                add_up(p, t, room, sums);
                for (int which = 0; which < heard_.similarities; ++which)
                    close(which, sums, closeness_of(t, which, room) + p * kCritics);
            }
        for (std::int64_t t = begin; t < end; ++t)
            for (int which = 0; which < heard_.similarities && targets_.itself[t] >= 0; ++which)
                closeness_of(t - begin, which, room)[targets_.itself[t]] = 0.0;
    }

    void keep_sums(std::int64_t count, Room& room) const {
        room.sums.resize(static_cast<std::size_t>(count * panels_.count * kSums));
        for (std::int64_t p = 0; p < panels_.count; ++p)
            for (std::int64_t t = 0; t < count; ++t)
                add_up(p, t, room, room.sums.data() + (t * panels_.count + p) * kSums);
    }

    void write(const Voices& voices, int which, std::int64_t query) const {
        voices.write(heard_, which, targets_.queries(), query);
    }

    void answer_all(std::int64_t t, const double* closeness, int which) const {
        for (std::int64_t q = targets_.query_first[t]; q < targets_.query_first[t + 1]; ++q) {
            Voices voices;
            for (std::int64_t p = 0; p < panels_.count; ++p) {
                const std::int16_t* row = panels_.cell(p * kCritics, targets_.query_item[q]);
                for (int l = 0; l < kCritics; ++l) {
                    const std::int64_t v = p * kCritics + l;
                    if (row[kCritics + l] && closeness[v] > 0.0)
                        voices.add(closeness[v], row[l], critics_.mean[v], critics_.inverse[v]);
                }
            }
            write(voices, which, q);
        }
    }

    // Critics nearest first, until enough of them have rated every item that is asked for.
    void answer_nearest(std::int64_t t, const double* closeness, int which, Room& room) const {
        const std::int64_t first = targets_.query_first[t], count = targets_.query_first[t + 1] - first;
        room.voices.assign(static_cast<std::size_t>(count), Voices());
        room.places.resize(static_cast<std::size_t>(padded()) + 1);
        constexpr double kEnd = 1e300;
        double end = kEnd;
        std::int64_t open = count;
        for (std::int64_t wanted = 3 * heard_.neighbors + 32; open > 0 && end > 0.0; wanted *= 4) {
            const double least = std::min(threshold(closeness, wanted, room), end);
            find(closeness, least, end, room);
            for (std::size_t c = 0; c < room.candidates.size() && open > 0; ++c) {
                ask_ahead(room.candidates, c + kAhead);
                open -= listen(room.candidates[c], t, room);
            }
            end = least > 0.0 ? least : 0.0;
        }
        for (std::int64_t q = 0; q < count; ++q)
            write(room.voices[static_cast<std::size_t>(q)], which, first + q);
    }

    // About so many critics are at least this close; 0 if there are not many more.
    double threshold(const double* closeness, std::int64_t wanted, Room& room) const {
        if (wanted * 2 >= panels_.critics) return 0.0;
        const std::int64_t size = std::min(kSample, panels_.critics);
        room.sample.resize(static_cast<std::size_t>(size));
        for (std::int64_t s = 0; s < size; ++s)
            room.sample[static_cast<std::size_t>(s)] = closeness[s * panels_.critics / size];
        const auto rank = static_cast<std::ptrdiff_t>(wanted * size / panels_.critics);
        std::nth_element(room.sample.begin(), room.sample.begin() + rank, room.sample.end(),
                         [](double a, double b) { return a > b; });
        return room.sample[static_cast<std::size_t>(rank)];
    }

    // Critics with a similarity in [least, end) above 0, nearest first.
    void find(const double* closeness, double least, double end, Room& room) const {
        constexpr double kLeast = 1e-300;
        const std::int64_t found =
            ratings_simd().between(closeness, padded(), std::max(least, kLeast), end, room.places.data());
        room.candidates.clear();
        for (std::int64_t i = 0; i < found; ++i) {
            const std::int32_t v = room.places[static_cast<std::size_t>(i)];
            room.candidates.push_back({closeness[v], 0.0, v});
        }
        std::sort(room.candidates.begin(), room.candidates.end());
    }

    void ask_ahead(const std::vector<Critic>& candidates, std::size_t at) const {
        if (at >= candidates.size()) return;
        const std::int16_t* row = panels_.rows.data() + candidates[at].number * panels_.items;
        const std::int64_t most = std::min<std::int64_t>(panels_.items, 512);
        for (std::int64_t i = 0; i < most; i += 32) __builtin_prefetch(row + i);
    }

    // One critic is heard on every item that still asks; returns how many ask no more.
    std::int64_t listen(const Critic& one, std::int64_t t, Room& room) const {
        const std::int64_t first = targets_.query_first[t];
        const std::int16_t* row = panels_.rows.data() + one.number * panels_.items;
        const double mean = critics_.mean[one.number], inverse = critics_.inverse[one.number];
        std::int64_t closed = 0;
        for (std::size_t q = 0; q < room.voices.size(); ++q) {
            const std::int16_t code = row[targets_.query_item[first + static_cast<std::int64_t>(q)]];
            Voices& voices = room.voices[q];
            if (code == kUnrated || voices.used >= heard_.neighbors) continue;
            voices.add(one.similarity, code, mean, inverse);
            closed += voices.used == heard_.neighbors;
        }
        return closed;
    }

    void answer_one_out(std::int64_t t, std::int64_t place, int which, const Room& room) const {
        const bool all = heard_.neighbors <= 0 || heard_.neighbors >= panels_.critics;
        Nearest nearest(all ? 0 : heard_.neighbors);
        std::int32_t sums[kSums];
        double closeness[kCritics];
        const std::int64_t first = targets_.rows.first[t];
        for (std::int64_t q = targets_.query_first[t]; q < targets_.query_first[t + 1]; ++q) {
            const std::int64_t e = first + q - targets_.query_first[t];
            nearest.begin();
            for (std::int64_t p = 0; p < panels_.count; ++p) {
                const std::int16_t* row = panels_.cell(p * kCritics, targets_.rows.item[e]);
                ratings_simd().without_item(room.sums.data() + (place * panels_.count + p) * kSums, row,
                                            targets_.rows.whole[e], sums);
                close(which, sums, closeness);
                for (int l = 0; l < kCritics; ++l)
                    if (row[kCritics + l] && p * kCritics + l != targets_.itself[t])
                        nearest.add(closeness[l], row[l], static_cast<std::int32_t>(p * kCritics + l));
            }
            write(nearest.voices(critics_), which, q);
        }
    }

    const Critics& critics_;
    const Targets& targets_;
    const Closeness& how_;
    const Heard& heard_;
    Panels panels_;
};

}  // namespace

void hear_panels(const Critics& critics, const Targets& targets, const Closeness& closeness,
                 const Heard& heard, int threads, InterruptCheck& pause) {
    const Listener listener(critics, targets, closeness, heard);
    const std::int64_t size = listener.block_size(), count = targets.rows.count;
    std::vector<Room> rooms(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for((count + size - 1) / size, threads, [&](std::int64_t block, int worker) {
        const std::int64_t begin = block * size, end = std::min(begin + size, count);
        const std::int64_t work = listener.hear(begin, end, rooms[static_cast<std::size_t>(worker)]);
        if (worker == 0) pause.after(work);
    });
}

}  // namespace assay
