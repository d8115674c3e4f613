// Blocks of (row, model) pairs, loaded once and handed to the kernels sorted by model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/table.hpp"
#include "base/threads.hpp"
#include "scores/scores.hpp"

namespace assay {

// Pairs of a tile in the order of their model, stable; null: they are in that order. Few models are counted,
// many are sorted.
inline void sort_by_model(const std::int32_t* model, std::int64_t count, std::int64_t models,
                          std::vector<std::int32_t>& order, std::vector<std::int32_t>& next) {
    order.resize(count);
    if (model && models <= 4 * count) {
        next.assign(models + 1, 0);
        for (std::int64_t i = 0; i < count; ++i) ++next[model[i] + 1];
        for (std::int64_t m = 0; m < models; ++m) next[m + 1] += next[m];
        for (std::int64_t i = 0; i < count; ++i) order[next[model[i]]++] = static_cast<std::int32_t>(i);
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
    if (model)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int32_t a, std::int32_t b) { return model[a] < model[b]; });
}

constexpr std::int64_t kAsked = std::int64_t{1} << 16;  // numbers that stay in the second-level cache

// Asks for the rows of a tile in the order in which they lie: along that the processor reads ahead, along
// rows sorted by model it does not.
inline void ask_for(const Rows& table, const Pairs& pairs, std::int64_t first, std::int64_t count) {
    constexpr std::int64_t kLine = 64 / sizeof(double);
    for (std::int64_t i = first; i < first + count; ++i) {
        const double* row = table.f64 + (pairs.rows ? pairs.rows[i] : i) * table.row_stride;
        for (std::int64_t j = 0; j < table.columns; j += kLine) __builtin_prefetch(row + j);
    }
}

// Calls run(model, source, place, count, x, to, worker) for every run of pairs of one model inside a tile:
// pair i is the row x + source[i] * width, its scores go to `to` + place[i] * classes. A tile of several
// forms, or of posteriors, is put where it goes while it is in the cache.
template <class Run>
void over_runs(const Rows& table, const Pairs& pairs, const Shape& shape, std::int64_t tile_rows, int threads,
               const Sheets& out, Run&& run) {
    const std::int64_t tiles = (pairs.count + tile_rows - 1) / tile_rows;
    const int workers = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, tiles)));
    struct Buffers {
        std::vector<double> rows, scores, room;
        std::vector<std::int32_t> place, next;
        std::vector<std::int64_t> source, unusable;
    };
    std::vector<Buffers> buffers(workers);
    parallel_for(tiles, workers, [&](std::int64_t tile, int worker) {
        Buffers& b = buffers[worker];
        const std::int64_t first = tile * tile_rows, count = std::min(tile_rows, pairs.count - first);
        const double* x = table.f64;
        if (!table.direct()) {
            b.rows.resize(static_cast<std::size_t>(tile_rows * table.width()));
            x = load_rows(table, pairs.rows ? pairs.rows + first : nullptr, first, count, b.rows.data());
        }
        const std::int32_t* model = pairs.models ? pairs.models + first : nullptr;
        const bool sorted = !model || std::is_sorted(model, model + count);
        if (!sorted && table.direct() && count * shape.width <= kAsked) ask_for(table, pairs, first, count);
        sort_by_model(sorted ? nullptr : model, count, shape.models, b.place, b.next);
        b.source.resize(count);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t at = b.place[i];
            b.source[i] = !table.direct() ? at : pairs.rows ? pairs.rows[first + at] : first + at;
        }
        double* to = out.scores + first * shape.classes;
        if (!out.plain()) {
            b.scores.resize(static_cast<std::size_t>(tile_rows * shape.classes));
            b.room.resize(static_cast<std::size_t>(4 * shape.classes));
            b.unusable.resize(static_cast<std::size_t>(out.forms));
            to = b.scores.data();
        }
        for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
            const std::int64_t m = model ? model[b.place[begin]] : 0;
            while (end < count && (!model || model[b.place[end]] == m)) ++end;
            run(m, b.source.data() + begin, b.place.data() + begin, end - begin, x, to, worker);
        }
        if (!out.plain()) put_tile(to, pairs, shape, first, count, b.room.data(), b.unusable.data(), out);
    });
    if (!out.unusable) return;
    for (const Buffers& b : buffers)
        for (std::size_t form = 0; form < b.unusable.size(); ++form) out.unusable[form] += b.unusable[form];
}

}  // namespace assay
