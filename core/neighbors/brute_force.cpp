// Neighbours and distances by measuring every pair.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "neighbors/neighbors.hpp"

namespace assay {

namespace {

constexpr std::int64_t kQueries = 16;  // that share a stretch of rows while it is near
constexpr std::int64_t kStretch = 256;
constexpr double kNone = std::numeric_limits<double>::infinity();

// The k least (distance, row) seen so far, rows coming in ascending order.
class Least {
  public:
    void begin(std::int64_t k) { k_ = static_cast<std::size_t>(k), limit_ = kNone, kept_.clear(); }
    void add(double distance, std::int32_t row) {
        if (kept_.size() >= k_ && !(distance < limit_)) return;  // a later row loses against equals
        kept_.emplace_back(distance, row);
        if (kept_.size() >= 2 * k_ + 64) shrink();
    }
    void write(bool root, std::int32_t* rows, double* distances) {
        std::sort(kept_.begin(), kept_.end());
        for (std::size_t i = 0; i < k_; ++i) {
            const bool there = i < kept_.size();
            rows[i] = there ? kept_[i].second : -1;
            distances[i] = !there ? kNone : root ? std::sqrt(kept_[i].first) : kept_[i].first;
        }
    }

  private:
    void shrink() {
        const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
        std::nth_element(kept_.begin(), last, kept_.end());
        limit_ = last->first;
        kept_.resize(k_);
    }
    std::size_t k_ = 0;
    double limit_ = kNone;
    std::vector<std::pair<double, std::int32_t>> kept_;
};

struct Room {
    std::vector<double> queries, distances;
    std::vector<Least> least;
};

}  // namespace

void nearest_directly(Metric metric, std::int64_t numeric, const RowMatrix& rows, const RowMatrix& queries,
                      const NeighborFilter& among, int threads, InterruptCheck& pause, const Lists& out) {
    const Measure measure(metric, numeric, rows);
    const std::int64_t blocks = (queries.count + kQueries - 1) / kQueries;
    std::vector<Room> rooms(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for(blocks, threads, [&](std::int64_t block, int worker) {
        Room& room = rooms[static_cast<std::size_t>(worker)];
        room.queries.resize(static_cast<std::size_t>(rows.width));
        room.distances.resize(kStretch);
        room.least.resize(kQueries);
        const std::int64_t first = block * kQueries, end = std::min(first + kQueries, queries.count);
        for (auto& least : room.least) least.begin(out.k);
        for (std::int64_t start = 0; start < rows.count; start += kStretch) {
            const std::int64_t some = std::min(kStretch, rows.count - start);
            for (std::int64_t i = first; i < end; ++i) {
                measure(as_doubles(queries, i, room.queries.data()), nullptr, start, some,
                        room.distances.data());
                const std::int64_t own = among.itself ? among.itself[i] : -1;
                Least& least = room.least[static_cast<std::size_t>(i - first)];
                for (std::int64_t r = 0; r < some; ++r)
                    if (start + r != own && among.allows(among.group_of(start + r), i))
                        least.add(room.distances[static_cast<std::size_t>(r)],
                                  static_cast<std::int32_t>(start + r));
            }
        }
        for (std::int64_t i = first; i < end; ++i)
            room.least[static_cast<std::size_t>(i - first)].write(
                metric == Metric::squares && !out.squared, out.rows + i * out.k, out.distances + i * out.k);
        if (worker == 0) pause.after((end - first) * rows.count * rows.width);
    });
}

void all_distances(Metric metric, std::int64_t numeric, const RowMatrix& rows, const RowMatrix& queries,
                   int threads, double* out) {
    const Measure measure(metric, numeric, rows);
    const std::int64_t blocks = (queries.count + kQueries - 1) / kQueries;
    parallel_for(blocks, threads, [&](std::int64_t block, int) {
        std::vector<double> buffer(static_cast<std::size_t>(rows.width));
        const std::int64_t first = block * kQueries, end = std::min(first + kQueries, queries.count);
        for (std::int64_t start = 0; start < rows.count; start += kStretch) {
            const std::int64_t some = std::min(kStretch, rows.count - start);
            for (std::int64_t i = first; i < end; ++i) {
                double* at = out + i * rows.count + start;
                measure(as_doubles(queries, i, buffer.data()), nullptr, start, some, at);
                if (metric == Metric::squares)
                    for (std::int64_t r = 0; r < some; ++r) at[r] = std::sqrt(at[r]);
            }
        }
    });
}

void candidate_distances(const RowMatrix& rows, const RowMatrix& queries, const std::int32_t* candidates,
                         std::int64_t each, int threads, double* out) {
    const Measure measure(Metric::squares, 0, rows);
    parallel_for((queries.count + kStretch - 1) / kStretch, threads, [&](std::int64_t block, int) {
        std::vector<double> buffer(static_cast<std::size_t>(rows.width));
        const std::int64_t end = std::min((block + 1) * kStretch, queries.count);
        for (std::int64_t i = block * kStretch; i < end; ++i) {
            double* at = out + i * each;
            measure(as_doubles(queries, i, buffer.data()), candidates + i * each, 0, each, at);
            for (std::int64_t r = 0; r < each; ++r) at[r] = std::sqrt(at[r]);
        }
    });
}

void merge_near(const Nearby& one, const Nearby& two, std::int64_t count, const Lists& out) {
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t a = i * one.length, b = i * two.length;
        const std::int64_t last_a = a + one.length, last_b = b + two.length;
        for (std::int64_t at = i * out.k; at < (i + 1) * out.k; ++at) {
            const bool first =
                b == last_b || (a < last_a && std::make_pair(one.distances[a], one.rows[a]) <
                                                  std::make_pair(two.distances[b], two.rows[b]));
            out.rows[at] = first ? one.rows[a] : two.rows[b];
            out.distances[at] = first ? one.distances[a++] : two.distances[b++];
        }
    }
}

}  // namespace assay
