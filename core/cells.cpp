#include "cells.hpp"

#include <algorithm>
#include <atomic>

#include "parallel.hpp"

namespace assay {

namespace {

// Threads cost more than they save below so many cells.
constexpr std::int64_t few_cells = 1 << 18;

template <class Cell>
int threads_for(const Layers<Cell>& given, std::int64_t lists, int threads) {
    return lists * given.rows < few_cells ? 1 : threads;
}

}  // namespace

template <class Cell>
bool cells_within(const Layers<Cell>& given, int threads) {
    std::atomic<bool> fit{true};
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        std::int64_t largest = -1;
        for (std::int64_t r = 0; r < given.rows; ++r) largest = std::max<std::int64_t>(largest, cell[r]);
        if (largest >= given.cells) fit = false;
    });
    return fit;
}

template <class Cell>
void cell_sums(const Layers<Cell>& given, const std::int32_t* codes, std::int64_t classes,
               const double* weight, double* sums, int threads) {
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        double* own = sums + l * given.cells * classes;
        std::fill(own, own + given.cells * classes, 0.0);
        for (std::int64_t r = 0; r < given.rows; ++r)
            if (cell[r] >= 0) own[cell[r] * classes + codes[r]] += weight ? weight[r] : 1.0;
    });
}

template <class Cell>
void cell_copies(const Layers<Cell>& given, const std::int32_t* layer, std::int64_t models,
                 const std::uint16_t* table, std::uint16_t* copies, int threads) {
    parallel_for(models, threads_for(given, models, threads), [&](std::int64_t m, int) {
        const Cell* cell = given.cell + layer[m] * given.rows;
        const std::uint16_t* own = table + m * given.cells;
        std::uint16_t* out = copies + m * given.rows;
        for (std::int64_t r = 0; r < given.rows; ++r) out[r] = cell[r] < 0 ? 0 : own[cell[r]];
    });
}

template <class Cell>
void count_pairs(const Layers<Cell>& given, const std::int64_t* first, std::int64_t* ends, int threads) {
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        const std::int64_t* own = first + l * given.cells;
        std::int64_t count = 0;
        for (std::int64_t r = 0; r < given.rows; ++r)
            count += cell[r] < 0 ? 0 : own[cell[r] + 1] - own[cell[r]];
        ends[l] = count;
    });
    for (std::int64_t l = 1; l < given.layers; ++l) ends[l] += ends[l - 1];
}

template <class Cell>
void list_pairs(const Layers<Cell>& given, const std::int64_t* first, const std::int32_t* tests,
                const std::int64_t* ends, std::int64_t* row, std::int32_t* test, int threads) {
    const std::int64_t last = first[given.layers * given.cells] - 1;
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        const std::int64_t* own = first + l * given.cells;
        std::int64_t at = l == 0 ? 0 : ends[l - 1];
        for (std::int64_t r = 0; r < given.rows && at < ends[l]; ++r) {
            const std::int64_t start = cell[r] < 0 ? 0 : own[cell[r]];
            std::int64_t count = cell[r] < 0 ? 0 : own[cell[r] + 1] - start;
            count = std::min(count, ends[l] - at);
            // The first is written always and kept only if there is one: no branch to mispredict.
            row[at] = r;
            test[at] = tests[std::min(start, last)];
            for (std::int64_t i = 1; i < count; ++i) {
                row[at + i] = r;
                test[at + i] = tests[start + i];
            }
            at += count;
        }
    });
}

#define FOR_CELLS(Cell)                                                                                     \
    template bool cells_within(const Layers<Cell>&, int);                                                   \
    template void cell_sums(const Layers<Cell>&, const std::int32_t*, std::int64_t, const double*, double*, \
                            int);                                                                           \
    template void cell_copies(const Layers<Cell>&, const std::int32_t*, std::int64_t, const std::uint16_t*, \
                              std::uint16_t*, int);                                                         \
    template void count_pairs(const Layers<Cell>&, const std::int64_t*, std::int64_t*, int);                \
    template void list_pairs(const Layers<Cell>&, const std::int64_t*, const std::int32_t*,                 \
                             const std::int64_t*, std::int64_t*, std::int32_t*, int);
FOR_CELLS(std::int16_t)
FOR_CELLS(std::int32_t)

}  // namespace assay
