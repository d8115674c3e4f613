// Which features to take next, or to give up: every candidate tried in one pass over the rows.
//
// Tested rows lie feature by feature, sorted by cell: the split that tests them and their class. A cell fills
// whole groups of kSearchRows; rows that only fill up have NaN margins and are never right. What a search
// keeps are the margins of each row, the score of its own class less that of each other class; a row is right
// where all of them win.
#pragma once

#include <cstdint>

#include "base/interrupt.hpp"
#include "base/table.hpp"

namespace assay {

// Sorted rows: cell c holds places first[c] to first[c + 1], its rows have class own[c] and are tested by the
// model of split[c].
struct SortedRows {
    std::int64_t count, features, classes, cells, splits;
    const std::int64_t* first;
    const std::int32_t *split, *own;
    const double* weight;  // or null: hits are counted

    std::int64_t rivals() const { return classes - 1; }
};

// Units that move together: unit u has features feature[start[u]] to feature[start[u + 1]].
struct Units {
    std::int64_t count;
    const std::int64_t* start;
    const std::int32_t* feature;
};

// Rows source[i] (-1: none) of a table, less the center of their split, feature by feature: out (features x
// count).
void sort_rows(const Rows& table, const SortedRows& rows, const std::int64_t* source, const double* center,
               int threads, double* out);

// Independent normal features: the score of class k is the sum of constant - half (x - mean)^2 over the
// features, each parameter (splits x features x classes).
struct NormalModels {
    const double *mean, *half, *constant;
};

// margin += the features listed, in that order.
void add_normals(const SortedRows& rows, const double* x, const NormalModels& models,
                 const std::int32_t* feature, std::int64_t listed, int threads, InterruptCheck& pause,
                 double* margin);

// Hits with each unit added to the margins.
void try_normals(const SortedRows& rows, const double* x, const NormalModels& models, const Units& units,
                 const double* margin, int threads, InterruptCheck& pause, double* hits);

// Hits of the margins with all units but one, for each: sums of those before it and of those behind it, so
// that nothing is ever taken off again.
void leave_normals(const SortedRows& rows, const double* x, const NormalModels& models, const Units& units,
                   const double* margin, int threads, InterruptCheck& pause, double* hits);

// Linear scores. A feature enters or leaves: its column, as it was, times slope adds to the margins, and a
// multiple of it to every other column, so that these are what the models need of them next (see sweep.py).
struct Move {
    std::int32_t feature;
    const double *slope, *center;  // (cells x rivals)
    const double* factor;          // (splits x features); of the feature itself: what it is multiplied by
};

// Makes the move (null: none), then gives the hits with each unit moved next. Slopes and centers (cells x
// features listed in units x rivals); columns in `others` only follow.
void try_moves(const SortedRows& rows, const Move* move, const Units& units, const double* slope,
               const double* center, const std::int32_t* others, std::int64_t other_count, int threads,
               InterruptCheck& pause, double* x, double* margin, double* hits);

}  // namespace assay
