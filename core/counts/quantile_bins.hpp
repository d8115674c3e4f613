// Columns of numbers cut into bins of about equal counts, and how many rows of each class fall into each bin.
#pragma once

#include <cstdint>

#include "counts/categories.hpp"

namespace assay {

// The edges of a column are its values at ranks `cut` (ascending, from 0), each kept once; a value lies in
// the bin whose number is how many edges do not exceed it. edges[j]: how many column j has, at most `cuts`.
// out[(j * (cuts + 1) + bin) * classes + code]: rows of the class in the bin, one column read by one thread.
// False: a value is not finite.
template <class T>
bool count_bins(const Cellwise<T>& table, const std::int64_t* cut, std::int64_t cuts,
                const std::int32_t* codes, std::int64_t classes, int threads, std::int64_t* edges,
                std::int64_t* out);

}  // namespace assay
