#include "scores/grid_models.hpp"

#include <algorithm>
#include <cmath>

#include "scores/simd.hpp"

namespace assay {
namespace {

constexpr double kNever = -1e30;  // the score of a class without rows, where infinity would not do

// The bound's unit; see scores/grid.hpp.
float rounding(const GridModels& m) {
    const double roundings = static_cast<double>(std::max(m.width, m.inner) + 8) * 0x1p-24;
    return static_cast<float>(1.25 * roundings / (1.0 - roundings));
}

// (sum_j share[j, s] |turn_j|^2)^1/2 and the same of start, for the setting where they are largest.
GridError error_of(const GridModels& m, const double* turn, const double* start, const double* share,
                   std::int64_t settings, double bias) {
    std::vector<double> columns(static_cast<std::size_t>(m.inner), 0.0);
    for (std::int64_t d = 0; d < m.width; ++d)
        for (std::int64_t j = 0; j < m.inner; ++j) {
            const double t = turn[d * m.inner + j] / m.unit[d];
            columns[j] += t * t;
        }
    double turned = 0.0, started = 0.0;
    for (std::int64_t s = 0; s < settings; ++s) {
        double a = 0.0, b = 0.0;
        for (std::int64_t j = 0; j < m.inner; ++j) {
            a += share[j * m.most + s] * columns[j];
            b += share[j * m.most + s] * start[j] * start[j];
        }
        turned = std::max(turned, a), started = std::max(started, b);
    }
    return {rounding(m), static_cast<float>(std::sqrt(turned)), static_cast<float>(std::sqrt(started)),
            static_cast<float>(bias)};
}

template <class T>
void take_shares(const GridModels& m, const double* share, std::int64_t settings, Turned<T>& to) {
    to.share.assign(to.start.size() * static_cast<std::size_t>(settings), T(0));
    for (std::int64_t j = 0; j < m.inner; ++j)
        for (std::int64_t s = 0; s < settings; ++s)
            to.share[j * settings + s] = static_cast<T>(share[j * m.most + s]);
}

}  // namespace

template <class T>
void Turned<T>::take(const GridModels& m, const double* columns, std::int64_t across, std::int64_t along,
                     std::int64_t count, const double* from) {
    const std::int64_t wide = scores_simd().grid.columns, whole = (count + wide - 1) / wide * wide;
    turn.assign(static_cast<std::size_t>(whole * m.width), T(0));
    start.assign(static_cast<std::size_t>(whole), T(0));
    for (std::int64_t j = 0; j < count; ++j) {
        // Double precision keeps the infinity of a class without rows.
        start[j] = static_cast<T>(sizeof(T) == sizeof(float) ? std::max(from[j], kNever) : from[j]);
        for (std::int64_t d = 0; d < m.width; ++d)
            turn[(j / wide * m.width + d) * wide + j % wide] =
                static_cast<T>(columns[d * across + j * along] / m.unit[d]);
    }
}

PackedModel::PackedModel(const GridModels& m, std::int64_t model) {
    const std::int64_t classes = m.classes;
    floats.resize(m.bases * classes), doubles.resize(m.bases * classes);
    bias.assign(static_cast<std::size_t>(m.bases * m.most * classes), 0.0f);
    for (std::int64_t b = 0; b < m.bases; ++b) {
        double largest = 0.0;
        for (std::int64_t i = 0; i < m.settings[b] * classes; ++i) {
            const double own = m.bias[(model * m.bases + b) * m.most * classes + i];
            bias[b * m.most * classes + i] = static_cast<float>(std::max(own, kNever));
            if (own > kNever) largest = std::max(largest, std::abs(own));
        }
        for (std::int64_t k = 0; k < classes; ++k) {
            const std::int64_t at = (model * m.bases + b) * classes + k;
            const double *turn = m.turn + at * m.width * m.inner, *start = m.start + at * m.inner,
                         *share = m.share + at * m.inner * m.most;
            errors.push_back(error_of(m, turn, start, share, m.settings[b], largest));
            Turned<float>& narrow = floats[b * classes + k];
            Turned<double>& wide = doubles[b * classes + k];
            narrow.take(m, turn, m.inner, 1, m.inner, start);
            wide.take(m, turn, m.inner, 1, m.inner, start);
            take_shares(m, share, m.settings[b], narrow);
            take_shares(m, share, m.settings[b], wide);
        }
    }
    const std::int64_t columns = m.lines * classes;
    const double *slope = m.slope + model * columns * m.width, *level = m.level + model * columns;
    lines_float.take(m, slope, 1, m.width, columns, level);
    lines_double.take(m, slope, 1, m.width, columns, level);
    for (std::int64_t c = 0; c < columns; ++c) {
        double square = 0.0;
        for (std::int64_t d = 0; d < m.width; ++d) square += std::pow(slope[c * m.width + d] / m.unit[d], 2);
        const double from = level[c] > kNever ? std::abs(level[c]) : 0.0;
        line_errors.push_back(
            {rounding(m), static_cast<float>(std::sqrt(square)), static_cast<float>(from), 0.0f});
    }
}

template struct Turned<float>;
template struct Turned<double>;

}  // namespace assay
