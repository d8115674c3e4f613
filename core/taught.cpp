#include "taught.hpp"

#include "leaves.hpp"

namespace assay {
namespace {

// inverse * (values . q) for one step of a model.
double share_of(double inverse, const double* values, const double* q, std::int64_t size) {
    double product = 0.0;
    leaves().dots(q, values, 1, size, &product);
    return inverse * product;
}

}  // namespace

void free_of_steps(const Steps& steps, const std::int64_t* which, std::int64_t count, double* q,
                   double* share) {
    for (std::int64_t i = 0; i < count; ++i, q += steps.size)
        for (std::int64_t s = steps.steps - 1; s >= 0; --s) {
            const std::int64_t at = s * steps.models + which[i];
            double& part = share[s * count + i];
            part = 0.0;
            if (steps.inverse[at] == 0.0) continue;
            part = share_of(steps.inverse[at], steps.moved + at * steps.size, q, steps.size);
            leaves().add_multiple(-part, steps.bent + at * steps.size, steps.size, q);
        }
}

void with_steps(const Steps& steps, const std::int64_t* which, std::int64_t count, const double* share,
                double* q) {
    for (std::int64_t i = 0; i < count; ++i, q += steps.size)
        for (std::int64_t s = 0; s < steps.steps; ++s) {
            const std::int64_t at = s * steps.models + which[i];
            if (steps.inverse[at] == 0.0) continue;
            const double again = share_of(steps.inverse[at], steps.bent + at * steps.size, q, steps.size);
            leaves().add_multiple(share[s * count + i] - again, steps.moved + at * steps.size, steps.size, q);
        }
}

}  // namespace assay
