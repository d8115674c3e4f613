#include "blas.hpp"

#include <algorithm>

namespace assay::blas {
namespace {

using Syrk = void (*)(char*, char*, int*, int*, double*, double*, int*, double*, double*, int*);
using Trmm = void (*)(char*, char*, char*, char*, int*, int*, double*, double*, int*, double*, int*);
using Gemm = void (*)(char*, char*, int*, int*, int*, double*, double*, int*, double*, int*, double*, double*,
                      int*);

Syrk dsyrk = nullptr;
Trmm dtrmm = nullptr;
Gemm dgemm = nullptr;

// Fortran's interface takes everything by non-const pointer; the inputs are not written.
double* writable(const double* p) { return const_cast<double*>(p); }

}  // namespace

void use(std::uintptr_t syrk, std::uintptr_t trmm, std::uintptr_t gemm) {
    dsyrk = reinterpret_cast<Syrk>(syrk);
    dtrmm = reinterpret_cast<Trmm>(trmm);
    dgemm = reinterpret_cast<Gemm>(gemm);
}

void add_gram(const double* a, int rows, int columns, double* c) {
    if (dsyrk) {  // row-major A is column-major A'; row-major lower is column-major upper
        char uplo = 'U', trans = 'N';
        double one = 1.0;
        dsyrk(&uplo, &trans, &columns, &rows, &one, writable(a), &columns, &one, c, &columns);
        return;
    }
    for (int r = 0; r < rows; ++r) {
        const double* row = a + static_cast<std::int64_t>(r) * columns;
        for (int i = 0; i < columns; ++i)
            for (int j = 0; j <= i; ++j) c[static_cast<std::int64_t>(i) * columns + j] += row[i] * row[j];
    }
}

void times_triangle(double* a, int rows, int columns, const double* u) {
    if (dtrmm) {
        char side = 'L', uplo = 'L', trans = 'N', diag = 'N';
        double one = 1.0;
        dtrmm(&side, &uplo, &trans, &diag, &columns, &rows, &one, writable(u), &columns, a, &columns);
        return;
    }
    for (int r = 0; r < rows; ++r) {
        double* row = a + static_cast<std::int64_t>(r) * columns;
        for (int j = columns - 1; j >= 0; --j) {  // column j needs the old values of columns 0..j only
            double sum = 0.0;
            for (int i = 0; i <= j; ++i) sum += row[i] * u[static_cast<std::int64_t>(i) * columns + j];
            row[j] = sum;
        }
    }
}

void times(const double* a, int rows, int inner, int columns, const double* w, double* c) {
    if (dgemm) {
        char n = 'N';
        double one = 1.0, zero = 0.0;
        dgemm(&n, &n, &columns, &rows, &inner, &one, writable(w), &columns, writable(a), &inner, &zero, c,
              &columns);
        return;
    }
    std::fill(c, c + static_cast<std::int64_t>(rows) * columns, 0.0);
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < inner; ++i)
            for (int j = 0; j < columns; ++j)
                c[static_cast<std::int64_t>(r) * columns + j] +=
                    a[static_cast<std::int64_t>(r) * inner + i] *
                    w[static_cast<std::int64_t>(i) * columns + j];
}

}  // namespace assay::blas
