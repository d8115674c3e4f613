// What Python sees of search/search.hpp.
#include <limits>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "search/search.hpp"
#include "search/simd.hpp"

namespace {

using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Numbers = In<double>;

std::int64_t length(std::size_t size) { return static_cast<std::int64_t>(size); }

assay::SortedRows sorted_of(const Longs& first, const Ints& split, const Ints& own, std::int64_t splits,
                            std::int64_t features, std::int64_t classes, const Maybe<double>& weight) {
    const std::int64_t cells = length(split.size());
    require(length(first.size()) == cells + 1 && length(own.size()) == cells,
            "the arrays do not fit together");
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
    if (weight) require_size(*weight, count);
    return {count,        features,   classes,
            cells,        splits,     first.data(),
            split.data(), own.data(), weight ? weight->data() : nullptr};
}

assay::Units units_of(const Longs& start, const Ints& feature, std::int64_t features) {
    require(start.size() >= 1 && start.data()[0] == 0, "units must begin at the first feature");
    const std::int64_t count = length(start.size()) - 1;
    for (std::int64_t u = 0; u < count; ++u)
        require(start.data()[u] <= start.data()[u + 1], "units must follow each other");
    require_size(feature, start.data()[count]);
    require(within(feature.data(), length(feature.size()), 0, features), "there is no such feature");
    return {count, start.data(), feature.data()};
}

// Sorted rows as Python holds them: a tuple (first, split, own, splits, features, classes, weight).
struct Given {
    Longs first;
    Ints split, own;
    Maybe<double> weight;
    assay::SortedRows rows;

    explicit Given(const nb::tuple& from)
        : first(item_of<Longs>(from, 0)),
          split(item_of<Ints>(from, 1)),
          own(item_of<Ints>(from, 2)),
          weight(item_of<Maybe<double>>(from, 6)) {
        rows = sorted_of(first, split, own, item_of<std::int64_t>(from, 3), item_of<std::int64_t>(from, 4),
                         item_of<std::int64_t>(from, 5), weight);
    }
};

void sort_rows(Table table, nb::tuple given, Longs source, Numbers center, int threads, Out<double> out) {
    const Given g(given);
    const assay::Rows rows = rows_of(table, std::nullopt, std::nullopt);
    require(rows.columns == g.rows.features, "the arrays do not fit together");
    require_size(source, g.rows.count);
    require_size(center, g.rows.splits * rows.columns);
    require_size(out, g.rows.count * rows.columns);
    require(within<std::int64_t>(source.data(), g.rows.count, -1, rows.count), "there is no such row");
    nb::gil_scoped_release release;
    assay::sort_rows(rows, g.rows, source.data(), center.data(), threads, out.data());
}

assay::NormalModels models_of(const assay::SortedRows& rows, const Numbers& x, const Numbers& mean,
                              const Numbers& half, const Numbers& constant) {
    require_size(x, rows.count * rows.features);
    for (const auto* each : {&mean, &half, &constant})
        require_size(*each, rows.splits * rows.features * rows.classes);
    return {mean.data(), half.data(), constant.data()};
}

void add_normals(nb::tuple given, Numbers x, Numbers mean, Numbers half, Numbers constant, Ints feature,
                 int threads, Out<double> margin) {
    const Given g(given);
    const auto models = models_of(g.rows, x, mean, half, constant);
    require_size(margin, g.rows.count * g.rows.rivals());
    require(within(feature.data(), length(feature.size()), 0, g.rows.features), "there is no such feature");
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::add_normals(g.rows, x.data(), models, feature.data(), length(feature.size()), threads, pause,
                       margin.data());
}

void try_normals(nb::tuple given, Numbers x, Numbers mean, Numbers half, Numbers constant, Longs start,
                 Ints feature, bool without, Numbers margin, int threads, Out<double> hits) {
    const Given g(given);
    const auto models = models_of(g.rows, x, mean, half, constant);
    const auto units = units_of(start, feature, g.rows.features);
    require_size(margin, g.rows.count * g.rows.rivals());
    require_size(hits, units.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    (without ? assay::leave_normals : assay::try_normals)(g.rows, x.data(), models, units, margin.data(),
                                                          threads, pause, hits.data());
}

void try_moves(nb::tuple given, std::int32_t moved, Maybe<double> move_slope, Maybe<double> move_center,
               Maybe<double> factor, Longs start, Ints feature, Numbers slope, Numbers center, Ints others,
               int threads, Out<double> x, Out<double> margin, Out<double> hits) {
    const Given g(given);
    const auto units = units_of(start, feature, g.rows.features);
    const std::int64_t rivals = g.rows.rivals();
    require_size(x, g.rows.count * g.rows.features);
    require_size(margin, g.rows.count * rivals);
    require_size(hits, units.count);
    require_size(slope, g.rows.cells * length(feature.size()) * rivals);
    require_size(center, g.rows.cells * length(feature.size()) * rivals);
    require(within(others.data(), length(others.size()), 0, g.rows.features), "there is no such feature");
    assay::Move move{};
    if (moved >= 0) {
        require(moved < g.rows.features && move_slope && move_center && factor, "a move needs its terms");
        require_size(*move_slope, g.rows.cells * rivals);
        require_size(*move_center, g.rows.cells * rivals);
        require_size(*factor, g.rows.splits * g.rows.features);
        move = {moved, move_slope->data(), move_center->data(), factor->data()};
    }
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::try_moves(g.rows, moved >= 0 ? &move : nullptr, units, slope.data(), center.data(), others.data(),
                     length(others.size()), threads, pause, x.data(), margin.data(), hits.data());
}

}  // namespace

void bind_features(nb::module_& m) {
    m.attr("search_rows") = assay::kSearchRows;
    m.def("sort_rows", &sort_rows, nb::arg("table"), nb::arg("rows"), nb::arg("source"), nb::arg("center"),
          nb::arg("threads"), nb::arg("out").noconvert());
    m.def("add_normals", &add_normals, nb::arg("rows"), nb::arg("x").noconvert(), nb::arg("mean"),
          nb::arg("half"), nb::arg("constant"), nb::arg("feature"), nb::arg("threads"),
          nb::arg("margin").noconvert());
    m.def("try_normals", &try_normals, nb::arg("rows"), nb::arg("x").noconvert(), nb::arg("mean"),
          nb::arg("half"), nb::arg("constant"), nb::arg("start"), nb::arg("feature"), nb::arg("without"),
          nb::arg("margin").noconvert(), nb::arg("threads"), nb::arg("hits").noconvert());
    m.def("try_moves", &try_moves, nb::arg("rows"), nb::arg("moved"), nb::arg("move_slope").none(),
          nb::arg("move_center").none(), nb::arg("factor").none(), nb::arg("start"), nb::arg("feature"),
          nb::arg("slope"), nb::arg("center"), nb::arg("others"), nb::arg("threads"),
          nb::arg("x").noconvert(), nb::arg("margin").noconvert(), nb::arg("hits").noconvert());
}
