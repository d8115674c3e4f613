#include <cmath>
#include <cstring>
#include <vector>

#include "base/index.hpp"
#include "scores/row_blocks.hpp"
#include "scores/scores.hpp"
#include "scores/simd.hpp"

namespace assay {
namespace {

constexpr std::int64_t kTile = 1024;
const double kLog2Pi = std::log(2.0 * 3.14159265358979323846);

// Parameters with every vector padded by zeros to whole lanes.
std::vector<double> pad(const double* values, std::int64_t vectors, std::int64_t width) {
    const std::int64_t wide = whole_lanes(width);
    std::vector<double> out(static_cast<std::size_t>(vectors * wide), 0.0);
    for (std::int64_t v = 0; v < vectors; ++v)
        std::memcpy(&out[v * wide], values + v * width, width * sizeof(double));
    return out;
}

// Missing entries leave the product: their squared term and their normalising factor both go.
void marginal_run(const double* x, const std::int64_t* source, const std::int32_t* place, std::int64_t count,
                  std::int64_t width, std::int64_t classes, const double* mean, const double* precision,
                  const double* log_factor, const double* bias, double* out) {
    const std::int64_t wide = whole_lanes(width);
    for (std::int64_t i = 0; i < count; ++i) {
        const double* row = x + source[i] * width;
        for (std::int64_t k = 0; k < classes; ++k) {
            double sum = bias[k];
            for (std::int64_t j = 0; j < width; ++j) {
                const double d = row[j] - mean[k * wide + j];
                sum -= row[j] == row[j] ? 0.5 * d * d * precision[k * wide + j] : log_factor[k * wide + j];
            }
            out[place[i] * classes + k] = sum;
        }
    }
}

std::vector<std::vector<double>> row_buffers(int threads, std::int64_t width) {
    return {static_cast<std::size_t>(threads > 0 ? threads : 1),
            std::vector<double>(static_cast<std::size_t>(kTogether * whole_lanes(width)), 0.0)};
}

}  // namespace

void linear_scores(const Rows& table, const Pairs& pairs, const Shape& shape, const double* center,
                   const double* weights, const double* bias, int threads, const Sheets& out) {
    const std::int64_t width = shape.width, classes = shape.classes, each = classes * whole_lanes(width);
    const std::vector<double> w = pad(weights, shape.models * classes, width);
    auto rows = row_buffers(threads, width);
    over_runs(table, pairs, shape, kTile, threads, out,
              [&](std::int64_t m, const std::int64_t* source, const std::int32_t* place, std::int64_t count,
                  const double* x, double* to, int worker) {
                  scores_simd().linear_run(x, source, place, count, width, classes, center + m * width,
                                           w.data() + m * each, bias + m * classes, rows[worker].data(), to);
              });
}

void diagonal_scores(const Rows& table, const Pairs& pairs, const Shape& shape, const double* mean,
                     const double* precision, const double* bias, bool marginal, int threads,
                     const Sheets& out) {
    const std::int64_t width = shape.width, classes = shape.classes, each = classes * whole_lanes(width);
    const std::vector<double> mu = pad(mean, shape.models * classes, width);
    const std::vector<double> h = pad(precision, shape.models * classes, width);
    std::vector<double> log_factor(marginal ? h.size() : 0);
    for (std::size_t i = 0; i < log_factor.size(); ++i)  // a precision of 0 marks a feature that is not used
        log_factor[i] = h[i] > 0.0 ? 0.5 * (std::log(h[i]) - kLog2Pi) : 0.0;
    auto rows = row_buffers(threads, width);
    over_runs(table, pairs, shape, kTile, threads, out,
              [&](std::int64_t m, const std::int64_t* source, const std::int32_t* place, std::int64_t count,
                  const double* x, double* to, int worker) {
                  if (marginal)
                      marginal_run(x, source, place, count, width, classes, mu.data() + m * each,
                                   h.data() + m * each, log_factor.data() + m * each, bias + m * classes, to);
                  else
                      scores_simd().diagonal_run(x, source, place, count, width, classes,
                                                 mu.data() + m * each, h.data() + m * each,
                                                 bias + m * classes, rows[worker].data(), to);
              });
}

}  // namespace assay
