// The augmented hinge along a line; included by leaves.cpp alone.
#pragma once

#include "lanes.hpp"

namespace assay {
namespace {

void hinge_line(const double* __restrict t, const double* __restrict bent, const double* __restrict c,
                std::int64_t count, double length, double* __restrict sums) {
    const Four none = all(0.0), whole = all(1.0), half = all(0.5), step = all(length);
    Four value[2] = {none, none}, slope[2] = {none, none};
    const auto add = [&](const Four& at, const Four& bends, const Four& share, int lane) {
        const Four m = at - step * bends, low = m > none ? m : none, p = low < whole ? low : whole,
                   weighted = share * p;
        value[lane] += weighted * (m - half * p);
        slope[lane] += weighted * bends;
    };
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        add(load_four(t + i), load_four(bent + i), load_four(c + i), 0);
        add(load_four(t + i + 4), load_four(bent + i + 4), load_four(c + i + 4), 1);
    }
    for (; i < count; ++i) add(Four{t[i]}, Four{bent[i]}, Four{c[i]}, 0);
    sums[0] = fold({value[0], value[1]});
    sums[1] = fold({slope[0], slope[1]});
}

}  // namespace
}  // namespace assay
