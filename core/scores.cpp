#include "scores.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "blas.hpp"
#include "parallel.hpp"

namespace assay {
namespace {

constexpr std::int64_t kLanes = 8;
constexpr std::int64_t kTile = 256;
const double kLog2Pi = std::log(2.0 * 3.14159265358979323846);

std::int64_t padded(std::int64_t width) { return (width + kLanes - 1) / kLanes * kLanes; }

// Parameters with every vector padded by zeros to whole lanes.
std::vector<double> pad(const double* values, std::int64_t vectors, std::int64_t width) {
    const std::int64_t wide = padded(width);
    std::vector<double> out(static_cast<std::size_t>(vectors * wide), 0.0);
    for (std::int64_t v = 0; v < vectors; ++v)
        std::memcpy(&out[v * wide], values + v * width, width * sizeof(double));
    return out;
}

// Eight running sums in fixed lanes, folded pairwise: the order never depends on the vector width.
inline double fold_lanes(const double* a) {
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

ASSAY_CLONES void linear_tile(const double* __restrict x, std::int64_t count, std::int64_t width,
                              std::int64_t wide, std::int64_t classes, const std::int32_t* model,
                              const double* __restrict center, const double* __restrict weights,
                              const double* __restrict bias, double* __restrict row, double* __restrict out) {
    for (std::int64_t r = 0; r < count; ++r) {
        const std::int64_t m = model ? model[r] : 0;
        const double* c = center + m * width;
        for (std::int64_t j = 0; j < width; ++j) row[j] = x[r * width + j] - c[j];
        for (std::int64_t k = 0; k < classes; ++k) {
            const double* w = weights + (m * classes + k) * wide;
            double lane[kLanes] = {0, 0, 0, 0, 0, 0, 0, 0};
            for (std::int64_t j = 0; j < wide; j += kLanes)
                for (std::int64_t l = 0; l < kLanes; ++l) lane[l] += row[j + l] * w[j + l];
            out[r * classes + k] = bias[m * classes + k] + fold_lanes(lane);
        }
    }
}

ASSAY_CLONES void diagonal_tile(const double* __restrict x, std::int64_t count, std::int64_t width,
                                std::int64_t wide, std::int64_t classes, const std::int32_t* model,
                                const double* __restrict mean, const double* __restrict precision,
                                const double* __restrict bias, double* __restrict row,
                                double* __restrict out) {
    for (std::int64_t r = 0; r < count; ++r) {
        const std::int64_t m = model ? model[r] : 0;
        for (std::int64_t j = 0; j < width; ++j) row[j] = x[r * width + j];
        for (std::int64_t k = 0; k < classes; ++k) {
            const double* mu = mean + (m * classes + k) * wide;
            const double* h = precision + (m * classes + k) * wide;
            double lane[kLanes] = {0, 0, 0, 0, 0, 0, 0, 0};
            for (std::int64_t j = 0; j < wide; j += kLanes)
                for (std::int64_t l = 0; l < kLanes; ++l) {
                    const double d = row[j + l] - mu[j + l];
                    lane[l] += d * d * h[j + l];
                }
            out[r * classes + k] = bias[m * classes + k] - 0.5 * fold_lanes(lane);
        }
    }
}

// Missing entries leave the product: their squared term and their normalising factor both go.
void marginal_tile(const double* x, std::int64_t count, std::int64_t width, std::int64_t wide,
                   std::int64_t classes, const std::int32_t* model, const double* mean,
                   const double* precision, const double* log_factor, const double* bias, double* out) {
    for (std::int64_t r = 0; r < count; ++r) {
        const std::int64_t m = model ? model[r] : 0;
        const double* row = x + r * width;
        for (std::int64_t k = 0; k < classes; ++k) {
            const std::int64_t at = (m * classes + k) * wide;
            double sum = bias[m * classes + k];
            for (std::int64_t j = 0; j < width; ++j) {
                const double d = row[j] - mean[at + j];
                sum -= row[j] == row[j] ? 0.5 * d * d * precision[at + j] : log_factor[at + j];
            }
            out[r * classes + k] = sum;
        }
    }
}

ASSAY_CLONES void subtract_mean(const double* __restrict x, const double* __restrict mean, std::int64_t width,
                                double* __restrict out) {
    for (std::int64_t j = 0; j < width; ++j) out[j] = x[j] - mean[j];
}

ASSAY_CLONES void square_sums(const double* __restrict z, std::int64_t count, std::int64_t width, double bias,
                              std::int64_t stride, const std::int32_t* __restrict order,
                              double* __restrict out) {
    for (std::int64_t r = 0; r < count; ++r) {
        const double* row = z + r * width;
        double lane[kLanes] = {0, 0, 0, 0, 0, 0, 0, 0};
        std::int64_t j = 0;
        for (; j + kLanes <= width; j += kLanes)
            for (std::int64_t l = 0; l < kLanes; ++l) lane[l] += row[j + l] * row[j + l];
        for (; j < width; ++j) lane[j % kLanes] += row[j] * row[j];
        out[order[r] * stride] = bias - 0.5 * fold_lanes(lane);
    }
}

const double* load_pairs(const Rows& table, const Pairs& pairs, std::int64_t first, std::int64_t count,
                         double* buffer) {
    return load_rows(table, pairs.rows ? pairs.rows + first : nullptr, first, count, buffer);
}

// Runs tile(first, count, x, worker) over blocks of pairs.
template <class Work>
void over_tiles(const Rows& table, const Pairs& pairs, std::int64_t tile_rows, int threads, Work&& work) {
    const std::int64_t tiles = (pairs.count + tile_rows - 1) / tile_rows;
    const int workers = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, tiles)));
    const bool direct = table.direct() && !pairs.rows;
    std::vector<std::vector<double>> buffers(workers);
    for (auto& buffer : buffers)
        buffer.resize(direct ? 0 : static_cast<std::size_t>(tile_rows * table.width()));
    parallel_for(tiles, workers, [&](std::int64_t tile, int worker) {
        const std::int64_t first = tile * tile_rows, count = std::min(tile_rows, pairs.count - first);
        work(first, count, load_pairs(table, pairs, first, count, buffers[worker].data()), worker);
    });
}

}  // namespace

void linear_scores(const Rows& table, const Pairs& pairs, const Shape& shape, const double* center,
                   const double* weights, const double* bias, int threads, double* out) {
    const std::int64_t wide = padded(shape.width);
    const std::vector<double> w = pad(weights, shape.models * shape.classes, shape.width);
    std::vector<std::vector<double>> rows(std::max(1, threads), std::vector<double>(wide, 0.0));
    over_tiles(table, pairs, kTile, threads,
               [&](std::int64_t first, std::int64_t count, const double* x, int worker) {
                   linear_tile(x, count, shape.width, wide, shape.classes,
                               pairs.models ? pairs.models + first : nullptr, center, w.data(), bias,
                               rows[worker].data(), out + first * shape.classes);
               });
}

void diagonal_scores(const Rows& table, const Pairs& pairs, const Shape& shape, const double* mean,
                     const double* precision, const double* bias, bool marginal, int threads, double* out) {
    const std::int64_t wide = padded(shape.width), vectors = shape.models * shape.classes;
    const std::vector<double> mu = pad(mean, vectors, shape.width), h = pad(precision, vectors, shape.width);
    std::vector<double> log_factor(marginal ? h.size() : 0);
    for (std::size_t i = 0; i < log_factor.size(); ++i)  // a precision of 0 marks a feature that is not used
        log_factor[i] = h[i] > 0.0 ? 0.5 * (std::log(h[i]) - kLog2Pi) : 0.0;
    std::vector<std::vector<double>> rows(std::max(1, threads), std::vector<double>(wide, 0.0));
    over_tiles(table, pairs, kTile, threads,
               [&](std::int64_t first, std::int64_t count, const double* x, int worker) {
                   const std::int32_t* model = pairs.models ? pairs.models + first : nullptr;
                   if (marginal)
                       marginal_tile(x, count, shape.width, wide, shape.classes, model, mu.data(), h.data(),
                                     log_factor.data(), bias, out + first * shape.classes);
                   else
                       diagonal_tile(x, count, shape.width, wide, shape.classes, model, mu.data(), h.data(),
                                     bias, rows[worker].data(), out + first * shape.classes);
               });
}

void quadratic_scores(const Rows& table, const Pairs& pairs, const Shape& shape, std::int64_t inner,
                      bool triangular, const double* mean, const double* whitener, const double* bias,
                      int threads, double* out) {
    const std::int64_t width = shape.width;
    const std::int64_t tile_rows = std::max<std::int64_t>(
        64, std::min<std::int64_t>(4096, (std::int64_t{1} << 18) / std::max<std::int64_t>(1, width)));
    struct Work {
        std::vector<std::int32_t> order;
        std::vector<double> centered, product;
    };
    std::vector<Work> works(std::max(1, threads));
    over_tiles(table, pairs, tile_rows, threads,
               [&](std::int64_t first, std::int64_t count, const double* x, int worker) {
                   Work& work = works[worker];
                   work.order.resize(tile_rows);
                   work.centered.resize(tile_rows * width);
                   work.product.resize(triangular ? 0 : tile_rows * inner);
                   std::iota(work.order.begin(), work.order.begin() + count, 0);
                   const std::int32_t* model = pairs.models ? pairs.models + first : nullptr;
                   if (model)
                       std::stable_sort(work.order.begin(), work.order.begin() + count,
                                        [&](std::int32_t a, std::int32_t b) { return model[a] < model[b]; });
                   for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
                       const std::int64_t m = model ? model[work.order[begin]] : 0;
                       while (end < count && (!model || model[work.order[end]] == m)) ++end;
                       const int rows = static_cast<int>(end - begin);
                       for (std::int64_t k = 0; k < shape.classes; ++k) {
                           const std::int64_t at = m * shape.classes + k;
                           for (std::int64_t r = 0; r < rows; ++r)
                               subtract_mean(x + work.order[begin + r] * width, mean + at * width, width,
                                             work.centered.data() + r * width);
                           const double* z = work.centered.data();
                           if (triangular) {
                               blas::times_triangle(work.centered.data(), rows, static_cast<int>(width),
                                                    whitener + at * width * width);
                           } else {
                               blas::times(work.centered.data(), rows, static_cast<int>(width),
                                           static_cast<int>(inner), whitener + at * width * inner,
                                           work.product.data());
                               z = work.product.data();
                           }
                           square_sums(z, rows, inner, bias[at], shape.classes, work.order.data() + begin,
                                       out + first * shape.classes + k);
                       }
                   }
               });
}

std::int64_t normalize_scores(double* scores, std::int64_t count, std::int64_t classes, int threads,
                              std::int32_t* best) {
    constexpr std::int64_t kRows = 4096;
    std::atomic<std::int64_t> bad{0};
    parallel_for((count + kRows - 1) / kRows, threads, [&](std::int64_t tile, int) {
        std::int64_t unusable = 0;
        for (std::int64_t r = tile * kRows; r < std::min(count, (tile + 1) * kRows); ++r) {
            double* s = scores + r * classes;
            std::int64_t top = 0;
            bool nan = std::isnan(s[0]);
            for (std::int64_t k = 1; k < classes; ++k) {
                nan = nan || std::isnan(s[k]);
                if (s[k] > s[top]) top = k;
            }
            const double most = s[top];
            best[r] = static_cast<std::int32_t>(top);
            if (nan || std::isinf(most)) {
                ++unusable;
                continue;
            }
            double sum = 0.0;
            for (std::int64_t k = 0; k < classes; ++k)
                if (s[k] - most > -746.0) sum += k == top ? 1.0 : std::exp(s[k] - most);  // exp(-746) is 0
            const double shift = most + std::log(sum);
            for (std::int64_t k = 0; k < classes; ++k) s[k] -= shift;
        }
        bad += unusable;
    });
    return bad;
}

}  // namespace assay
