#include "cells.hpp"

#include <algorithm>

namespace assay {

template <class Cell>
void cell_sums(const Layers<Cell>& given, const std::int32_t* codes, std::int64_t classes,
               const double* weight, double* sums) {
    std::fill(sums, sums + given.layers * given.cells * classes, 0.0);
    for (std::int64_t l = 0; l < given.layers; ++l) {
        const Cell* cell = given.cell + l * given.rows;
        double* own = sums + l * given.cells * classes;
        for (std::int64_t r = 0; r < given.rows; ++r)
            if (cell[r] >= 0) own[cell[r] * classes + codes[r]] += weight ? weight[r] : 1.0;
    }
}

template <class Cell>
void cell_copies(const Layers<Cell>& given, const std::int32_t* layer, std::int64_t models,
                 const std::uint16_t* table, std::uint16_t* copies) {
    for (std::int64_t m = 0; m < models; ++m) {
        const Cell* cell = given.cell + layer[m] * given.rows;
        const std::uint16_t* own = table + m * given.cells;
        std::uint16_t* out = copies + m * given.rows;
        for (std::int64_t r = 0; r < given.rows; ++r) out[r] = cell[r] < 0 ? 0 : own[cell[r]];
    }
}

template <class Cell>
void count_pairs(const Layers<Cell>& given, const std::int64_t* first, std::int64_t* ends) {
    std::int64_t found = 0;
    for (std::int64_t l = 0; l < given.layers; ++l) {
        const Cell* cell = given.cell + l * given.rows;
        const std::int64_t* own = first + l * given.cells;
        for (std::int64_t r = 0; r < given.rows; ++r)
            found += cell[r] < 0 ? 0 : own[cell[r] + 1] - own[cell[r]];
        ends[l] = found;
    }
}

template <class Cell>
void list_pairs(const Layers<Cell>& given, const std::int64_t* first, const std::int32_t* tests,
                const std::int64_t* ends, std::int64_t* row, std::int32_t* test) {
    const std::int64_t last = first[given.layers * given.cells] - 1;
    std::int64_t found = 0;
    for (std::int64_t l = 0; l < given.layers; ++l) {
        const Cell* cell = given.cell + l * given.rows;
        const std::int64_t* own = first + l * given.cells;
        for (std::int64_t r = 0; r < given.rows && found < ends[l]; ++r) {
            const std::int64_t start = cell[r] < 0 ? 0 : own[cell[r]];
            std::int64_t count = cell[r] < 0 ? 0 : own[cell[r] + 1] - start;
            count = std::min(count, ends[l] - found);
            // The first is written always and kept only if there is one: no branch to mispredict.
            row[found] = r;
            test[found] = tests[std::min(start, last)];
            for (std::int64_t i = 1; i < count; ++i) {
                row[found + i] = r;
                test[found + i] = tests[start + i];
            }
            found += count;
        }
    }
}

#define FOR_CELLS(Cell)                                                                                      \
    template void cell_sums(const Layers<Cell>&, const std::int32_t*, std::int64_t, const double*, double*); \
    template void cell_copies(const Layers<Cell>&, const std::int32_t*, std::int64_t, const std::uint16_t*,  \
                              std::uint16_t*);                                                               \
    template void count_pairs(const Layers<Cell>&, const std::int64_t*, std::int64_t*);                      \
    template void list_pairs(const Layers<Cell>&, const std::int64_t*, const std::int32_t*,                  \
                             const std::int64_t*, std::int64_t*, std::int32_t*);
FOR_CELLS(std::int16_t)
FOR_CELLS(std::int32_t)

}  // namespace assay
