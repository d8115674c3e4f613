// The leaves of kernel machines for one type of numbers.
#pragma once

#include <type_traits>

#include "leaves.hpp"

namespace assay {

template <class T>
const MachineLeaves<T>& machines() {
    if constexpr (std::is_same_v<T, float>)
        return leaves().machines32;
    else
        return leaves().machines64;
}

template <class T>
const LayerLeaves<T>& layers() {
    if constexpr (std::is_same_v<T, float>)
        return leaves().layers32;
    else
        return leaves().layers64;
}

}  // namespace assay
