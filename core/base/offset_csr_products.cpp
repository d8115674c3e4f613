#include <algorithm>

#include "base/offset_csr.hpp"

namespace assay {
namespace {

constexpr std::int64_t kSpan = 256;  // rows whose sums are added up before they join the others

}  // namespace

void filled_scores(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count,
                   const double* b, double* out) {
    const std::int32_t* column = rows.column.data();
    const double* value = rows.value.data();
    double start = b[rows.width];
    for (std::int64_t j = 0; j < rows.width; ++j) start += rows.base[j] * b[j];
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t end = rows.first[which[i] + 1];
        std::int64_t e = rows.first[which[i]];
        double one = 0, two = 0;  // two sums: an addition need not wait for the one before
        for (; e + 2 <= end; e += 2) one += value[e] * b[column[e]], two += value[e + 1] * b[column[e + 1]];
        if (e < end) one += value[e] * b[column[e]];
        out[i] = start + (one + two);
    }
}

void filled_sums(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count,
                 const double* r, std::int64_t models, double* out) {
    const std::int32_t* column = rows.column.data();
    const double* value = rows.value.data();
    const std::int64_t width = rows.width;
    std::vector<double> part(static_cast<std::size_t>(width + 1));
    std::fill(out, out + models * (width + 1), 0.0);
    for (std::int64_t m = 0; m < models; ++m) {
        const double* factor = r + m * count;
        double* sum = out + m * (width + 1);
        for (std::int64_t begin = 0; begin < count; begin += kSpan) {
            std::fill(part.begin(), part.end(), 0.0);
            for (std::int64_t i = begin; i < std::min(count, begin + kSpan); ++i) {
                const double f = factor[i];
                if (f == 0.0) continue;
                for (std::int64_t e = rows.first[which[i]]; e < rows.first[which[i] + 1]; ++e)
                    part[column[e]] += f * value[e];
                part[width] += f;
            }
            for (std::int64_t j = 0; j <= width; ++j) sum[j] += part[j];
        }
        for (std::int64_t j = 0; j < width; ++j) sum[j] += sum[width] * rows.base[j];
    }
}

void filled_dense(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count, double* out) {
    for (std::int64_t i = 0; i < count; ++i, out += rows.width + 1) {
        std::copy(rows.base.begin(), rows.base.end(), out);
        out[rows.width] = 1.0;
        for (std::int64_t e = rows.first[which[i]]; e < rows.first[which[i] + 1]; ++e)
            out[rows.column[e]] += rows.value[e];
    }
}

}  // namespace assay
