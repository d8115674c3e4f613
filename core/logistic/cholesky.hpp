// Cholesky factors of many matrices, and systems solved with them; a thread takes a matrix at a time.
#pragma once

#include <cstdint>

namespace assay {

// Numbers that the factor of a matrix takes.
std::int64_t factor_size(std::int64_t size);

// Factors of `count` symmetric matrices (size x size) with diagonals added to them; good[m] says whether
// matrix m is positive definite. A factor that is not good means nothing.
void cholesky_factors(const double* matrices, const double* diagonals, std::int64_t count, std::int64_t size,
                      int threads, double* factors, bool* good);

// Right-hand sides (count x size) replaced by solutions, each by the factor that `which` names.
void cholesky_solve(const double* factors, const std::int64_t* which, std::int64_t count, std::int64_t size,
                    int threads, double* right);

}  // namespace assay
