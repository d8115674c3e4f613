// See simd.hpp; compiled once per instruction set.
#include "counts/simd.hpp"

#include "simd/vector.hpp"

namespace assay {
namespace {

// `Eights` vectors of a line stay in registers while the entries are walked.
template <int Eights>
void add_some_lines(const std::int32_t* __restrict line, const double* __restrict value, std::int64_t count,
                    const double* __restrict table, std::int64_t stride, double* __restrict sum) {
    Eight total[Eights], v;
    for (auto& part : total) clear(part);
    for (std::int64_t e = 0; e < count; ++e) {
        const double* at = table + line[e] * stride;
        for (int i = 0; i < Eights; ++i) load(at + i * 8, v), add_scaled(total[i], value[e], v);
    }
    for (int i = 0; i < Eights; ++i) store(total[i], sum + i * 8);
}

void add_lines(const std::int32_t* line, const double* value, std::int64_t count, const double* table,
               std::int64_t stride, double* sum) {
    std::int64_t at = 0;
    for (; at + 32 <= stride; at += 32) add_some_lines<4>(line, value, count, table + at, stride, sum + at);
    if (at + 24 <= stride) return add_some_lines<3>(line, value, count, table + at, stride, sum + at);
    if (at + 16 <= stride) return add_some_lines<2>(line, value, count, table + at, stride, sum + at);
    if (at + 8 <= stride) add_some_lines<1>(line, value, count, table + at, stride, sum + at);
}

}  // namespace

const CountsSimd ASSAY_TABLE(counts_simd) = {
    .add_lines = add_lines,
};

}  // namespace assay
