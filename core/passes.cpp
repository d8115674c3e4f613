#include "passes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "leaves.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace assay {
namespace {

constexpr std::int64_t kBlock = 128;  // rows at a time: their scores stay in the first-level cache
constexpr std::int64_t kWave = 32;    // chunks whose sums are held at a time
constexpr std::int64_t kParts = 4;    // partial sums of every product

std::int64_t groups_of(std::int64_t rows) { return (rows + kLanes - 1) / kLanes; }

struct Room {
    std::vector<double> rows, lanes, scores, scaled, factor, sums;
    std::vector<std::int64_t> each;
};

// `count` rows from place `at` on, standardised and eight side by side.
void make_lanes(const Ordered& rows, std::int64_t at, std::int64_t count, Room& room, double* out) {
    const std::int64_t width = rows.width();
    room.rows.resize(static_cast<std::size_t>(kBlock * width));
    if (room.each.empty())
        for (std::int64_t i = 0; i < kBlock; ++i) room.each.push_back(i);
    standardized_rows(rows.table, rows.order + at, 0, count, rows.center, rows.unit, room.rows.data());
    leaves().transpose(room.rows.data(), room.each.data(), count, width, out);
    double* last = out + (groups_of(count) - 1) * width * kLanes;
    for (std::int64_t l = (count - 1) % kLanes + 1; l < kLanes; ++l)
        for (std::int64_t j = 0; j < width; ++j) last[j * kLanes + l] = 0.0;
}

// Calls work(z, at, count) for the blocks of a chunk: `count` rows from place `at` on, eight side by side.
// `kept` is where the chunk begins, if its rows are kept.
template <class Work>
void over_blocks(const Ordered& rows, std::int64_t chunk, const double* kept, Room& room, Work&& work) {
    const std::int64_t end = rows.start[chunk + 1], width = rows.width();
    for (std::int64_t at = rows.start[chunk]; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        const double* z = kept ? kept + (at - rows.start[chunk]) * width : nullptr;
        if (!z) {
            room.lanes.resize(static_cast<std::size_t>(kBlock * width));
            make_lanes(rows, at, count, room, room.lanes.data());
            z = room.lanes.data();
        }
        work(z, at, count);
    }
}

// Where each chunk begins among the kept rows.
std::vector<std::int64_t> beginnings(const Ordered& rows) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(rows.chunks + 1), 0);
    for (std::int64_t c = 0; c < rows.chunks; ++c)
        at[c + 1] = at[c] + groups_of(rows.start[c + 1] - rows.start[c]) * kLanes * rows.width();
    return at;
}

// Chunks by the threads, wave after wave: sum(chunk, worker, to) fills as many numbers as size(chunk) says
// (0: the chunk is left out), and they are added to into(chunk) in the order of the chunks.
template <class Size, class Sum, class Into>
void in_order(std::int64_t chunks, int threads, Size&& size, Sum&& sum, Into&& into) {
    std::vector<std::vector<double>> held(static_cast<std::size_t>(std::min(kWave, chunks)));
    for (std::int64_t wave = 0; wave < chunks; wave += kWave) {
        const std::int64_t some = std::min(kWave, chunks - wave);
        parallel_for(some, threads, [&](std::int64_t item, int worker) {
            held[item].assign(static_cast<std::size_t>(size(wave + item)), 0.0);
            if (!held[item].empty()) sum(wave + item, worker, held[item].data());
        });
        for (std::int64_t item = 0; item < some; ++item) {
            if (held[item].empty()) continue;
            double* to = into(wave + item);
            for (std::size_t i = 0; i < held[item].size(); ++i) to[i] += held[item][i];
        }
    }
}

// The partial sums of each number added up.
void fold_parts(const std::vector<double>& parts, double* out) {
    for (std::size_t i = 0; i < parts.size(); i += kParts)
        out[i / kParts] = (parts[i] + parts[i + 2]) + (parts[i + 1] + parts[i + 3]);
}

}  // namespace

std::int64_t kept_size(const Ordered& rows) { return beginnings(rows).back(); }

void keep_rows(const Ordered& rows, int threads, double* out) {
    const auto begin = beginnings(rows);
    std::vector<Room> rooms(std::max(1, threads));
    parallel_for(rows.chunks, threads, [&](std::int64_t chunk, int worker) {
        const std::int64_t first = rows.start[chunk], end = rows.start[chunk + 1];
        for (std::int64_t at = first; at < end; at += kBlock)
            make_lanes(rows, at, std::min(kBlock, end - at), rooms[worker],
                       out + begin[chunk] + (at - first) * rows.width());
    });
}

void stacked_gradients(const Ordered& rows, const Stack& models, int threads, double* gradient,
                       double* loss) {
    const std::int64_t width = rows.width(), classes = models.classes, each = classes * width;
    const auto begin = beginnings(rows);
    std::vector<Room> rooms(std::max(1, threads));
    const auto first_of = [&](std::int64_t chunk) { return models.first[rows.fold[chunk]]; };
    const auto count_of = [&](std::int64_t chunk) {
        return models.first[rows.fold[chunk] + 1] - first_of(chunk);
    };
    // Of every fold: the gradients of its models, then their losses.
    std::vector<double> sums(static_cast<std::size_t>(models.first[models.folds] * (each + 1)), 0.0);
    in_order(
        rows.chunks, threads, [&](std::int64_t chunk) { return count_of(chunk) * (each + 1); },
        [&](std::int64_t chunk, int worker, double* to) {
            Room& room = rooms[worker];
            const std::int64_t groups = count_of(chunk), stacked = groups * classes;
            const double* kept = rows.kept ? rows.kept + begin[chunk] : nullptr;
            room.scores.resize(static_cast<std::size_t>(stacked * kBlock));
            room.sums.assign(static_cast<std::size_t>(stacked * width * kParts), 0.0);
            double* s = room.scores.data();
            over_blocks(rows, chunk, kept, room, [&](const double* z, std::int64_t at, std::int64_t count) {
                const std::int64_t eights = groups_of(count);
                leaves().lane_scores(z, eights, width, models.weights + first_of(chunk) * each, stacked, s,
                                     kBlock);
                softmax_residuals(s, groups, classes, count, kBlock, rows.codes + at,
                                  rows.weight ? rows.weight + at : nullptr, to + groups * each);
                leaves().lane_products(s, kBlock, kLanes, stacked, z, eights, width, 0, room.sums.data());
            });
            fold_parts(room.sums, to);
        },
        [&](std::int64_t chunk) { return sums.data() + first_of(chunk) * (each + 1); });
    for (std::int64_t f = 0; f < models.folds; ++f) {
        const std::int64_t first = models.first[f], groups = models.first[f + 1] - first;
        const double* from = sums.data() + first * (each + 1);
        std::copy(from, from + groups * each, gradient + first * each);
        std::copy(from + groups * each, from + groups * (each + 1), loss + first);
    }
}

void fold_grams(const Ordered& rows, const double* weights, std::int64_t classes, std::int64_t folds,
                const bool* wanted, int threads, double* out) {
    constexpr std::int64_t kTogetherRows = 3;  // rows of the upper triangle that share their loads
    const std::int64_t width = rows.width(), square = width * width;
    const std::int64_t pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
    const auto begin = beginnings(rows);
    std::vector<Room> rooms(std::max(1, threads));
    in_order(
        rows.chunks, threads,
        [&](std::int64_t chunk) { return wanted[rows.fold[chunk]] ? pairs * square : std::int64_t{0}; },
        [&](std::int64_t chunk, int worker, double* to) {
            Room& room = rooms[worker];
            const double* kept = rows.kept ? rows.kept + begin[chunk] : nullptr;
            room.scores.assign(static_cast<std::size_t>(classes * kBlock), 0.0);
            room.factor.assign(static_cast<std::size_t>(kBlock), 0.0);
            room.scaled.resize(static_cast<std::size_t>(kBlock * width));
            room.sums.assign(static_cast<std::size_t>(pairs * square * kParts), 0.0);
            double* p = room.scores.data();
            over_blocks(rows, chunk, kept, room, [&](const double* z, std::int64_t at, std::int64_t count) {
                const std::int64_t eights = groups_of(count);
                leaves().lane_scores(z, eights, width, weights, classes, p, kBlock);
                softmax_posteriors(p, classes, count, kBlock);
                double* sums = room.sums.data();
                for (std::int64_t k = 0; k < classes; ++k)
                    for (std::int64_t l = classes == 1 ? k : k + 1; l < classes; ++l) {
                        for (std::int64_t i = 0; i < count; ++i) {
                            const double q = classes == 1 ? 1.0 - p[i] : p[l * kBlock + i];
                            room.factor[i] =
                                (rows.weight ? rows.weight[at + i] : 1.0) * p[k * kBlock + i] * q;
                        }
                        leaves().scale_lanes(z, room.factor.data(), eights, width, room.scaled.data());
                        for (std::int64_t j = 0; j < width; j += kTogetherRows)
                            leaves().lane_products(room.scaled.data() + j * kLanes, kLanes, width * kLanes,
                                                   std::min(kTogetherRows, width - j), z, eights, width, j,
                                                   sums + j * width * kParts);
                        sums += square * kParts;
                    }
            });
            fold_parts(room.sums, to);
        },
        [&](std::int64_t chunk) { return out + rows.fold[chunk] * pairs * square; });
    for (std::int64_t m = 0; m < folds * pairs; ++m) {  // the products fill the upper triangle
        if (!wanted[m / pairs]) continue;
        double* matrix = out + m * square;
        for (std::int64_t i = 0; i < width; ++i)
            for (std::int64_t j = i + 1; j < width; ++j) matrix[j * width + i] = matrix[i * width + j];
    }
}

}  // namespace assay
