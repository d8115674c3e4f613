// Class scores of rows under one of several models of the same form: each row names its model (its fold).
#pragma once

#include <cstdint>

#include "base/table.hpp"

namespace assay {

// What to score: `count` pairs; pair i is row rows[i] (null: row i) under model models[i] (null: model 0).
struct Pairs {
    const std::int64_t* rows = nullptr;
    const std::int32_t* models = nullptr;
    std::int64_t count = 0;
};

// `classes` counts those of all forms where several stand side by side.
struct Shape {
    std::int64_t models = 0, classes = 0, width = 0;
};

// OUT Where scores go: those of each form by themselves, (forms, pairs, classes / forms). With `best`,
// (forms, pairs), they are log posteriors, `best` is the first largest class, and `unusable`, (forms), is
// raised by the rows that cannot be normalised (NaN, or +inf, or nothing above -inf).
struct Sheets {
    double* scores = nullptr;
    std::int64_t forms = 1;
    std::int32_t* best = nullptr;
    std::int64_t* unusable = nullptr;

    bool plain() const { return forms == 1 && !best; }
};

// out[i, k] = bias[m, k] + weights[m, k, :] . (x - center[m, :])
void linear_scores(const Rows& table, const Pairs& pairs, const Shape& shape, const double* center,
                   const double* weights, const double* bias, int threads, const Sheets& out);

// out[i, k] = bias[m, k] - 1/2 sum_j precision[m, k, j] (x_j - mean[m, k, j])^2, NaN entries left out
// when `marginal` (log_precision, m x k x j, is then taken out of the bias again for them).
void diagonal_scores(const Rows& table, const Pairs& pairs, const Shape& shape, const double* mean,
                     const double* precision, const double* bias, bool marginal, int threads,
                     const Sheets& out);

// out[i, k] = bias[m, k] - 1/2 |(x - mean[m, k]) whitener[m, k]|^2, whitener width x inner, row-major;
// `triangular`: inner == width and the whitener is upper triangular.
void quadratic_scores(const Rows& table, const Pairs& pairs, const Shape& shape, std::int64_t inner,
                      bool triangular, const double* mean, const double* whitener, const double* bias,
                      int threads, const Sheets& out);

// The scores of a tile, its rows x classes, put where they go: they are the pairs from `first` on. `room` has
// space for four numbers a class.
void put_tile(const double* tile, const Pairs& pairs, const Shape& shape, std::int64_t first,
              std::int64_t rows, double* room, std::int64_t* unusable, const Sheets& out);

// Subtracts log sum exp from every row of scores (count x classes), in place; best[i] receives the first
// largest class. Returns the number of rows that cannot be normalised (NaN, or +inf, or nothing above -inf).
std::int64_t normalize_scores(double* scores, std::int64_t count, std::int64_t classes, int threads,
                              std::int32_t* best);

// OUT out[i] = -scores[i, codes[i]], and -floor where that entry is -inf: the log loss of each row.
void log_losses(const double* scores, const std::int32_t* codes, std::int64_t count, std::int64_t classes,
                double floor, int threads, double* out);

// OUT out = exp(log_posterior), entry by entry; values below the least normal number are 0.
void posteriors(const double* log_posterior, std::int64_t count, int threads, double* out);

}  // namespace assay
