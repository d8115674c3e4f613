// See vector_ops.hpp; compiled once per instruction set.
#include "simd/vector_ops.hpp"

#include "base/index.hpp"
#include "simd/math.hpp"

namespace assay {
namespace {

// The 4 x 4 transpose of four rows.
ASSAY_INLINE void turn(const double* a, const double* b, const double* c, const double* d, double* out) {
    Four r0, r1, r2, r3;
    __builtin_memcpy(&r0, a, sizeof(Four)), __builtin_memcpy(&r1, b, sizeof(Four));
    __builtin_memcpy(&r2, c, sizeof(Four)), __builtin_memcpy(&r3, d, sizeof(Four));
    const Four t0 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6),
               t1 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
    const Four t2 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6),
               t3 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    const Four c0 = __builtin_shufflevector(t0, t2, 0, 1, 4, 5),
               c1 = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    const Four c2 = __builtin_shufflevector(t0, t2, 2, 3, 6, 7),
               c3 = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
    __builtin_memcpy(out, &c0, sizeof(Four)), __builtin_memcpy(out + kLanes, &c1, sizeof(Four));
    __builtin_memcpy(out + 2 * kLanes, &c2, sizeof(Four)),
        __builtin_memcpy(out + 3 * kLanes, &c3, sizeof(Four));
}

void transpose(const double* __restrict x, const std::int64_t* __restrict source, std::int64_t count,
               std::int64_t width, double* __restrict t) {
    for (std::int64_t first = 0; first < count; first += kLanes, t += width * kLanes) {
        const double* row[kLanes];
        for (std::int64_t i = 0; i < kLanes; ++i)
            row[i] = x + source[first + i < count ? first + i : count - 1] * width;
        std::int64_t j = 0;
        for (; j + 4 <= width; j += 4) {
            turn(row[0] + j, row[1] + j, row[2] + j, row[3] + j, t + j * kLanes);
            turn(row[4] + j, row[5] + j, row[6] + j, row[7] + j, t + j * kLanes + 4);
        }
        for (; j < width; ++j)
            for (std::int64_t i = 0; i < kLanes; ++i) t[j * kLanes + i] = row[i][j];
    }
}

void dots(const double* __restrict row, const double* __restrict matrix, std::int64_t count,
          std::int64_t width, double* __restrict out) {
    for (std::int64_t k = 0; k < count; ++k, matrix += width) {
        Eight sum, a, b;
        clear(sum);
        std::int64_t j = 0;
        for (; j + kLanes <= width; j += kLanes) {
            load(row + j, a), load(matrix + j, b);
            add_product(sum, a, b);
        }
        double total = fold(sum);
        for (; j < width; ++j) total += row[j] * matrix[j];
        out[k] = total;
    }
}

void add_multiple(double factor, const double* __restrict values, std::int64_t count,
                  double* __restrict sums) {
    for (std::int64_t i = 0; i < count; ++i) sums[i] += factor * values[i];
}

// out = function(x), four at a time; `out` may be `x`.
template <Four function(Four)>
void map_all(const double* x, std::int64_t count, double* out) {
    std::int64_t i = 0;
    Four v;
    for (; i + 4 <= count; i += 4) {
        __builtin_memcpy(&v, x + i, sizeof(Four));
        v = function(v);
        __builtin_memcpy(out + i, &v, sizeof(Four));
    }
    for (; i < count; ++i) out[i] = function(all(x[i]))[0];
}

void standardize(const double* __restrict row, const double* __restrict center, const double* __restrict unit,
                 std::int64_t width, double* __restrict out) {
    for (std::int64_t j = 0; j < width; ++j) out[j] = (row[j] - center[j]) * unit[j];
}

}  // namespace

const VectorOps ASSAY_TABLE(vector_ops) = {
    .transpose = transpose,
    .dots = dots,
    .add_multiple = add_multiple,
    .standardize = standardize,
    .exp_all = map_all<exp_four>,
    .log_all = map_all<log_four>,
};

}  // namespace assay
