// What Python sees of folds/cells.hpp.
#include <algorithm>

#include "folds/cells.hpp"
#include "python/arrays.hpp"

namespace {

template <class Cell>
assay::Layers<Cell> layers_of(const In<Cell>& cells, std::int64_t count, int threads) {
    require(cells.ndim() == 2, "cells must be layers x rows");
    const assay::Layers<Cell> given{cells.data(), static_cast<std::int64_t>(cells.shape(0)),
                                    static_cast<std::int64_t>(cells.shape(1)), count};
    require(assay::cells_within(given, threads), "a row lies beyond the cells");
    return given;
}

template <class Cell>
void cell_sums(In<Cell> cells, In<std::int32_t> codes, Maybe<double> weight, Out<double> sums, int threads) {
    require(sums.ndim() == 3, "sums must be layers x cells x classes");
    const auto given = layers_of(cells, static_cast<std::int64_t>(sums.shape(1)), threads);
    const auto classes = static_cast<std::int64_t>(sums.shape(2));
    require_size(codes, given.rows);
    if (weight) require_size(*weight, given.rows);
    require_size(sums, given.layers * given.cells * classes);
    require(within<std::int32_t>(codes.data(), given.rows, 0, classes), "there is no such class");
    nb::gil_scoped_release release;
    assay::cell_sums(given, codes.data(), classes, weight ? weight->data() : nullptr, sums.data(), threads);
}

template <class Cell>
void cell_copies(In<Cell> cells, In<std::int32_t> layer, In<std::uint16_t> table, Out<std::uint16_t> copies,
                 int threads) {
    require(table.ndim() == 2, "copies must be models x cells");
    const auto given = layers_of(cells, static_cast<std::int64_t>(table.shape(1)), threads);
    const auto models = static_cast<std::int64_t>(table.shape(0));
    require_size(layer, models);
    require_size(copies, models * given.rows);
    require(within<std::int32_t>(layer.data(), models, 0, given.layers), "there is no such layer");
    nb::gil_scoped_release release;
    assay::cell_copies(given, layer.data(), models, table.data(), copies.data(), threads);
}

// Cells of all layers, which have as many tests as lie between two neighbouring numbers of `first`.
template <class Cell>
assay::Layers<Cell> tested_of(const In<Cell>& cells, const In<std::int64_t>& first, int threads) {
    require(cells.ndim() == 2 && cells.shape(0) > 0 && first.size() > 0, "cells must be layers x rows");
    const auto layers = static_cast<std::int64_t>(cells.shape(0)),
               all = static_cast<std::int64_t>(first.size()) - 1;
    require(all % layers == 0, "every layer has as many cells");
    require(first.data()[0] >= 0 && std::is_sorted(first.data(), first.data() + all + 1),
            "the tests of a cell begin where those of the one before end");
    return layers_of(cells, all / layers, threads);
}

template <class Cell>
void count_pairs(In<Cell> cells, In<std::int64_t> first, Out<std::int64_t> ends, int threads) {
    const auto given = tested_of(cells, first, threads);
    require_size(ends, given.layers);
    nb::gil_scoped_release release;
    assay::count_pairs(given, first.data(), ends.data(), threads);
}

template <class Cell>
void list_pairs(In<Cell> cells, In<std::int64_t> first, In<std::int32_t> tests, In<std::int64_t> ends,
                Out<std::int64_t> row, Out<std::int32_t> test, int threads) {
    const auto given = tested_of(cells, first, threads);
    require_size(tests, first.data()[first.size() - 1]);
    require_size(ends, given.layers);
    const std::int64_t room = ends.data()[given.layers - 1];
    require(room == 0 || tests.size() > 0, "there is no test");
    require(within<std::int64_t>(ends.data(), given.layers, 0, room + 1), "the arrays do not fit together");
    require_size(row, room);
    require_size(test, room);
    nb::gil_scoped_release release;
    assay::list_pairs(given, first.data(), tests.data(), ends.data(), row.data(), test.data(), threads);
}

bool every_row_once(In<std::int64_t> row) {
    nb::gil_scoped_release release;
    return assay::every_row_once(row.data(), static_cast<std::int64_t>(row.size()));
}

bool pairs_ascend(In<std::int32_t> layer, In<std::int64_t> row, In<std::int32_t> test, int threads) {
    const auto pairs = static_cast<std::int64_t>(test.size());
    require_size(row, pairs);
    require(within<std::int32_t>(test.data(), pairs, 0, static_cast<std::int64_t>(layer.size())),
            "there is no such test");
    nb::gil_scoped_release release;
    return assay::pairs_ascend(layer.data(), row.data(), test.data(), pairs, threads);
}

// A bootstrap has many layers of few cells: they need not take four bytes each.
template <class Cell>
void bind(nb::module_& m) {
    m.def("cell_sums", &cell_sums<Cell>, nb::arg("cells"), nb::arg("codes"), nb::arg("weight").none(),
          nb::arg("sums").noconvert(), nb::arg("threads") = 1);
    m.def("cell_copies", &cell_copies<Cell>, nb::arg("cells"), nb::arg("layer"), nb::arg("table"),
          nb::arg("copies").noconvert(), nb::arg("threads") = 1);
    m.def("count_pairs", &count_pairs<Cell>, nb::arg("cells"), nb::arg("first"), nb::arg("ends").noconvert(),
          nb::arg("threads") = 1);
    m.def("list_pairs", &list_pairs<Cell>, nb::arg("cells"), nb::arg("first"), nb::arg("tests"),
          nb::arg("ends"), nb::arg("row").noconvert(), nb::arg("test").noconvert(), nb::arg("threads") = 1);
}

}  // namespace

void bind_cells(nb::module_& m) {
    bind<std::int32_t>(m);
    bind<std::int16_t>(m);
    m.def("every_row_once", &every_row_once, nb::arg("row"));
    m.def("pairs_ascend", &pairs_ascend, nb::arg("layer"), nb::arg("row"), nb::arg("test"),
          nb::arg("threads") = 1);
}
