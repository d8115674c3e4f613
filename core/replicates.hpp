// Moments of many bootstrap replicates, and the rows each of them left out.
#pragma once

#include <cstdint>

#include "moments.hpp"
#include "rows.hpp"

namespace assay {

// Each replicate is a vector of multiplicities (replicates x rows). `pool` 0: diagonal form, OUT product
// (replicates x cells x width); otherwise as in full_moments with a leading axis of replicates. OUT
// drawn_rows (replicates x cells): the number of distinct rows drawn.
void replicate_moments(const Rows& table, const Cells& cells, const std::uint16_t* multiplicity,
                       std::int64_t replicates, std::int64_t pool, int threads, double* weight,
                       double* drawn_rows, double* sum, double* product);

// The pairs (replicate, row) that were never drawn, by blocks of rows, then replicates, then rows: a block of
// rows stays in the cache while every replicate scores it. The outputs have room for one more.
void out_of_bag(const std::uint16_t* multiplicity, std::int64_t replicates, std::int64_t rows,
                std::int32_t* replicate, std::int64_t* row);

}  // namespace assay
