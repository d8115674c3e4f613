#include "base/offset_csr_mapped.hpp"

#include <numeric>

namespace assay {

void map_filled(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count,
                const std::int32_t* place, const double* factor, const double* shift, std::int64_t width,
                OffsetCsr<double>& out) {
    out.width = width;
    out.base.assign(shift, shift + width);
    out.every.resize(static_cast<std::size_t>(width));
    std::iota(out.every.begin(), out.every.end(), 0);
    for (std::int64_t j = 0; j < rows.width; ++j)
        if (place[j] >= 0) out.base[place[j]] += factor[place[j]] * rows.base[j];
    std::int64_t entries = 0, used = 0;
    for (std::int64_t i = 0; i < count; ++i) entries += rows.entries(which[i]);
    out.column.resize(static_cast<std::size_t>(entries)), out.value.resize(static_cast<std::size_t>(entries));
    out.first.reserve(static_cast<std::size_t>(count + 1));
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t e = rows.first[which[i]]; e < rows.first[which[i] + 1]; ++e) {
            const std::int32_t j = place[rows.column[e]];
            if (j < 0) continue;
            out.column[used] = j, out.value[used++] = factor[j] * rows.value[e];
        }
        out.first.push_back(used);
    }
    out.column.resize(static_cast<std::size_t>(used)), out.value.resize(static_cast<std::size_t>(used));
}

}  // namespace assay
