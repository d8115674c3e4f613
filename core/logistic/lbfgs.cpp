#include "logistic/lbfgs.hpp"

#include "simd/vector_ops.hpp"

namespace assay {
namespace {

// rho * (values . q) for one step of a model.
double share_of(double rho, const double* values, const double* q, std::int64_t size) {
    double product = 0.0;
    vector_ops().dots(q, values, 1, size, &product);
    return rho * product;
}

}  // namespace

void two_loop_backward(const Steps& steps, const std::int64_t* which, std::int64_t count, double* q,
                       double* share) {
    for (std::int64_t i = 0; i < count; ++i, q += steps.size)
        for (std::int64_t s = steps.steps - 1; s >= 0; --s) {
            const std::int64_t at = s * steps.models + which[i];
            double& part = share[s * count + i];
            part = 0.0;
            if (steps.rho[at] == 0.0) continue;
            part = share_of(steps.rho[at], steps.s + at * steps.size, q, steps.size);
            vector_ops().add_multiple(-part, steps.y + at * steps.size, steps.size, q);
        }
}

void two_loop_forward(const Steps& steps, const std::int64_t* which, std::int64_t count, const double* share,
                      double* q) {
    for (std::int64_t i = 0; i < count; ++i, q += steps.size)
        for (std::int64_t s = 0; s < steps.steps; ++s) {
            const std::int64_t at = s * steps.models + which[i];
            if (steps.rho[at] == 0.0) continue;
            const double again = share_of(steps.rho[at], steps.y + at * steps.size, q, steps.size);
            vector_ops().add_multiple(share[s * count + i] - again, steps.s + at * steps.size, steps.size, q);
        }
}

}  // namespace assay
