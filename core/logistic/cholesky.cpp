#include "logistic/cholesky.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "logistic/simd.hpp"

namespace assay {
namespace {

constexpr std::int64_t kAlone = 1 << 17;  // numbers of factors that one thread reads before another has begun

std::int64_t step_of(std::int64_t size) { return whole_lanes(size + kLanes - 1); }

}  // namespace

std::int64_t factor_size(std::int64_t size) { return size * step_of(size); }

void cholesky_factors(const double* matrices, const double* diagonals, std::int64_t count, std::int64_t size,
                      int threads, double* factors, bool* good) {
    const std::int64_t step = step_of(size);
    parallel_for(count, count * factor_size(size) < kAlone ? 1 : threads, [&](std::int64_t m, int) {
        double* to = factors + m * factor_size(size);
        for (std::int64_t k = 0; k < size; ++k) {
            const double* from = matrices + (m * size + k) * size;
            std::fill(to + k * step, to + (k + 1) * step, 0.0);
            std::copy(from + k, from + size, to + k * step + k);
            to[k * step + k] += diagonals[m * size + k];
        }
        good[m] = logistic_simd().factorise(to, step, size);
    });
}

void cholesky_solve(const double* factors, const std::int64_t* which, std::int64_t count, std::int64_t size,
                    int threads, double* right) {
    parallel_for(count, count * factor_size(size) < kAlone ? 1 : threads, [&](std::int64_t m, int) {
        logistic_simd().solve_factor(factors + which[m] * factor_size(size), step_of(size), size,
                                     right + m * size);
    });
}

}  // namespace assay
