// Moments of many bootstrap replicates.
#pragma once

#include <cstdint>

#include "base/table.hpp"
#include "moments/moments.hpp"

namespace assay {

// Each replicate is a vector of multiplicities (replicates x rows). `pool` 0: diagonal form, OUT product
// (replicates x cells x width); otherwise as in full_moments with a leading axis of replicates. OUT
// drawn_rows (replicates x cells): the number of distinct rows drawn.
void replicate_moments(const Rows& table, const Cells& cells, const std::uint16_t* multiplicity,
                       std::int64_t replicates, std::int64_t pool, int threads, double* weight,
                       double* drawn_rows, double* sum, double* product);

}  // namespace assay
