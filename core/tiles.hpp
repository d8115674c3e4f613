// Blocks of (row, model) pairs, loaded once and handed to the kernels sorted by model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parallel.hpp"
#include "rows.hpp"
#include "scores.hpp"

namespace assay {

// Pairs of a tile in the order of their model, stable.
inline void sort_by_model(const std::int32_t* model, std::int64_t count, std::vector<std::int32_t>& order) {
    order.resize(count);
    for (std::int64_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
    if (!model || std::is_sorted(model, model + count)) return;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return model[a] < model[b]; });
}

// Calls run(model, order, count, x, out, worker) for every run of pairs of one model inside a tile: the rows
// are x + order[i] * width, their scores go to out + order[i] * classes.
template <class Run>
void over_runs(const Rows& table, const Pairs& pairs, std::int64_t classes, std::int64_t tile_rows,
               int threads, double* out, Run&& run) {
    const std::int64_t tiles = (pairs.count + tile_rows - 1) / tile_rows;
    const int workers = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, tiles)));
    const bool direct = table.direct() && !pairs.rows;
    std::vector<std::vector<double>> buffers(workers);
    std::vector<std::vector<std::int32_t>> orders(workers);
    for (auto& buffer : buffers)
        buffer.resize(direct ? 0 : static_cast<std::size_t>(tile_rows * table.width()));
    parallel_for(tiles, workers, [&](std::int64_t tile, int worker) {
        const std::int64_t first = tile * tile_rows, count = std::min(tile_rows, pairs.count - first);
        const double* x =
            load_rows(table, pairs.rows ? pairs.rows + first : nullptr, first, count, buffers[worker].data());
        const std::int32_t* model = pairs.models ? pairs.models + first : nullptr;
        std::vector<std::int32_t>& order = orders[worker];
        sort_by_model(model, count, order);
        for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
            const std::int64_t m = model ? model[order[begin]] : 0;
            while (end < count && (!model || model[order[end]] == m)) ++end;
            run(m, order.data() + begin, end - begin, x, out + first * classes, worker);
        }
    });
}

}  // namespace assay
