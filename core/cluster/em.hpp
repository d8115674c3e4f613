// Steps of EM for mixtures of normal densities, one after the other without leaving the compiled code: for
// tables so small that calls would take longer than sums.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"

namespace assay {

enum class BlobShape : std::int32_t { kFull = 0, kTied = 1, kDiagonal = 2, kSpherical = 3 };
enum class EmEnd : std::int32_t { kArrived = 0, kOutOfSteps = 1, kCollapsing = 2 };

// Rows and what they are fitted by; code is null where there is one class.
struct EmProblem {
    const double* x;
    const double* weight;
    const std::int32_t* code;
    std::int64_t count, width, classes, blobs;
    BlobShape shape;
    double floor;

    bool crossed() const { return shape == BlobShape::kFull || shape == BlobShape::kTied; }
    std::int64_t spread() const { return crossed() ? width * width : width; }  // numbers of a covariance
};

// Shares (classes x blobs), means (blobs x width), covariances or variances, upper triangular whiteners or
// precisions, log determinants, and the directions of each blob that were raised to the floor.
struct EmBlobs {
    double *shares, *means, *covariances, *whiteners, *log_determinants;
    std::int64_t* floored;
};

// At most `steps` steps from the blobs, which are replaced, until one gains no more than `gain`; a fall by at
// most `rounding` counts as none. `history` gets the log likelihood of the start and after every step. A step
// that would leave a blob with less than `least` of the weight, or bring a very wide covariance to its floor,
// is not taken: kCollapsing.
EmEnd em_steps(const EmProblem& problem, std::int64_t steps, double gain, double rounding, double least,
               InterruptCheck& pause, const EmBlobs& blobs, std::vector<double>& history);

}  // namespace assay
