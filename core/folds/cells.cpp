#include "folds/cells.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/threads.hpp"

namespace assay {

namespace {

// Threads cost more than they save below so many cells.
constexpr std::int64_t few_cells = 1 << 18;

template <class Cell>
int threads_for(const Layers<Cell>& given, std::int64_t lists, int threads) {
    return lists * given.rows < few_cells ? 1 : threads;
}

// What a row adds to the list of pairs, by its cell + 1: rows of no cell (-1) need no branch.
struct Added {
    std::vector<std::int64_t> count;
    std::vector<std::int32_t> test;  // the first of them
    bool one_at_most = true;

    // `first` begins with the cells of the layer; no `tests`: their number is all that is asked for.
    Added(const std::int64_t* first, std::int64_t cells, const std::int32_t* tests)
        : count(static_cast<std::size_t>(cells + 1)), test(static_cast<std::size_t>(cells + 1)) {
        for (std::int64_t c = 0; c < cells; ++c) {
            const std::int64_t tested = first[c + 1] - first[c];
            const auto at = static_cast<std::size_t>(c + 1);
            count[at] = tested;
            if (tests && tested > 0) test[at] = tests[first[c]];
            if (tested > 1) one_at_most = false;
        }
    }
};

// Rows of every (cell + 1, class): neighbouring rows are counted in tables of their own, since a sum that was
// just written has to arrive before it is read again.
template <class Cell>
void count_rows(const Cell* cell, const std::int32_t* codes, std::int64_t rows, std::int64_t cells,
                std::int64_t classes, double* sums) {
    constexpr std::int64_t tables = 4;
    const std::int64_t width = (cells + 1) * classes;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(tables * width), 0);
    for (std::int64_t r = 0; r < rows; ++r)
        ++counts[static_cast<std::size_t>((r % tables) * width + (cell[r] + 1) * classes + codes[r])];
    for (std::int64_t i = classes; i < width; ++i) {
        std::int64_t sum = 0;
        for (std::int64_t t = 0; t < tables; ++t) sum += counts[static_cast<std::size_t>(t * width + i)];
        sums[i - classes] = static_cast<double>(sum);
    }
}

}  // namespace

template <class Cell>
bool cells_within(const Layers<Cell>& given, int threads) {
    std::atomic<bool> fit{true};
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        Cell largest = -1, least = -1;  // of the cells' own type, so that many are compared at once
        for (std::int64_t r = 0; r < given.rows; ++r) {
            largest = std::max(largest, cell[r]);
            least = std::min(least, cell[r]);
        }
        if (largest >= given.cells || least < -1) fit = false;
    });
    return fit;
}

template <class Cell>
void cell_sums(const Layers<Cell>& given, const std::int32_t* codes, std::int64_t classes,
               const double* weight, double* sums, int threads) {
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        double* own = sums + l * given.cells * classes;
        if (!weight) {
            count_rows(cell, codes, given.rows, given.cells, classes, own);
            return;
        }
        std::fill(own, own + given.cells * classes, 0.0);
        for (std::int64_t r = 0; r < given.rows; ++r)
            if (cell[r] >= 0) own[cell[r] * classes + codes[r]] += weight[r];
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
        const Added added(first + l * given.cells, given.cells, nullptr);
        const std::int64_t* counts = added.count.data() + 1;
        std::int64_t count = 0;
        for (std::int64_t r = 0; r < given.rows; ++r) count += counts[cell[r]];
        ends[l] = count;
    });
    for (std::int64_t l = 1; l < given.layers; ++l) ends[l] += ends[l - 1];
}

template <class Cell>
void list_pairs(const Layers<Cell>& given, const std::int64_t* first, const std::int32_t* tests,
                const std::int64_t* ends, std::int64_t* row, std::int32_t* test, int threads) {
    parallel_for(given.layers, threads_for(given, given.layers, threads), [&](std::int64_t l, int) {
        const Cell* cell = given.cell + l * given.rows;
        const Added added(first + l * given.cells, given.cells, tests);
        const std::int64_t* __restrict counts = added.count.data() + 1;
        const std::int32_t* __restrict first_test = added.test.data() + 1;
        std::int64_t at = l == 0 ? 0 : ends[l - 1];
        const std::int64_t end = ends[l];
        // The first is written always and kept only if there is one: no branch to mispredict.
        if (added.one_at_most) {
            for (std::int64_t r = 0; r < given.rows && at < end; ++r) {
                row[at] = r;
                test[at] = first_test[cell[r]];
                at += counts[cell[r]];
            }
            return;
        }
        for (std::int64_t r = 0; r < given.rows && at < end; ++r) {
            row[at] = r;
            test[at] = first_test[cell[r]];
            const std::int64_t count = std::min(counts[cell[r]], end - at);
            for (std::int64_t i = 1; i < count; ++i) {
                row[at + i] = r;
                test[at + i] = tests[first[l * given.cells + cell[r]] + i];
            }
            at += count;
        }
    });
}

bool every_row_once(const std::int64_t* row, std::int64_t rows) {
    constexpr std::int64_t grain = 1 << 12;  // looked at without a branch in between
    for (std::int64_t start = 0; start < rows; start += grain) {
        const std::int64_t end = std::min(rows, start + grain);
        std::int64_t off = 0;
        for (std::int64_t r = start; r < end; ++r) off |= row[r] ^ r;
        if (off) return false;
    }
    return true;
}

bool pairs_ascend(const std::int32_t* layer, const std::int64_t* row, const std::int32_t* test,
                  std::int64_t pairs, int threads) {
    constexpr std::int64_t grain = 1 << 16;
    std::atomic<bool> ascending{true};
    parallel_for((pairs + grain - 1) / grain, threads, [&](std::int64_t block, int) {
        const std::int64_t end = std::min(pairs, (block + 1) * grain);
        for (std::int64_t p = std::max<std::int64_t>(1, block * grain); p < end; ++p) {
            const std::int32_t before = layer[test[p - 1]], after = layer[test[p]];
            const bool later = row[p] > row[p - 1] || (row[p] == row[p - 1] && test[p] > test[p - 1]);
            if (after < before || (after == before && !later)) {
                ascending = false;
                return;
            }
        }
    });
    return ascending;
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
