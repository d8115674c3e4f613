// Rows that lie in one cell of every layer: what is trained on and tested follows from tables over the cells.
#pragma once

#include <cstdint>

namespace assay {

// Layers x rows of cells; cell -1: the layer leaves the row out.
template <class Cell>
struct Layers {
    const Cell* cell;
    std::int64_t layers, rows, cells;
};

// Whether every row lies in one of the cells, or in none.
template <class Cell>
bool cells_within(const Layers<Cell>& given, int threads);

// Layers are shared by the threads, so that what is written does not depend on their number.
// OUT sums (layers x cells x classes): of the rows' weights (none: one each), in the order of the rows.
template <class Cell>
void cell_sums(const Layers<Cell>& given, const std::int32_t* codes, std::int64_t classes,
               const double* weight, double* sums, int threads);

// OUT copies (models x rows): how often a model sees a row, `table` (models x cells) saying it of the cells
// of its layer.
template <class Cell>
void cell_copies(const Layers<Cell>& given, const std::int32_t* layer, std::int64_t models,
                 const std::uint16_t* table, std::uint16_t* copies, int threads);

// The tests of cell c of layer l are tests[first[l * cells + c]] up to the next cell's first; `first` ends
// with the number of tests. OUT ends (layers): how many pairs of a row and a test there are up to each layer.
template <class Cell>
void count_pairs(const Layers<Cell>& given, const std::int64_t* first, std::int64_t* ends, int threads);

// The pairs by layer, then row, then test; OUT row, test have ends[layers - 1] items, and no more are
// written.
template <class Cell>
void list_pairs(const Layers<Cell>& given, const std::int64_t* first, const std::int32_t* tests,
                const std::int64_t* ends, std::int64_t* row, std::int32_t* test, int threads);

// Whether these are the numbers of all rows, in order.
bool every_row_once(const std::int64_t* row, std::int64_t rows);

// Whether pairs are in the order of `list_pairs`, `layer` saying it of every test.
bool pairs_ascend(const std::int32_t* layer, const std::int64_t* row, const std::int32_t* test,
                  std::int64_t pairs, int threads);

}  // namespace assay
