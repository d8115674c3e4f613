// The three BLAS routines the kernels call, single-threaded, on blocks that fit the cache. The addresses come
// from SciPy; where they are not to be had, plain loops stand in (slower, same result to rounding).
#pragma once

#include <cstdint>

namespace assay::blas {

void use(std::uintptr_t dsyrk, std::uintptr_t dtrmm, std::uintptr_t dgemm);

// C += A'A for `rows` x `columns` row-major A; only the half C[i][j], j <= i (row-major) is written.
void add_gram(const double* a, int rows, int columns, double* c);

// A <- A U for row-major A (rows x columns) and upper triangular row-major U.
void times_triangle(double* a, int rows, int columns, const double* u);

// C <- A W for row-major A (rows x inner), W (inner x columns).
void times(const double* a, int rows, int inner, int columns, const double* w, double* c);

}  // namespace assay::blas
