#include "logistic/objective.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "simd/vector_ops.hpp"

namespace assay {
namespace {

// maps' gram maps, width x width.
void mapped_gram(const double* gram, const double* maps, std::int64_t columns, std::int64_t width,
                 double* out) {
    std::vector<double> half(static_cast<std::size_t>(columns * width), 0.0);
    for (std::int64_t i = 0; i < columns; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            vector_ops().add_multiple(gram[i * columns + j], maps + j * width, width,
                                      half.data() + i * width);
    std::fill(out, out + width * width, 0.0);
    for (std::int64_t i = 0; i < columns; ++i)
        for (std::int64_t e = 0; e < width; ++e)
            vector_ops().add_multiple(maps[i * width + e], half.data() + i * width, width, out + e * width);
}

// Adds factor * gram to the block of two classes.
void add_block(const double* gram, double factor, std::int64_t k, std::int64_t l, std::int64_t classes,
               std::int64_t width, double* out) {
    for (std::int64_t i = 0; i < width; ++i)
        vector_ops().add_multiple(factor, gram + i * width, width,
                                  out + ((k * width + i) * classes + l) * width);
}

// Adding the same to all classes changes nothing: that direction is pinned, at the size of the others.
void pin_common(std::int64_t classes, std::int64_t width, double* out) {
    const std::int64_t size = classes * width;
    for (std::int64_t j = 0; j < width; ++j) {
        double mean = 0.0;
        for (std::int64_t k = 0; k < classes; ++k) mean += out[(k * width + j) * (size + 1)];
        mean /= static_cast<double>(classes);
        for (std::int64_t k = 0; k < classes; ++k)
            for (std::int64_t l = 0; l < classes; ++l) out[(k * width + j) * size + l * width + j] += mean;
    }
}

}  // namespace

bool LogisticObjective::lacks_class(std::int64_t part) const {
    for (std::int64_t k = 1; k <= classes; ++k)
        if (!free[(part * classes + k) * width - 1]) return true;
    return false;
}

void LogisticObjective::to_columns(std::int64_t part, const double* theta, double* B) const {
    if (!maps) {
        std::copy_n(theta, size(), B);
        return;
    }
    for (std::int64_t k = 0; k < classes; ++k)
        vector_ops().dots(theta + k * width, maps + part * columns * width, columns, width, B + k * columns);
}

void LogisticObjective::gradient(std::int64_t part, const double* theta, const double* summed, double l2,
                                 double* out) const {
    std::fill_n(out, size(), 0.0);
    const double* map = maps ? maps + part * columns * width : nullptr;
    const double* each = penalty + part * (width - 1);
    for (std::int64_t k = 0; k < classes; ++k, summed += columns, theta += width, out += width) {
        if (map)
            for (std::int64_t j = 0; j < columns; ++j)
                vector_ops().add_multiple(summed[j] / weight[part], map + j * width, width, out);
        else
            for (std::int64_t j = 0; j < width; ++j) out[j] = summed[j] / weight[part];
        for (std::int64_t j = 0; j < width - 1; ++j) out[j] += l2 * each[j] * theta[j];
        for (std::int64_t j = 0; j < width; ++j)
            if (!free[(part * classes + k) * width + j]) out[j] = 0.0;
    }
}

double LogisticObjective::penalised(std::int64_t part, const double* theta, double l2) const {
    double sum = 0.0;
    for (std::int64_t k = 0; k < classes; ++k, theta += width)
        for (std::int64_t j = 0; j < width - 1; ++j)
            sum += penalty[part * (width - 1) + j] * theta[j] * theta[j];
    return 0.5 * l2 * sum;
}

void LogisticObjective::hessian(std::int64_t part, double* sums, double* out) const {
    const std::int64_t square = columns * columns;
    for (std::int64_t i = 0; i < pairs() * square; ++i) sums[i] /= weight[part];
    std::vector<double> mapped;
    if (maps) {
        mapped.resize(static_cast<std::size_t>(pairs() * width * width));
        for (std::int64_t at = 0; at < pairs(); ++at)
            mapped_gram(sums + at * square, maps + part * columns * width, columns, width,
                        mapped.data() + at * width * width);
        sums = mapped.data();
    }
    std::fill_n(out, size() * size(), 0.0);
    if (classes == 1) add_block(sums, 1.0, 0, 0, 1, width, out);
    for (std::int64_t k = 0; k < classes; ++k)
        for (std::int64_t l = k + 1; l < classes; ++l, sums += width * width)
            for (auto [a, b] : {std::pair(k, k), std::pair(l, l), std::pair(k, l), std::pair(l, k)})
                add_block(sums, a == b ? 1.0 : -1.0, a, b, classes, width, out);
    if (classes > 1) pin_common(classes, width, out);
    for (std::int64_t i = 0; i < size(); ++i) {
        if (free[part * size() + i]) continue;
        for (std::int64_t j = 0; j < size(); ++j) out[i * size() + j] = out[j * size() + i] = 0.0;
        out[i * (size() + 1)] = 1.0;
    }
}

void LogisticObjective::diagonal(std::int64_t part, double l2, double* out) const {
    for (std::int64_t k = 0; k < classes; ++k)
        for (std::int64_t j = 0; j < width; ++j)
            out[k * width + j] = j < width - 1 && free[(part * classes + k) * width + j]
                                     ? l2 * penalty[part * (width - 1) + j]
                                     : 0.0;
}

void LogisticObjective::balance(std::int64_t part, double* theta) const {
    if (classes == 1) return;
    const bool* may = free + part * size();
    for (std::int64_t j = 0; j < width; ++j) {
        double sum = 0.0;
        std::int64_t there = 0;
        for (std::int64_t k = 0; k < classes; ++k)
            if (may[k * width + j]) sum += theta[k * width + j], ++there;
        for (std::int64_t k = 0; k < classes; ++k)
            if (may[k * width + j]) theta[k * width + j] -= sum / static_cast<double>(there);
    }
}

}  // namespace assay
