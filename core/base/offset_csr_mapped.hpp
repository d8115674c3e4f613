// Some of the rows of filled entries, in other coordinates.
#pragma once

#include <cstdint>

#include "base/offset_csr.hpp"

namespace assay {

// Rows which[0..count) with numbers factor z + shift; `place` has the new column of every old one, or -1, and
// no new column twice.
void map_filled(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count,
                const std::int32_t* place, const double* factor, const double* shift, std::int64_t width,
                OffsetCsr<double>& out);

}  // namespace assay
