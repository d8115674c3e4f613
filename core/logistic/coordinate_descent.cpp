#include "logistic/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "simd/vector_ops.hpp"

namespace assay {
namespace {

class Descent {
  public:
    Descent(const double* hessian, const double* gradient, const double* l1, std::int64_t count, double* x)
        : hessian_(hessian), l1_(l1), count_(count), x_(x), slope_(gradient, gradient + count) {}

    // One sweep; the largest change of a gradient entry through its own coordinate.
    double sweep(bool all) {
        double largest = 0.0;
        for (std::int64_t j = 0; j < count_; ++j)
            if (all || x_[j] != 0.0) largest = std::max(largest, visit(j));
        return largest;
    }

  private:
    double visit(std::int64_t j) {
        const double* row = hessian_ + j * count_;
        const double curvature = row[j];
        if (!(curvature > 0.0)) return 0.0;
        const double target = curvature * x_[j] - slope_[j];
        const double size = std::abs(target) - l1_[j];
        const double to = size > 0.0 ? std::copysign(size, target) / curvature : 0.0;
        const double step = to - x_[j];
        if (step == 0.0) return 0.0;
        x_[j] = to;
        vector_ops().add_multiple(step, row, count_, slope_.data());
        return std::abs(step) * curvature;
    }

    const double *hessian_, *l1_;
    std::int64_t count_;
    double* x_;
    std::vector<double> slope_;
};

}  // namespace

std::int64_t coordinate_descent(const double* hessian, const double* gradient, const double* start,
                                const double* l1, std::int64_t count, std::int64_t sweeps, double tol,
                                double* out) {
    std::copy_n(start, count, out);
    Descent descent(hessian, gradient, l1, count, out);
    bool all = true;
    for (std::int64_t made = 1; made <= sweeps; ++made) {
        const bool still = descent.sweep(all) <= tol;
        if (still && all) return made;
        all = still;
    }
    return -1;
}

}  // namespace assay
