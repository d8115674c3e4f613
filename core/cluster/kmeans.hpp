// k-means: Lloyd's steps with bounds that spare most of the distances, and the same assignments.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "neighbors/neighbors.hpp"

namespace assay {

// Rows and their weights (null: 1 each), finite. Distances are sums of squared differences in double
// precision, in the order of `DistanceLoops`; a row belongs to the first of its nearest centres.
struct Grouping {
    RowMatrix rows;
    const double* weight = nullptr;
    std::int64_t groups = 0;
};

// When to end: after so many steps, or with one that lowers the error by no more than a share of it; in any
// case with one that moves no row.
struct Stop {
    std::int64_t most_steps;
    double tolerance;
};

struct Settled {
    std::vector<double> errors;  // mean squared distances: at the start, and after every step
    bool converged = false;
    std::int64_t moved = 0;  // empty groups that were given a row
    std::int64_t empty = 0;  // groups left without one
};

// From `centers` (groups x width), which are replaced by those found; `labels` are the nearest of them. A
// step takes the means of the groups and assigns the rows again. A group that lost its rows is given the row
// farthest from the mean of its own group, the first of several; if every row lies on a mean it stays where
// it is.
Settled lloyd(const Grouping& grouping, const Stop& stop, int threads, InterruptCheck& pause, double* centers,
              std::int32_t* labels);

// The first of the nearest centres of every row.
void nearest_centers(const RowMatrix& rows, const double* centers, std::int64_t groups, int threads,
                     InterruptCheck& pause, std::int32_t* labels);

// For each of `count` rows drawn: what `closest` would become with it for a further centre, the lesser of
// itself and the squared distances to it (left, count x rows), and the weighted sum of that.
void closer(const Grouping& grouping, const std::int32_t* drawn, std::int64_t count, const double* closest,
            int threads, double* left, double* sums);

}  // namespace assay
