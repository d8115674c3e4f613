#include "cluster/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/threads.hpp"
#include "cluster/assignment.hpp"
#include "cluster/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kSpan = 512;  // rows that are compared with several centres while they are at hand
constexpr std::int64_t kFewer = 64;  // groups for so many rows each: then distances between centres are cheap

// The centres from step to step.
class Steps {
  public:
    Steps(const Grouping& grouping, int threads, InterruptCheck& pause, double* centers, std::int32_t* labels)
        : groups_(grouping.groups),
          width_(grouping.rows.width),
          threads_(threads),
          separated_(groups_ <= std::max<std::int64_t>(2, grouping.rows.count / kFewer)),
          labels_(labels),
          at_(centers),
          old_(centers, centers + groups_ * width_),
          rows_(grouping, threads, pause, labels) {
        centers_.at = centers;
        centers_.drift.assign(static_cast<std::size_t>(groups_), 0.0f);
        centers_.others = centers_.half = centers_.drift;
    }

    Settled run(const Stop& stop) {
        Settled found;
        std::vector<double> gains;
        double error = -rows_.assign(centers_).gained;
        for (std::int64_t step = 0; step < stop.most_steps && !found.converged; ++step) {
            double gain = move(found);
            const auto passed = rows_.assign(centers_);
            gain += passed.gained;
            error -= gain;
            gains.push_back(std::max(0.0, gain));
            found.converged = passed.changed == 0 || (stop.tolerance > 0.0 && gain <= stop.tolerance * error);
        }
        for (std::int64_t k = 0; k < groups_; ++k) found.empty += rows_.weight_of(k) <= 0.0;
        look_back(gains, found);
        return found;
    }

  private:
    // Errors from the last one, which is measured, back to the first: gains are added, and nothing cancels.
    void look_back(const std::vector<double>& gains, Settled& found) {
        double sum = rows_.measure(at_).sum;
        for (std::size_t step = gains.size() + 1; step-- > 0;) {
            found.errors.push_back(sum / rows_.total_weight());
            if (step > 0) sum += gains[step - 1];
        }
        std::reverse(found.errors.begin(), found.errors.end());
    }

    // Centres to the means of their groups; returns by how much the sum of squares falls.
    double move(Settled& found) {
        std::copy(at_, at_ + groups_ * width_, old_.begin());
        double gain = 0.0;
        std::vector<std::int32_t> empty;
        for (std::int64_t k = 0; k < groups_; ++k) {
            const double weight = rows_.weight_of(k);
            if (weight > 0.0) {
                rows_.mean_of(k, at_ + k * width_);
                gain += weight * squared(at_ + k * width_, old_.data() + k * width_);
            } else {
                empty.push_back(static_cast<std::int32_t>(k));
            }
        }
        for (const std::int32_t k : empty) gain += fill(k, found);
        measure_drifts();
        measure_separation();
        return gain;
    }

    // An empty group takes the farthest row of all, and the group which that leaves its new mean.
    double fill(std::int32_t group, Settled& found) {
        const auto farthest = rows_.measure(at_);
        if (farthest.farthest < 0) return 0.0;
        const std::int32_t from = labels_[farthest.farthest];
        const double before = rows_.weight_of(from);
        rows_.give(farthest.farthest, group);
        const double after = rows_.weight_of(from);
        rows_.mean_of(group, at_ + group * width_);
        if (after > 0.0) rows_.mean_of(from, at_ + from * width_);
        ++found.moved;
        return rows_.weight(farthest.farthest) * farthest.most * (after > 0.0 ? before / after : 1.0);
    }

    double squared(const double* one, const double* two) const {
        double sum = 0.0;
        for (std::int64_t j = 0; j < width_; ++j) sum += (one[j] - two[j]) * (one[j] - two[j]);
        return sum;
    }

    void measure_drifts() {
        std::size_t farthest = 0;
        float next = 0.0f;
        for (std::size_t k = 0; k < static_cast<std::size_t>(groups_); ++k) {
            const auto at = static_cast<std::int64_t>(k) * width_;
            const double drift = std::sqrt(squared(at_ + at, old_.data() + at)) * rows_.frame().unit();
            centers_.drift[k] = drift > 0.0 ? round_up_to_float(drift * (1.0 + 1e-6)) + kFloatLeast : 0.0f;
            if (k == 0) continue;
            if (centers_.drift[k] > centers_.drift[farthest]) {
                next = centers_.drift[farthest];
                farthest = k;
            } else {
                next = std::max(next, centers_.drift[k]);
            }
        }
        std::fill(centers_.others.begin(), centers_.others.end(), centers_.drift[farthest]);
        centers_.others[farthest] = next;
    }

    void measure_separation() {
        if (!separated_) return;
        const RowMatrix all{at_, nullptr, groups_, width_};
        const Measure measure(Metric::squares, 0, all);
        parallel_for(
            groups_, groups_ * groups_ * width_ > (1 << 20) ? threads_ : 1, [&](std::int64_t k, int) {
                std::vector<double> out(static_cast<std::size_t>(groups_));
                measure(at_ + k * width_, nullptr, 0, groups_, out.data());
                out[static_cast<std::size_t>(k)] = std::numeric_limits<double>::infinity();
                const double nearest = *std::min_element(out.begin(), out.end());
                const double half = 0.5 * std::sqrt(nearest) * rows_.frame().unit() * (1.0 - 1e-6);
                centers_.half[static_cast<std::size_t>(k)] = round_down_to_float(std::min(half, 1e15));
            });
    }

    const std::int64_t groups_, width_;
    const int threads_;
    const bool separated_;
    std::int32_t* labels_;
    double* at_;
    std::vector<double> old_;
    Assignment rows_;
    Centers centers_;
};

}  // namespace

Settled lloyd(const Grouping& grouping, const Stop& stop, int threads, InterruptCheck& pause, double* centers,
              std::int32_t* labels) {
    return Steps(grouping, threads, pause, centers, labels).run(stop);
}

void closer(const Grouping& grouping, const std::int32_t* drawn, std::int64_t count, const double* closest,
            int threads, double* left, double* sums) {
    const RowMatrix& rows = grouping.rows;
    const std::int64_t spans = (rows.count + kSpan - 1) / kSpan;
    std::vector<double> at(static_cast<std::size_t>(count * rows.width)),
        parts(static_cast<std::size_t>(count * spans), 0.0);
    for (std::int64_t c = 0; c < count; ++c) {
        double* own = at.data() + c * rows.width;
        const double* x = as_doubles(rows, drawn[c], own);
        if (x != own) std::copy(x, x + rows.width, own);
    }
    const Measure measure(Metric::squares, 0, rows);
    parallel_for(spans, threads, [&](std::int64_t span, int) {
        const std::int64_t first = span * kSpan, some = std::min(kSpan, rows.count - first);
        for (std::int64_t c = 0; c < count; ++c) {
            double* out = left + c * rows.count + first;
            measure(at.data() + c * rows.width, nullptr, first, some, out);
            double sum = 0.0;
            for (std::int64_t i = 0; i < some; ++i) {
                out[i] = std::min(out[i], closest[first + i]);
                sum += out[i] * (grouping.weight ? grouping.weight[first + i] : 1.0);
            }
            parts[static_cast<std::size_t>(c * spans + span)] = sum;
        }
    });
    for (std::int64_t c = 0; c < count; ++c) {
        sums[c] = 0.0;
        for (std::int64_t s = 0; s < spans; ++s) sums[c] += parts[static_cast<std::size_t>(c * spans + s)];
    }
}

}  // namespace assay
