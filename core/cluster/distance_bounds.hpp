// Rows and centres as k-means multiplies them, in single precision.
//
// About a point and in a unit that keeps numbers near 1, |x - c|^2 = |a|^2 + 2 (|b|^2 / 2 - a.b): the order
// of the centres is that of the keys in brackets, which are |b|^2 (1 - e) / 2 plus the product of [a, |a|]
// with
// [-b, -e |b|]. The parts with e lower a key by more than single precision can be wrong: it is a bound from
// below. Twice as much added is one from above.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "neighbors/neighbors.hpp"

namespace assay {

inline float round_up_to_float(double value) { return static_cast<float>(value * (1.0 + 0x1p-22)); }
inline float round_down_to_float(double value) { return static_cast<float>(value * (1.0 - 0x1p-22)); }

// The point and the unit.
class Frame {
  public:
    Frame(const RowMatrix& rows, int threads);
    std::int64_t depth() const { return static_cast<std::int64_t>(center_.size()) + 1; }
    std::int64_t width() const { return static_cast<std::int64_t>(center_.size()); }
    double unit() const { return unit_; }
    const double* center() const { return center_.data(); }
    // Largest |x - center| of each column.
    const std::vector<double>& largest() const { return largest_; }
    // [a, |a|] of a row given as doubles.
    void write(const double* x, float* out) const {
        double squares = 0.0;
        const std::int64_t width = depth() - 1;
        for (std::int64_t j = 0; j < width; ++j) {
            const double a = (x[j] - center_[static_cast<std::size_t>(j)]) * unit_;
            squares += a * a;
            out[j] = static_cast<float>(a);
        }
        out[width] = static_cast<float>(std::sqrt(squares));
    }

  private:
    double unit_ = 1.0;
    std::vector<double> center_, largest_;
};

// The centres in panels for `nearest_two`.
class CenterPanels {
  public:
    CenterPanels(const Frame& frame, std::int64_t groups);
    void set(const double* centers);
    std::int64_t count() const { return panel_count_; }
    const float* panels() const { return panels_.data(); }
    const float* bias() const { return bias_.data(); }
    // Whether the key of a centre is the least for certain, given the second least; `norm` is the row's |a|.
    // Keys that are not numbers name no centre.
    bool certain(std::int32_t center, float norm, float best, float second) const {
        if (static_cast<std::size_t>(center) >= norm_.size()) return false;
        const double c = norm_[static_cast<std::size_t>(center)], a = static_cast<double>(norm),
                     reach = a + c;
        return static_cast<double>(second) >
               static_cast<double>(best) + 2.3 * slack_ * c * (0.5 * c + a) + blur_ * reach * reach + 2e-36;
    }
    // Bound from below of a distance from the bound of its key.
    float distance_below(float norm, float key) const {
        const double a = static_cast<double>(norm);
        const double squared = a * a * (1.0 - 0x1p-22) + 2.0 * static_cast<double>(key);
        return squared > 0.0 ? static_cast<float>(std::min(1e15, std::sqrt(squared) * (1.0 - 0x1p-22)))
                             : 0.0f;
    }

  private:
    const Frame& frame_;
    std::int64_t groups_, tall_, panel_count_;
    double slack_, blur_;  // shares that keys in single, and distances in double precision may be wrong by
    std::vector<double> norm_;
    std::vector<float> panels_, bias_;
};

}  // namespace assay
