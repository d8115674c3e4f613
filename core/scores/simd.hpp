// Vector loops of scores, and of a grid of settings.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

constexpr std::int64_t kTogether = 4;  // rows (or columns) that share one load of the parameters

constexpr std::int64_t kPanel = 32;  // columns of a whitener that a row of few entries fills at once

// Rows of a grid of settings, see scores/grid.hpp: rows in groups, number d of all of a group side by side;
// columns in panels of `columns`, number d of all of a panel side by side.
template <class T>
struct ProjectionLoops {
    // out[group][setting][row] = sum over columns j of share[j][setting] (start[j] + x · turn[:, j])^2.
    void (*squares)(const T* rows, std::int64_t groups, std::int64_t depth, const T* turn, const T* start,
                    std::int64_t panels, const T* share, std::int64_t settings, T* out);
    // out[group][j][row] = start[j] + x · turn[:, j].
    void (*lines)(const T* rows, std::int64_t groups, std::int64_t depth, const T* turn, const T* start,
                  std::int64_t panels, T* out);
};

// What bounds the error of a score -1/2 q in single precision: unit (sqrt(q) a + unit a^2 + q + bias) with
// a = turn |x| + start.
struct GridError {
    float unit, turn, start, bias;
};

struct GridLoops {
    std::int64_t columns, rows32, rows64;  // of a panel; of a group
    ProjectionLoops<float> floats;
    ProjectionLoops<double> doubles;
    // |x| of every row of a group.
    void (*lengths)(const float* rows, std::int64_t depth, float* out);
    // The bound of every row of a group, for the largest of its squares.
    void (*doubts)(const float* squares, std::int64_t settings, const float* length, const GridError& error,
                   float* out);
    // Rows, as bits, whose class `own` has the largest score bias[k] + factor values[k * stride] for certain,
    // and those where it has not; doubts[k][row] is what each score may be off.
    void (*judge)(const float* values, std::int64_t stride, const float* bias, float factor,
                  const float* doubts, std::int64_t classes, std::int64_t own, std::uint64_t* right,
                  std::uint64_t* wrong);
};

struct ScoresSimd {
    // Scores of a run of rows of one model; parameters padded to whole lanes, `rows` scratch of 4 padded
    // rows.
    void (*linear_run)(const double* x, const std::int64_t* source, const std::int32_t* place,
                       std::int64_t count, std::int64_t width, std::int64_t classes, const double* center,
                       const double* weights, const double* bias, double* rows, double* out);

    void (*diagonal_run)(const double* x, const std::int64_t* source, const std::int32_t* place,
                         std::int64_t count, std::int64_t width, std::int64_t classes, const double* mean,
                         const double* precision, const double* bias, double* rows, double* out);

    // On such groups: out = t - mean, then sums += squares of four columns of a whitener.
    void (*subtract)(const double* t, const double* mean, std::int64_t groups, std::int64_t width,
                     double* out);

    void (*add_squares)(const double* d, std::int64_t groups, std::int64_t width, const double* block,
                        std::int64_t rows, double* sums);

    // Columns of a row that are not zero, in order; returns how many. `columns` has room for `width`.
    std::int64_t (*nonzeros)(const double* row, std::int64_t width, std::int32_t* columns);

    // sums += |start + sum of value * panel[column]|^2 for rows given by their entries, those of row r from
    // first[r] to first[r + 1]; entries of columns from `columns` on do not reach this panel.
    void (*add_sparse_squares)(const std::int32_t* column, const double* value, const std::int64_t* first,
                               std::int64_t rows, const double* panel, std::int32_t columns,
                               const double* start, double* sums);

    // Log posteriors of rows whose joint log likelihoods lie `stride` apart, and their first largest class;
    // returns the rows that cannot be normalised. `room` has space for four numbers a class; `out` may be
    // `scores` where the rows lie side by side.
    std::int64_t (*log_posteriors)(const double* scores, std::int64_t rows, std::int64_t classes,
                                   std::int64_t stride, double* room, double* out, std::int32_t* best);

    GridLoops grid;
};

ASSAY_SIMD(ScoresSimd, scores_simd)

}  // namespace assay
