// From joint log likelihoods to log posteriors, and from those to posteriors.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "leaves.hpp"
#include "parallel.hpp"
#include "scores.hpp"

namespace assay {
namespace {

constexpr std::int64_t kTile = 1024;

// Largest class of each row and the scores less it; returns the rows that cannot be normalised.
std::int64_t below_best(const double* scores, std::int64_t rows, std::int64_t classes, double* less,
                        std::int32_t* best) {
    std::int64_t unusable = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double* s = scores + r * classes;
        std::int64_t top = 0;
        double most = s[0];
        bool number = s[0] == s[0];
        for (std::int64_t k = 1; k < classes; ++k) {
            number = number && s[k] == s[k];
            top = s[k] > most ? k : top;
            most = s[k] > most ? s[k] : most;
        }
        best[r] = static_cast<std::int32_t>(top);
        unusable += !number || std::isinf(most);
        for (std::int64_t k = 0; k < classes; ++k) less[r * classes + k] = s[k] - most;
    }
    return unusable;
}

}  // namespace

std::int64_t normalize_scores(double* scores, std::int64_t count, std::int64_t classes, int threads,
                              std::int32_t* best) {
    std::atomic<std::int64_t> unusable{0};
    parallel_for((count + kTile - 1) / kTile, threads, [&](std::int64_t tile, int) {
        const std::int64_t first = tile * kTile, rows = std::min(kTile, count - first);
        std::vector<double> less(static_cast<std::size_t>(rows * classes)), powers(less.size());
        double* s = scores + first * classes;
        unusable += below_best(s, rows, classes, less.data(), best + first);
        leaves().exp_all(less.data(), rows * classes, powers.data());
        std::vector<double> sums(static_cast<std::size_t>(rows), 0.0);
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < classes; ++k) sums[r] += powers[r * classes + k];
        leaves().log_all(sums.data(), rows, sums.data());
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < classes; ++k) s[r * classes + k] = less[r * classes + k] - sums[r];
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
        leaves().exp_all(log_posterior + first, std::min(kChunk, count - first), out + first);
    });
}

}  // namespace assay
