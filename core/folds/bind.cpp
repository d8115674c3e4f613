// What Python sees of folds: shapes and ranges are checked here, so that no call can leave its arrays.
#include <algorithm>

#include "folds/cells.hpp"
#include "folds/folds.hpp"
#include "python/arrays.hpp"

namespace {

template <class T>
using InVector = Array<T, const T, nb::ndim<1>, nb::c_contig>;
template <class T>
using OutVector = Array<T, T, nb::ndim<1>, nb::c_contig>;

template <class A, class B>
void same_length(const A& a, const B& b) {
    require(a.shape(0) == b.shape(0), "codes, groups and out must have the same length");
}

constexpr const char* kOutOfRange = "codes must lie in 0..n_classes-1 and groups fill 0..n_groups-1";

void row_hashes(std::uint64_t key, OutVector<std::uint64_t> out) {
    assay::row_hashes(key, out.extent(0), out.data());
}

void assign_folds(InVector<std::int32_t> codes, std::int32_t n_classes, std::uint64_t key,
                  std::int32_t n_folds, OutVector<std::int32_t> out) {
    same_length(codes, out);
    require(n_classes >= 0 && n_folds >= 1, "n_classes must be at least 0 and n_folds at least 1");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::assign_folds(codes.data(), codes.extent(0), n_classes, key, n_folds, out.data());
    }
    require(valid, kOutOfRange);
}

void proportional_order(InVector<std::int32_t> codes, std::optional<InVector<std::int32_t>> groups,
                        std::int32_t n_classes, std::int32_t n_groups, OutVector<std::int64_t> out) {
    same_length(codes, out);
    if (groups) same_length(*groups, out);
    require(n_classes >= 0 && n_groups >= 1, "n_classes must be at least 0 and n_groups at least 1");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::proportional_order(codes.data(), data_of(groups), codes.extent(0), n_classes, n_groups,
                                          out.data());
    }
    require(valid, kOutOfRange);
}

void assign_test(InVector<std::int32_t> codes, std::int32_t n_classes, std::uint64_t key, std::int64_t n_test,
                 OutVector<std::int32_t> out) {
    same_length(codes, out);
    const auto n = codes.extent(0);
    require(n_classes >= 0 && n_test >= 0 && n_test <= n, "n_test must lie between 0 and the number of rows");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::assign_test(codes.data(), n, n_classes, key, n_test, out.data());
    }
    require(valid, kOutOfRange);
}

void assign_group_folds(InVector<std::int32_t> codes, InVector<std::int32_t> groups, std::int32_t n_classes,
                        std::int32_t n_groups, std::uint64_t key, std::int32_t n_folds,
                        OutVector<std::int32_t> out) {
    same_length(codes, out);
    same_length(groups, out);
    require(n_classes >= 0 && n_groups >= 0 && n_folds >= 1,
            "n_classes and n_groups must be at least 0 and n_folds at least 1");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::assign_group_folds(codes.data(), groups.data(), codes.extent(0), n_classes, n_groups,
                                          key, n_folds, out.data());
    }
    require(valid, kOutOfRange);
}

void assign_group_test(InVector<std::int32_t> codes, InVector<std::int32_t> groups, std::int32_t n_classes,
                       std::int32_t n_groups, std::uint64_t key, std::int64_t n_test,
                       OutVector<std::int32_t> out) {
    same_length(codes, out);
    same_length(groups, out);
    require(n_classes >= 0 && n_groups >= 2, "a test part of whole groups needs at least two groups");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::assign_group_test(codes.data(), groups.data(), codes.extent(0), n_classes, n_groups,
                                         key, n_test, out.data());
    }
    require(valid, kOutOfRange);
}

using OutMatrix = Array<std::uint16_t, std::uint16_t, nb::ndim<2>, nb::c_contig>;

void bootstrap_counts(std::uint64_t key, std::int64_t first, int threads, OutMatrix out) {
    require(first >= 0, "the first replicate must be at least 0");
    require(out.shape(1) < (std::uint64_t{1} << 32), "a bootstrap sample must have fewer than 2^32 rows");
    nb::gil_scoped_release release;
    assay::bootstrap_counts(key, first, out.extent(0), out.extent(1), threads, out.data());
}

template <class Cell>
assay::Layers<Cell> layers_of(const In<Cell>& cells, std::int64_t count, int threads) {
    require(cells.ndim() == 2, "cells must be layers x rows");
    const assay::Layers<Cell> given{cells.data(), cells.extent(0), cells.extent(1), count};
    require(assay::cells_within(given, threads), "a row lies beyond the cells");
    return given;
}

template <class Cell>
void cell_sums(In<Cell> cells, In<std::int32_t> codes, Maybe<double> weight, Out<double> sums, int threads) {
    require(sums.ndim() == 3, "sums must be layers x cells x classes");
    const auto given = layers_of(cells, sums.extent(1), threads);
    const auto classes = sums.extent(2);
    require_size(codes, given.rows);
    require_size(weight, given.rows);
    require_size(sums, given.layers * given.cells * classes);
    require(within<std::int32_t>(codes.data(), given.rows, 0, classes), "there is no such class");
    nb::gil_scoped_release release;
    assay::cell_sums(given, codes.data(), classes, data_of(weight), sums.data(), threads);
}

template <class Cell>
void cell_copies(In<Cell> cells, In<std::int32_t> layer, In<std::uint16_t> table, Out<std::uint16_t> copies,
                 int threads) {
    require(table.ndim() == 2, "copies must be models x cells");
    const auto given = layers_of(cells, table.extent(1), threads);
    const auto models = table.extent(0);
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
    const auto layers = cells.extent(0), all = first.count() - 1;
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
    return assay::every_row_once(row.data(), row.count());
}

bool pairs_ascend(In<std::int32_t> layer, In<std::int64_t> row, In<std::int32_t> test, int threads) {
    const auto pairs = test.count();
    require_size(row, pairs);
    require(within<std::int32_t>(test.data(), pairs, 0, layer.count()), "there is no such test");
    nb::gil_scoped_release release;
    return assay::pairs_ascend(layer.data(), row.data(), test.data(), pairs, threads);
}

// A bootstrap has many layers of few cells: they need not take four bytes each.
template <class Cell>
void bind(nb::module_& m) {
    m.def("cell_sums", &cell_sums<Cell>, "cells"_a, "codes"_a, "weight"_a.none(), "sums"_a.noconvert(),
          "threads"_a = 1);
    m.def("cell_copies", &cell_copies<Cell>, "cells"_a, "layer"_a, "table"_a, "copies"_a.noconvert(),
          "threads"_a = 1);
    m.def("count_pairs", &count_pairs<Cell>, "cells"_a, "first"_a, "ends"_a.noconvert(), "threads"_a = 1);
    m.def("list_pairs", &list_pairs<Cell>, "cells"_a, "first"_a, "tests"_a, "ends"_a, "row"_a.noconvert(),
          "test"_a.noconvert(), "threads"_a = 1);
}

}  // namespace

void bind_folds(nb::module_& m) {
    m.def("row_hashes", &row_hashes, "key"_a, "out"_a.noconvert());
    m.def("assign_folds", &assign_folds, "codes"_a.noconvert(), "n_classes"_a, "key"_a, "n_folds"_a,
          "out"_a.noconvert());
    m.def("proportional_order", &proportional_order, "codes"_a, "groups"_a.none(), "n_classes"_a,
          "n_groups"_a, "out"_a.noconvert());
    m.def("assign_test", &assign_test, "codes"_a.noconvert(), "n_classes"_a, "key"_a, "n_test"_a,
          "out"_a.noconvert());
    m.def("assign_group_folds", &assign_group_folds, "codes"_a.noconvert(), "groups"_a.noconvert(),
          "n_classes"_a, "n_groups"_a, "key"_a, "n_folds"_a, "out"_a.noconvert());
    m.def("assign_group_test", &assign_group_test, "codes"_a.noconvert(), "groups"_a.noconvert(),
          "n_classes"_a, "n_groups"_a, "key"_a, "n_test"_a, "out"_a.noconvert());
    m.def("bootstrap_counts", &bootstrap_counts, "key"_a, "first"_a, "threads"_a, "out"_a.noconvert());

    bind<std::int32_t>(m);
    bind<std::int16_t>(m);
    m.def("every_row_once", &every_row_once, "row"_a);
    m.def("pairs_ascend", &pairs_ascend, "layer"_a, "row"_a, "test"_a, "threads"_a = 1);
}
