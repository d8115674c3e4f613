// Sizes that arrays are rounded up to, so that vector loops need no rest.
#pragma once

#include <cstdint>

namespace assay {

constexpr std::int64_t kLanes = 8;  // doubles handled side by side, in fixed lanes

inline std::int64_t whole_lanes(std::int64_t width) { return (width + kLanes - 1) / kLanes * kLanes; }

constexpr std::int64_t kPanelBytes = 64;  // of a row of a panel of columns, two vectors side by side

}  // namespace assay
