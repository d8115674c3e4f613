// What Python sees of scores/grid.hpp.
#include <limits>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "scores/grid.hpp"

namespace {

using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Numbers = In<double>;

std::int64_t length(std::size_t size) { return static_cast<std::int64_t>(size); }

assay::GridCells cells_of(const assay::Rows& rows, const Longs& first, const Longs& source, const Ints& fold,
                          const Ints& own, const Maybe<double>& weight, std::int64_t folds,
                          std::int64_t classes) {
    const std::int64_t count = length(fold.size());
    require(length(first.size()) == count + 1 && length(own.size()) == count && first.data()[0] == 0,
            "the arrays do not fit together");
    for (std::int64_t c = 0; c < count; ++c)
        require(first.data()[c] <= first.data()[c + 1], "cells must follow each other");
    require_size(source, first.data()[count]);
    require(within<std::int64_t>(source.data(), length(source.size()), 0, rows.count),
            "there is no such row");
    require(within(fold.data(), count, 0, folds) && within(own.data(), count, 0, classes),
            "there is no such fold or class");
    if (weight) require_size(*weight, rows.count);
    return {count, first.data(), source.data(), fold.data(), own.data(), weight ? weight->data() : nullptr};
}

// Bases as Python holds them: a tuple (settings, turn, start, share, bias).
struct GivenBases {
    Ints settings;
    Numbers turn, start, share, bias;

    explicit GivenBases(const nb::tuple& from)
        : settings(item_of<Ints>(from, 0)),
          turn(item_of<Numbers>(from, 1)),
          start(item_of<Numbers>(from, 2)),
          share(item_of<Numbers>(from, 3)),
          bias(item_of<Numbers>(from, 4)) {
        require(turn.ndim() == 5 && share.ndim() == 5, "a basis is models x bases x classes x width x inner");
    }

    assay::GridModels models(const Numbers& center, const Numbers& unit, const Numbers& slope,
                             const Numbers& level) const {
        require(slope.ndim() == 4, "a line is models x lines x classes x width");
        assay::GridModels m;
        m.models = length(turn.shape(0)), m.bases = length(turn.shape(1)), m.classes = length(turn.shape(2));
        m.width = length(turn.shape(3)), m.inner = length(turn.shape(4));
        m.most = length(share.shape(4)), m.lines = length(slope.shape(1));
        require_size(settings, m.bases);
        require(within(settings.data(), m.bases, 0, m.most + 1), "a basis has too many settings");
        require_size(start, m.models * m.bases * m.classes * m.inner);
        require_size(share, m.models * m.bases * m.classes * m.inner * m.most);
        require_size(bias, m.models * m.bases * m.most * m.classes);
        require_size(slope, m.models * m.lines * m.classes * m.width);
        require_size(level, m.models * m.lines * m.classes);
        require_size(center, m.width);
        require_size(unit, m.width);
        m.settings = settings.data(), m.center = center.data(), m.unit = unit.data();
        m.turn = turn.data(), m.start = start.data(), m.share = share.data(), m.bias = bias.data();
        m.slope = slope.data(), m.level = level.data();
        return m;
    }
};

std::int64_t grid_mistakes(Table table, Maybe<double> fill, Maybe<std::int32_t> indicators, Longs first,
                           Longs source, Ints fold, Ints own, Maybe<double> weight, Ints tests,
                           Numbers center, Numbers unit, nb::tuple bases, Numbers slope, Numbers level,
                           int threads, Out<double> sums) {
    const assay::Rows rows = rows_of(table, fill, indicators);
    const GivenBases given(bases);
    const assay::GridModels models = given.models(center, unit, slope, level);
    require(models.width == rows.width(), "the models are of another width than the rows");
    require(tests.ndim() == 2 && within<std::int32_t>(tests.data(), length(tests.size()), -1, models.models),
            "there is no such model");
    const assay::GridTests tested{length(tests.shape(0)), length(tests.shape(1)), tests.data()};
    const auto cells = cells_of(rows, first, source, fold, own, weight, tested.folds, models.classes);
    require_size(sums, tested.folds * tested.each * models.classes * models.slots() * 2);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    return assay::grid_mistakes(rows, cells, tested, models, threads, pause, sums.data());
}

}  // namespace

void bind_grid(nb::module_& m) {
    m.def("grid_mistakes", &grid_mistakes, nb::arg("table"), nb::arg("fill").none(),
          nb::arg("indicators").none(), nb::arg("first"), nb::arg("source"), nb::arg("fold"), nb::arg("own"),
          nb::arg("weight").none(), nb::arg("tests"), nb::arg("center"), nb::arg("unit"), nb::arg("bases"),
          nb::arg("slope"), nb::arg("level"), nb::arg("threads"), nb::arg("sums").noconvert());
}
