// From joint log likelihoods to log posteriors, and from those to posteriors.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "base/threads.hpp"
#include "scores/scores.hpp"
#include "scores/simd.hpp"
#include "simd/vector_ops.hpp"

namespace assay {
namespace {

constexpr std::int64_t kTile = 1024;

}  // namespace

void put_tile(const double* tile, const Pairs& pairs, const Shape& shape, std::int64_t first,
              std::int64_t rows, double* room, std::int64_t* unusable, const Sheets& out) {
    const std::int64_t each = shape.classes / out.forms;
    for (std::int64_t form = 0; form < out.forms; ++form) {
        const double* from = tile + form * each;
        const std::int64_t place = form * pairs.count + first;
        double* to = out.scores + place * each;
        if (out.best) {
            unusable[form] +=
                scores_simd().log_posteriors(from, rows, each, shape.classes, room, to, out.best + place);
            continue;
        }
        for (std::int64_t r = 0; r < rows; ++r, from += shape.classes, to += each)
            std::copy(from, from + each, to);
    }
}

std::int64_t normalize_scores(double* scores, std::int64_t count, std::int64_t classes, int threads,
                              std::int32_t* best) {
    std::atomic<std::int64_t> unusable{0};
    parallel_for((count + kTile - 1) / kTile, threads, [&](std::int64_t tile, int) {
        const std::int64_t first = tile * kTile, rows = std::min(kTile, count - first);
        std::vector<double> room(static_cast<std::size_t>(4 * classes));
        double* s = scores + first * classes;
        unusable += scores_simd().log_posteriors(s, rows, classes, classes, room.data(), s, best + first);
    });
    return unusable;
}

void log_losses(const double* scores, const std::int32_t* codes, std::int64_t count, std::int64_t classes,
                double floor, int threads, double* out) {
    constexpr std::int64_t kChunk = 1 << 14;
    parallel_for((count + kChunk - 1) / kChunk, threads, [&](std::int64_t chunk, int) {
        for (std::int64_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i) {
            out[i] = -std::max(scores[i * classes + codes[i]], floor);
        }
    });
}

void posteriors(const double* log_posterior, std::int64_t count, int threads, double* out) {
    constexpr std::int64_t kChunk = 1 << 15;
    parallel_for((count + kChunk - 1) / kChunk, threads, [&](std::int64_t chunk, int) {
        const std::int64_t first = chunk * kChunk;
        vector_ops().exp_all(log_posterior + first, std::min(kChunk, count - first), out + first);
    });
}

}  // namespace assay
