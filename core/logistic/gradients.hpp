// Passes over standardised rows for models solved together: gradients of many linear models at once, and
// second derivatives of one. Threads take chunks of rows; sums are added in the order of the rows. Rows lie
// eight side by side, so that one load serves eight of them; a chunk's last eight are filled up with zeros.
// Kept in single precision they are half as long, and so is the pass: sums of a chunk then have about seven
// digits, while chunks are added in double precision.
#pragma once

#include <cstdint>

#include "base/interrupt.hpp"
#include "base/table.hpp"
#include "base/threads.hpp"

namespace assay {

// Rows in the order of their folds, cut into chunks: chunk c holds places start[c] .. start[c + 1], of
// fold[c].
struct FoldOrderedRows {
    Rows table;
    const std::int64_t* order = nullptr;  // row of the table at each place
    const double *center = nullptr, *unit = nullptr;
    const std::int32_t* codes = nullptr;  // by place
    const double* weight = nullptr;       // null: all one
    const std::int64_t* start = nullptr;
    const std::int32_t* fold = nullptr;
    std::int64_t chunks = 0;
    const double* kept = nullptr;   // what keep_rows made; null: rows are standardised whenever they are read
    const float* narrow = nullptr;  // the same in single precision; if it is there, passes are made in that
    InterruptCheck* pause = nullptr;  // asked between waves of chunks whether to go on

    std::int64_t width() const { return table.width() + 1; }  // with a last column of ones
};

// Numbers that keep_rows fills.
std::int64_t kept_size(const FoldOrderedRows& rows);

// All rows, standardised and eight side by side, chunk after chunk.
template <class T>
void keep_rows(const FoldOrderedRows& rows, ThreadPool& pool, T* out);

// Linear models (classes x width each; one class means two), those of fold f from first[f] to first[f + 1].
struct StackedModels {
    const double* weights;
    const std::int64_t* first;
    std::int64_t folds, classes;
};

// Sums over each fold's rows, for its models: gradients in the layout of the weights, and losses, one a
// model.
void stacked_gradients(const FoldOrderedRows& rows, const StackedModels& models, ThreadPool& pool,
                       double* gradient, double* loss);

// Second derivatives of a single model in each fold, folds x pairs x width x width; pair (k, l), k < l, holds
// sums of w p_k p_l z zᵀ, a single class w p (1 - p) z zᵀ. Folds that are not wanted are left alone.
void fold_grams(const FoldOrderedRows& rows, const double* weights, std::int64_t classes, std::int64_t folds,
                const bool* wanted, ThreadPool& pool, double* out);

}  // namespace assay
