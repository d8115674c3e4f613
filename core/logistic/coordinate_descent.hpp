// Coordinate descent on a quadratic with absolute values: the inner problem of logistic regression under l1.
#pragma once

#include <cstdint>

namespace assay {

// Minimises over x, beginning at x = start,
//   gradient' (x - start) + (x - start)' hessian (x - start) / 2 + sum of l1 |x|,
// one coordinate after the other; between sweeps over all of them, sweeps over those that are not 0. Ends
// when a sweep over all changes no entry of the gradient by more than tol through its own coordinate, or
// after so many sweeps; returns how many were made, and -1 in place of that where they did not suffice.
// Coordinates without curvature stay.
std::int64_t coordinate_descent(const double* hessian, const double* gradient, const double* start,
                                const double* l1, std::int64_t count, std::int64_t sweeps, double tol,
                                double* out);

}  // namespace assay
