#include "network/perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simd/vector_ops.hpp"

namespace assay {
namespace {

// Rounding of a score, relative to its terms and the largest weight or step, if weights have come back to
// nothing: that of some million steps.
constexpr double kEqual = 1e-12;

double largest_of(const double* numbers, std::int64_t count) {
    double largest = 0;
    for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(numbers[i]));
    return largest;
}

double sum_of_sizes(const double* numbers, std::int64_t count) {
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += std::abs(numbers[i]);
    return sum;
}

// How scores and steps read whole rows.
struct WholeRule {
    const WholeRows& rows;
    std::int64_t classes;
    double *weights, *late;

    std::int64_t width() const { return rows.width; }
    double farthest() const { return static_cast<double>(rows.width) * rows.largest; }
    double largest() const { return rows.largest; }
    double extent(std::int64_t row) const { return sum_of_sizes(rows.z + row * rows.width, rows.width); }

    void score(std::int64_t row, double* out) const {
        vector_ops().dots(rows.z + row * rows.width, weights, classes, rows.width, out);
    }

    void step(std::int64_t row, std::int64_t k, double amount, double seen) {
        const double* z = rows.z + row * rows.width;
        vector_ops().add_multiple(amount, z, rows.width, weights + k * rows.width);
        vector_ops().add_multiple(amount * seen, z, rows.width, late + k * rows.width);
    }
};

// How they read entries.
struct LeanRule {
    const OffsetCsrRows& rows;
    std::int64_t classes;
    double *weights, *late;
    std::vector<double> common;  // Σ base u of each class
    double base;                 // Σ |base|

    LeanRule(const OffsetCsrRows& given, std::int64_t count, double* w, double* l)
        : rows(given),
          classes(count),
          weights(w),
          late(l),
          base(sum_of_sizes(given.base.data(), given.width)) {
        for (std::int64_t k = 0; k < classes; ++k)
            common.push_back(
                std::inner_product(rows.base.begin(), rows.base.end(), weights + k * width(), 0.0));
    }

    std::int64_t width() const { return rows.width + 1; }
    double farthest() const { return rows.reach + base + rows.square; }
    double largest() const { return rows.largest; }

    double extent(std::int64_t row) const {
        const std::int64_t begin = rows.first[row];
        return sum_of_sizes(rows.value.data() + begin, rows.first[row + 1] - begin) +
               std::abs(rows.lean[row]) + base + rows.square;
    }

    void score(std::int64_t row, double* out) const {
        const std::int32_t* column = rows.column.data();
        const double *value = rows.value.data(), constant = rows.square + rows.lean[row];
        const std::int64_t end = rows.first[row + 1];
        for (std::int64_t k = 0; k < classes; ++k) {
            const double* u = weights + k * width();
            std::int64_t e = rows.first[row];
            double one = 0, two = 0;  // two sums: an addition need not wait for the one before
            for (; e + 2 <= end; e += 2)
                one += value[e] * u[column[e]], two += value[e + 1] * u[column[e + 1]];
            if (e < end) one += value[e] * u[column[e]];
            out[k] = (one + two) + (common[k] + u[rows.width] * constant);
        }
    }

    void step(std::int64_t row, std::int64_t k, double amount, double seen) {
        double *u = weights + k * width(), *later = late + k * width();
        const double times = amount * seen;
        for (std::int64_t e = rows.first[row]; e < rows.first[row + 1]; ++e) {
            const std::int32_t j = rows.column[e];
            u[j] += amount * rows.value[e];
            later[j] += times * rows.value[e];
        }
        u[rows.width] += amount;
        later[rows.width] += times;
        common[k] += amount * rows.lean[row];
    }
};

// The class of the largest score, the first of those that are equal but for rounding; of two classes the
// second where the score is 0 but for rounding.
template <class Rule>
std::int64_t given_class(const Rule& rule, std::int64_t row, const std::vector<double>& score, double limit,
                         double step) {
    const auto noise = [&] {
        const double largest = largest_of(rule.weights, rule.classes * rule.width());
        return kEqual * std::max(largest, step) * rule.extent(row);
    };
    if (rule.classes == 1) {
        if (std::abs(score[0]) > limit) return score[0] > 0;
        return score[0] >= -noise();
    }
    const std::int64_t best = std::max_element(score.begin(), score.end()) - score.begin();
    const auto first_within = [&](double room) {
        for (std::int64_t k = 0; k < best; ++k)
            if (score[best] - score[k] <= room) return k;
        return best;
    };
    return first_within(limit) == best ? best : first_within(noise());
}

template <class Rule>
std::int64_t epoch(Rule rule, const Visits& visits, double seen, InterruptCheck& pause, double* longest) {
    const std::int64_t numbers = rule.classes * rule.width();
    std::vector<double> score(static_cast<std::size_t>(rule.classes));
    const double step = std::max(largest_of(visits.size, visits.count), visits.largest_size) * rule.largest();
    double largest = std::max(largest_of(rule.weights, numbers), step);  // of the weights, or more
    Runs runs = visits.runs ? *visits.runs : Runs{};
    std::int64_t mistakes = 0;
    const auto keep_if_longest = [&] {
        if (runs.current <= runs.longest) return;
        runs.longest = runs.current;
        std::copy(rule.weights, rule.weights + numbers, longest);
    };
    for (std::int64_t place = 0; place < visits.count; ++place) {
        const std::int64_t row = visits.order ? visits.order[place] : place;
        rule.score(row, score.data());
        const std::int64_t given = given_class(rule, row, score, kEqual * largest * rule.farthest(), step);
        const std::int64_t own = visits.code[row];
        const double size = visits.size[row];
        if (given != own) {
            keep_if_longest();
            if (rule.classes == 1) {
                rule.step(row, 0, own == 1 ? size : -size, seen);
            } else {
                rule.step(row, own, size, seen);
                rule.step(row, given, -size, seen);
            }
            largest += size * rule.largest();
            ++mistakes;
            runs.current = 0;
        } else {
            ++runs.current;
        }
        seen += size;
        pause.after(numbers);
    }
    if (visits.runs)
        *visits.runs = runs;
    else
        keep_if_longest();
    return mistakes;
}

}  // namespace

OffsetCsrRows lean_rows(OffsetCsr<double> rows) {
    OffsetCsrRows out{std::move(rows), {}};
    for (const double base : out.base) out.square += base * base;
    out.lean.reserve(static_cast<std::size_t>(out.rows()));
    for (std::int64_t row = 0; row < out.rows(); ++row) {
        double lean = 0, size = 0;
        for (std::int64_t e = out.first[row]; e < out.first[row + 1]; ++e) {
            lean += out.base[out.column[e]] * out.value[e];
            size += std::abs(out.value[e]);
            out.largest = std::max(out.largest, std::abs(out.value[e]));
        }
        out.lean.push_back(lean);
        out.reach = std::max(out.reach, size + std::abs(lean));
    }
    return out;
}

void lean_scores(const OffsetCsrRows& rows, const double* w, double* out) {
    const double common = std::inner_product(rows.base.begin(), rows.base.end(), w, w[rows.width]);
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
        double sum = common;
        for (std::int64_t e = rows.first[row]; e < rows.first[row + 1]; ++e)
            sum += rows.value[e] * w[rows.column[e]];
        out[row] = sum;
    }
}

template <>
std::int64_t perceptron_epoch(const WholeRows& rows, const Visits& visits, std::int64_t classes, double seen,
                              InterruptCheck& pause, double* weights, double* late, double* longest) {
    return epoch(WholeRule{rows, classes, weights, late}, visits, seen, pause, longest);
}

template <>
std::int64_t perceptron_epoch(const OffsetCsrRows& rows, const Visits& visits, std::int64_t classes,
                              double seen, InterruptCheck& pause, double* weights, double* late,
                              double* longest) {
    return epoch(LeanRule(rows, classes, weights, late), visits, seen, pause, longest);
}

}  // namespace assay
