// The augmented hinge of rows whose scores move along a line; see solvers/hinge.py.
//
//     t = alpha + sigma (1 - y f),   p = clip(t, 0, 1),   loss of a row c (t^2 - (t - p)^2) / 2 sigma
#pragma once

#include <cstdint>
#include <vector>

namespace assay {

// Along a step whose quadratic part has slope `linear` and curvature `square`: where the function has fallen
// and its slope is a half or less, by bisection; 1 if it is so there. t falls by `bent` a length.
double hinge_length(const double* t, const double* bent, const double* c, std::int64_t count, double sigma,
                    double linear, double square);

// What is known of the rows near the margin while their scores move.
struct HingeRows {
    std::vector<double> y, c, alpha, f, first, t, p, bent;
    double sigma;
    std::vector<std::int64_t> changed;  // rows whose p the last move changed, and by how much, times c y
    std::vector<double> change;

    HingeRows(const double* sides, const double* shares, const double* scores, const double* multipliers,
              std::int64_t count, double sharp);

    std::int64_t count() const { return static_cast<std::int64_t>(y.size()); }

    // Moves scores along a step, as far as `hinge_length` says; returns the length.
    double move(const double* along, double linear, double square);

    struct Figures {
        double hinge, open, moved;  // sum of c max(0, r), of c (max(0, r) - p r), r = 1 - y f; largest move
    };
    Figures figures() const;

    std::vector<std::int64_t> free() const;  // rows with 0 < t < 1
};

}  // namespace assay
