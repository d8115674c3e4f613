// What Python sees of search/search.hpp.

#include <limits>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "search/search.hpp"
#include "search/simd.hpp"

namespace {

assay::SortedRows sorted_of(const In<std::int64_t>& first, const In<std::int32_t>& split,
                            const In<std::int32_t>& own, std::int64_t splits, std::int64_t features,
                            std::int64_t classes, const Maybe<double>& weight) {
    const std::int64_t cells = split.count();
    require(first.count() == cells + 1 && own.count() == cells, "the arrays do not fit together");
    require(classes >= 2 && splits >= 1 && features >= 1, "a search needs features, splits and two classes");
    require(within(split.data(), cells, 0, splits) && within(own.data(), cells, 0, classes),
            "there is no such split or class");
    const std::int64_t count = first.data()[cells];
    std::int64_t before = 0;
    for (std::int64_t c = 0; c <= cells; ++c) {
        require(first.data()[c] >= before && first.data()[c] % assay::kSearchRows == 0,
                "cells must be whole groups of rows");
        before = first.data()[c];
    }
    require(first.data()[0] == 0, "cells must begin at the first row");
    require_size(weight, count);
    return {count, features, classes, cells, splits, first.data(), split.data(), own.data(), data_of(weight)};
}

assay::Units units_of(const In<std::int64_t>& start, const In<std::int32_t>& feature, std::int64_t features) {
    require(start.size() >= 1 && start.data()[0] == 0, "units must begin at the first feature");
    const std::int64_t count = start.count() - 1;
    for (std::int64_t u = 0; u < count; ++u)
        require(start.data()[u] <= start.data()[u + 1], "units must follow each other");
    require_size(feature, start.data()[count]);
    require(within(feature.data(), feature.count(), 0, features), "there is no such feature");
    return {count, start.data(), feature.data()};
}

// Sorted rows, with the arrays that they lie in.
struct SortedRows {
    In<std::int64_t> first;
    In<std::int32_t> split, own;
    Maybe<double> weight;
    assay::SortedRows rows;

    SortedRows(In<std::int64_t> first_, In<std::int32_t> split_, In<std::int32_t> own_, std::int64_t splits,
               std::int64_t features, std::int64_t classes, Maybe<double> weight_)
        : first(first_),
          split(split_),
          own(own_),
          weight(weight_),
          rows(sorted_of(first, split, own, splits, features, classes, weight)) {}
};

void sort_rows(Table table, const SortedRows& given, In<std::int64_t> source, In<double> center, int threads,
               Out<double> out) {
    const assay::Rows rows = rows_of(table);
    require(rows.columns == given.rows.features, "the arrays do not fit together");
    require_size(source, given.rows.count);
    require_size(center, given.rows.splits * rows.columns);
    require_size(out, given.rows.count * rows.columns);
    require(within<std::int64_t>(source.data(), given.rows.count, -1, rows.count), "there is no such row");
    nb::gil_scoped_release release;
    assay::sort_rows(rows, given.rows, source.data(), center.data(), threads, out.data());
}

assay::NormalModels models_of(const assay::SortedRows& rows, const In<double>& x, const In<double>& mean,
                              const In<double>& half, const In<double>& constant) {
    require_size(x, rows.count * rows.features);
    for (const auto* each : {&mean, &half, &constant})
        require_size(*each, rows.splits * rows.features * rows.classes);
    return {mean.data(), half.data(), constant.data()};
}

void add_normals(const SortedRows& given, In<double> x, In<double> mean, In<double> half, In<double> constant,
                 In<std::int32_t> feature, int threads, Out<double> margin) {
    const auto models = models_of(given.rows, x, mean, half, constant);
    require_size(margin, given.rows.count * given.rows.rivals());
    require(within(feature.data(), feature.count(), 0, given.rows.features), "there is no such feature");
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::add_normals(given.rows, x.data(), models, feature.data(), feature.count(), threads, pause,
                       margin.data());
}

void try_normals(const SortedRows& given, In<double> x, In<double> mean, In<double> half, In<double> constant,
                 In<std::int64_t> start, In<std::int32_t> feature, bool without, In<double> margin,
                 int threads, Out<double> hits) {
    const auto models = models_of(given.rows, x, mean, half, constant);
    const auto units = units_of(start, feature, given.rows.features);
    require_size(margin, given.rows.count * given.rows.rivals());
    require_size(hits, units.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    (without ? assay::leave_normals : assay::try_normals)(given.rows, x.data(), models, units, margin.data(),
                                                          threads, pause, hits.data());
}

void try_moves(const SortedRows& given, std::int32_t moved, Maybe<double> move_slope,
               Maybe<double> move_center, Maybe<double> factor, In<std::int64_t> start,
               In<std::int32_t> feature, In<double> slope, In<double> center, In<std::int32_t> others,
               int threads, Out<double> x, Out<double> margin, Out<double> hits) {
    const auto units = units_of(start, feature, given.rows.features);
    const std::int64_t rivals = given.rows.rivals();
    require_size(x, given.rows.count * given.rows.features);
    require_size(margin, given.rows.count * rivals);
    require_size(hits, units.count);
    require_size(slope, given.rows.cells * feature.count() * rivals);
    require_size(center, given.rows.cells * feature.count() * rivals);
    require(within(others.data(), others.count(), 0, given.rows.features), "there is no such feature");
    assay::Move move{};
    if (moved >= 0) {
        require(moved < given.rows.features && move_slope && move_center && factor, "a move needs its terms");
        require_size(*move_slope, given.rows.cells * rivals);
        require_size(*move_center, given.rows.cells * rivals);
        require_size(*factor, given.rows.splits * given.rows.features);
        move = {moved, move_slope->data(), move_center->data(), factor->data()};
    }
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::try_moves(given.rows, moved >= 0 ? &move : nullptr, units, slope.data(), center.data(),
                     others.data(), others.count(), threads, pause, x.data(), margin.data(), hits.data());
}

}  // namespace

void bind_search(nb::module_& m) {
    nb::class_<SortedRows>(m, "SortedRows")
        .def(nb::init<In<std::int64_t>, In<std::int32_t>, In<std::int32_t>, std::int64_t, std::int64_t,
                      std::int64_t, Maybe<double>>(),
             "first"_a, "split"_a, "own"_a, "splits"_a, "features"_a, "classes"_a, "weight"_a.none());
    m.attr("search_rows") = assay::kSearchRows;
    m.def("sort_rows", &sort_rows, "table"_a, "rows"_a, "source"_a, "center"_a, "threads"_a,
          "out"_a.noconvert());
    m.def("add_normals", &add_normals, "rows"_a, "x"_a.noconvert(), "mean"_a, "half"_a, "constant"_a,
          "feature"_a, "threads"_a, "margin"_a.noconvert());
    m.def("try_normals", &try_normals, "rows"_a, "x"_a.noconvert(), "mean"_a, "half"_a, "constant"_a,
          "start"_a, "feature"_a, "without"_a, "margin"_a.noconvert(), "threads"_a, "hits"_a.noconvert());
    m.def("try_moves", &try_moves, "rows"_a, "moved"_a, "move_slope"_a.none(), "move_center"_a.none(),
          "factor"_a.none(), "start"_a, "feature"_a, "slope"_a, "center"_a, "others"_a, "threads"_a,
          "x"_a.noconvert(), "margin"_a.noconvert(), "hits"_a.noconvert());
}
