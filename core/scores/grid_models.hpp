// Models of a grid of settings as its vector loops read them: columns in panels, in single and in double
// precision.
#pragma once

#include <cstdint>
#include <vector>

#include "scores/grid.hpp"
#include "scores/simd.hpp"

namespace assay {

// Columns in panels, those that fill up the last one 0.
template <class T>
struct Turned {
    std::vector<T> turn, start, share;

    // columns (width x count, column j of row d at d * across + j * along), start (count).
    void take(const GridModels& m, const double* columns, std::int64_t across, std::int64_t along,
              std::int64_t count, const double* from);
    std::int64_t panels() const {
        return static_cast<std::int64_t>(start.size()) / scores_simd().grid.columns;
    }
};

struct PackedModel {
    std::vector<Turned<float>> floats;  // bases x classes
    std::vector<Turned<double>> doubles;
    std::vector<float> bias;        // bases x most x classes
    std::vector<GridError> errors;  // bases x classes
    Turned<float> lines_float;      // columns: lines x classes
    Turned<double> lines_double;
    std::vector<GridError> line_errors;  // lines x classes

    PackedModel() = default;
    PackedModel(const GridModels& m, std::int64_t model);
};

}  // namespace assay
