// Of every row two bounds are kept: its distance to its own centre is at most `upper`, to any other at least
// `lower`. When centres move, upper grows by the drift of the own one, lower shrinks by the largest of the
// others. A row stays where it is if upper < lower, or upper < half the distance of its centre to the nearest
// other one; if not, upper is measured, and if that is not enough, products with all centres are taken
// (cluster/distance_bounds.hpp). Where these are too near to tell which is the least, all distances are
// measured.
#include "cluster/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/threads.hpp"
#include "cluster/simd.hpp"
#include "simd/vector_ops.hpp"

namespace assay {

namespace {

constexpr std::int64_t kBlock = 2048;  // rows that one thread takes at a time
constexpr std::int64_t kFewer = 192;   // the same where nothing is kept of them
constexpr double kFarthest = 1e15;     // bounds stay finite

struct Nearest {
    std::int32_t center;
    double squared, next;  // distances to it and to the next
};

// The first of the nearest centres, measured.
Nearest measure_all(const RowMatrix& centers, const double* x, double* out) {
    Measure(Metric::squares, 0, centers)(x, nullptr, 0, centers.count, out);
    Nearest found{0, out[0], std::numeric_limits<double>::infinity()};
    for (std::int64_t k = 1; k < centers.count; ++k)
        if (out[k] < found.squared)
            found = {static_cast<std::int32_t>(k), out[k], found.squared};
        else
            found.next = std::min(found.next, out[k]);
    return found;
}

}  // namespace

Assignment::Room::Room(std::int64_t depth, std::int64_t groups)
    : listed(kBlock),
      own(kBlock),
      where(kBlock),
      squares(kBlock),
      buffer(static_cast<std::size_t>(depth)),
      to_centers(static_cast<std::size_t>(groups)),
      cut(static_cast<std::size_t>(2 * depth)),
      columns(static_cast<std::size_t>(depth * cluster_simd().tile_columns)),
      norm(kBlock),
      best(kBlock),
      second(kBlock),
      sums(groups, depth) {}

Assignment::Assignment(const Grouping& grouping, int threads, InterruptCheck& pause, std::int32_t* labels)
    : rows_(grouping.rows),
      weight_(grouping.weight),
      groups_(grouping.groups),
      width_(rows_.width),
      blocks_((rows_.count + kBlock - 1) / kBlock),
      threads_(std::max(1, threads)),
      pause_(pause),
      labels_(labels),
      frame_(rows_, threads_),
      panels_(frame_, groups_),
      cuts_(largest(), rows_.count),
      total_(groups_, width_ + 1),
      x_(static_cast<std::size_t>(rows_.count * frame_.depth())),
      upper_(static_cast<std::size_t>(rows_.count)),
      lower_(upper_) {
    for (int worker = 0; worker < threads_; ++worker) rooms_.emplace_back(frame_.depth(), groups_);
    std::fill(labels_, labels_ + rows_.count, -1);
    each_block(width_, [&](std::int64_t, std::int64_t first, std::int64_t count, Room& room) {
        for (std::int64_t i = first; i < first + count; ++i)
            frame_.write(as_doubles(rows_, i, room.buffer.data()), x_.data() + i * frame_.depth());
    });
}

// The largest numbers that a row may add to the sums of a group; the last is its weight.
std::vector<double> Assignment::largest() {
    double heaviest = 0.0;
    for (std::int64_t i = 0; i < rows_.count; ++i) {
        heaviest = std::max(heaviest, weight(i));
        total_weight_ += weight(i);
    }
    auto most = frame_.largest();
    for (std::size_t j = 0; j < most.size(); ++j) {
        const double off = 0x1p-49 * (std::fabs(frame_.center()[j]) + most[j]);
        negligible_ += off * off;
        most[j] *= heaviest;
    }
    most.push_back(heaviest);
    return most;
}

template <class Work>
void Assignment::each_block(std::int64_t cost, Work work) {
    parallel_for(blocks_, threads_, [&](std::int64_t block, int worker) {
        const std::int64_t first = block * kBlock, count = std::min(kBlock, rows_.count - first);
        work(block, first, count, rooms_[static_cast<std::size_t>(worker)]);
        if (worker == 0) pause_.after(cost * count);
    });
}

void Assignment::squares_to_own(const std::int32_t* source, const std::int32_t* labels, std::int64_t count,
                                const double* centers, double* out) const {
    if (rows_.f64)
        cluster_simd().groups64.squares_to_own(rows_.f64, width_, source, labels, count, centers, out);
    else
        cluster_simd().groups32.squares_to_own(rows_.f32, width_, source, labels, count, centers, out);
}

Assignment::Passed Assignment::assign(const Centers& centers) {
    panels_.set(centers.at);
    std::vector<Passed> passed(static_cast<std::size_t>(blocks_));
    each_block(groups_ * width_ / 4,
               [&](std::int64_t block, std::int64_t first, std::int64_t count, Room& room) {
                   decide(centers, list_open(centers, first, count, room), room,
                          passed[static_cast<std::size_t>(block)]);
               });
    begun_ = true;
    Passed whole;
    for (auto& room : rooms_) total_.take(room.sums);
    for (const auto& part : passed) {
        whole.changed += part.changed;
        whole.gained += part.gained;
    }
    return whole;
}

// Rows whose bounds leave open which centre is the nearest, with their squared distances.
std::int64_t Assignment::list_open(const Centers& centers, std::int64_t first, std::int64_t count,
                                   Room& room) {
    if (!begun_) {
        for (std::int64_t i = 0; i < count; ++i)
            room.listed[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(first + i);
        return count;
    }
    const std::int64_t some =
        cluster_simd().list_doubtful(first, count, labels_, centers.drift.data(), centers.others.data(),
                                     centers.half.data(), upper_.data(), lower_.data(), room.listed.data());
    for (std::int64_t at = 0; at < some; ++at)
        room.own[static_cast<std::size_t>(at)] = labels_[room.listed[static_cast<std::size_t>(at)]];
    squares_to_own(room.listed.data(), room.own.data(), some, centers.at, room.squares.data());
    std::size_t open = 0;
    for (std::size_t at = 0; at < static_cast<std::size_t>(some); ++at) {
        const std::int32_t i = room.listed[at];
        const auto row = static_cast<std::size_t>(i);
        upper_[row] = round_up_to_float(std::sqrt(room.squares[at]) * frame_.unit());
        const float limit = std::max(lower_[row], centers.half[static_cast<std::size_t>(room.own[at])]);
        if (upper_[row] * kFloatMargin + kFloatLeast < limit) continue;
        room.listed[open] = i;
        room.squares[open++] = room.squares[at];
    }
    return static_cast<std::int64_t>(open);
}

void Assignment::decide(const Centers& centers, std::int64_t open, Room& room, Passed& passed) {
    cluster_simd().nearest_two(x_.data(), frame_.depth(), room.listed.data(), open, panels_.panels(),
                               panels_.bias(), panels_.count(), room.columns.data(), room.norm.data(),
                               room.best.data(), room.second.data(), room.where.data());
    for (std::size_t at = 0; at < static_cast<std::size_t>(open); ++at) {
        const std::int32_t i = room.listed[at], old = labels_[i];
        const auto row = static_cast<std::size_t>(i);
        Nearest found{room.where[at], -1.0, 0.0};
        if (panels_.certain(found.center, room.norm[at], room.best[at], room.second[at])) {
            lower_[row] = panels_.distance_below(room.norm[at], room.second[at]);
        } else {
            const RowMatrix all{centers.at, nullptr, groups_, width_};
            found = measure_all(all, as_doubles(rows_, i, room.buffer.data()), room.to_centers.data());
            lower_[row] = round_down_to_float(std::min(kFarthest, std::sqrt(found.next) * frame_.unit()));
        }
        if (found.center == old) continue;
        if (found.squared < 0.0) squares_to_own(&i, &found.center, 1, centers.at, &found.squared);
        upper_[row] = round_up_to_float(std::sqrt(found.squared) * frame_.unit());
        passed.gained += weight(i) * ((old < 0 ? 0.0 : room.squares[at]) - found.squared);
        ++passed.changed;
        move(i, found.center, room.sums, room);
    }
}

void Assignment::move(std::int64_t i, std::int32_t group, GroupSums& sums, Room& room) {
    const std::int32_t old = labels_[i];
    labels_[i] = group;
    const double w = weight(i), none = 0.0;
    if (w == 0.0) return;
    double* high = room.cut.data();
    double* low = high + width_ + 1;
    if (rows_.f64)
        cluster_simd().groups64.cut_row(rows_.f64 + i * width_, frame_.center(), w, width_, cuts_.high(),
                                        cuts_.low(), high, low);
    else
        cluster_simd().groups32.cut_row(rows_.f32 + i * width_, frame_.center(), w, width_, cuts_.high(),
                                        cuts_.low(), high, low);
    cluster_simd().groups64.cut_row(&w, &none, 1.0, 1, cuts_.high() + width_, cuts_.low() + width_,
                                    high + width_, low + width_);
    vector_ops().add_multiple(1.0, high, 2 * (width_ + 1), sums.of(group));
    if (old >= 0) vector_ops().add_multiple(-1.0, high, 2 * (width_ + 1), sums.of(old));
}

void Assignment::give(std::int64_t i, std::int32_t group) {
    move(i, group, total_, rooms_[0]);
    upper_[static_cast<std::size_t>(i)] = std::numeric_limits<float>::infinity();
    lower_[static_cast<std::size_t>(i)] = 0.0f;
}

void Assignment::mean_of(std::int64_t group, double* out) const {
    const auto w = static_cast<long double>(weight_of(group));
    for (std::int64_t j = 0; j < width_; ++j)
        out[j] = static_cast<double>(
            (static_cast<long double>(frame_.center()[j]) * w + total_.exactly(group, j)) / w);
}

Assignment::Measured Assignment::measure(const double* centers) {
    std::vector<Measured> parts(static_cast<std::size_t>(blocks_));
    each_block(width_, [&](std::int64_t block, std::int64_t first, std::int64_t count, Room& room) {
        for (std::int64_t i = 0; i < count; ++i)
            room.listed[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(first + i);
        squares_to_own(room.listed.data(), labels_ + first, count, centers, room.squares.data());
        Measured& own = parts[static_cast<std::size_t>(block)];
        for (std::int64_t i = 0; i < count; ++i) {
            const double squared = room.squares[static_cast<std::size_t>(i)], w = weight(first + i);
            own.sum += w * squared;
            if (w > 0.0 && squared > std::max(own.most, negligible_))
                own.most = squared, own.farthest = first + i;
        }
    });
    Measured whole;
    for (const auto& part : parts) {
        whole.sum += part.sum;
        if (part.most > whole.most) whole.most = part.most, whole.farthest = part.farthest;
    }
    return whole;
}

void nearest_centers(const RowMatrix& rows, const double* centers, std::int64_t groups, int threads,
                     InterruptCheck& pause, std::int32_t* labels) {
    const RowMatrix all{centers, nullptr, groups, rows.width};
    const Frame frame(all, 1);
    CenterPanels panels(frame, groups);
    panels.set(centers);
    const std::int64_t depth = frame.depth(), wide = cluster_simd().tile_columns;
    parallel_for((rows.count + kFewer - 1) / kFewer, threads, [&](std::int64_t block, int worker) {
        const std::int64_t first = block * kFewer, count = std::min(kFewer, rows.count - first);
        std::vector<double> x(static_cast<std::size_t>(rows.width)), out(static_cast<std::size_t>(groups));
        std::vector<float> framed(static_cast<std::size_t>(count * depth)),
            columns(static_cast<std::size_t>(depth * wide));
        std::int32_t order[kFewer];
        float norm[kFewer], best[kFewer], second[kFewer];
        for (std::int64_t i = 0; i < count; ++i) {
            order[i] = static_cast<std::int32_t>(i);
            frame.write(as_doubles(rows, first + i, x.data()), framed.data() + i * depth);
        }
        std::int32_t* where = labels + first;
        cluster_simd().nearest_two(framed.data(), depth, order, count, panels.panels(), panels.bias(),
                                   panels.count(), columns.data(), norm, best, second, where);
        for (std::int64_t i = 0; i < count; ++i)
            if (!panels.certain(where[i], norm[i], best[i], second[i]))
                where[i] = measure_all(all, as_doubles(rows, first + i, x.data()), out.data()).center;
        if (worker == 0) pause.after(count * groups * rows.width);
    });
}

}  // namespace assay
