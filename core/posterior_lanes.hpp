// Log posteriors of four rows side by side; included by leaves.cpp alone.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace assay {
namespace {

std::int64_t log_posteriors(const double* scores, std::int64_t rows, std::int64_t classes,
                            std::int64_t stride, double* room, double* out, std::int32_t* best) {
    const Four none = all(0.0), one = all(1.0);
    std::int64_t unusable = 0;
    for (std::int64_t first = 0; first < rows; first += 4) {
        const std::int64_t some = rows - first < 4 ? rows - first : 4;
        const double* s[4];
        for (std::int64_t i = 0; i < 4; ++i) s[i] = scores + (first + (i < some ? i : some - 1)) * stride;
        Four most = {s[0][0], s[1][0], s[2][0], s[3][0]}, top = none, bad = none;
        for (std::int64_t k = 0; k < classes; ++k) {
            const Four v = {s[0][k], s[1][k], s[2][k], s[3][k]};
            store_four(v, room + 4 * k);
            bad = v == v ? bad : one;
            top = v > most ? all(static_cast<double>(k)) : top;
            most = v > most ? v : most;
        }
        Four sum = none;
        for (std::int64_t k = 0; k < classes; ++k) {
            const Four less = load_four(room + 4 * k) - most;
            store_four(less, room + 4 * k);
            sum += exp_four(less);
        }
        sum = log_four(sum);
        for (std::int64_t k = 0; k < classes; ++k) store_four(load_four(room + 4 * k) - sum, room + 4 * k);
        bad = most - most == none ? bad : one;  // infinite
        double tops[4], bads[4];
        store_four(top, tops), store_four(bad, bads);
        for (std::int64_t i = 0; i < some; ++i) {
            double* to = out + (first + i) * classes;
            for (std::int64_t k = 0; k < classes; ++k) to[k] = room[4 * k + i];
            best[first + i] = static_cast<std::int32_t>(tops[i]);
            unusable += bads[i] != 0.0;
        }
    }
    return unusable;
}

}  // namespace
}  // namespace assay
