// What Python sees of neighbors/neighbors.hpp and neighbors/votes.hpp.

#include "neighbors/binary_columns.hpp"
#include "neighbors/neighbors.hpp"
#include "neighbors/votes.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

assay::Metric metric_of(int number) {
    require(number >= 0 && number <= 3, "there is no such metric");
    return static_cast<assay::Metric>(number);
}

void check_alike(const assay::RowMatrix& rows, const assay::RowMatrix& queries) {
    require(rows.width == queries.width && !rows.f64 == !queries.f64,
            "rows and queries must have the same columns and precision");
    require(rows.count < (std::int64_t{1} << 31), "there are too many rows");
}

assay::NeighborFilter among_of(const assay::RowMatrix& rows, const assay::RowMatrix& queries,
                               const Maybe<std::int32_t>& row_group, const Maybe<std::int32_t>& query_group,
                               std::int64_t groups, int part, const Maybe<std::int64_t>& itself) {
    assay::NeighborFilter among;
    among.groups = groups;
    require(groups > 0 && part >= 0 && part <= 2, "there is no such part");
    among.part = static_cast<assay::GroupRule>(part);
    if (row_group) {
        require_size(*row_group, rows.count);
        require(within<std::int32_t>(row_group->data(), rows.count, -2, groups), "there is no such group");
        among.row_group = row_group->data();
    }
    require(part == 0 || (row_group && query_group), "parts need groups");
    if (query_group) {
        require_size(*query_group, queries.count);
        among.query_group = query_group->data();
    }
    if (itself) {
        require_size(*itself, queries.count);
        among.itself = itself->data();
    }
    return among;
}

void nearest(Table rows, Table queries, Maybe<std::int32_t> row_group, Maybe<std::int32_t> query_group,
             std::int64_t groups, int part, Maybe<std::int64_t> itself, int metric, std::int64_t numeric,
             bool by_products, int threads, Out<std::int32_t> near, Out<double> distances, bool squared) {
    const assay::RowMatrix x = matrix_of(rows), q = matrix_of(queries);
    check_alike(x, q);
    require(near.ndim() == 2 && near.shape(1) > 0, "there must be room for a neighbour");
    const auto k = near.extent(1);
    require_size(near, q.count * k);
    require_size(distances, q.count * k);
    const assay::NeighborFilter among = among_of(x, q, row_group, query_group, groups, part, itself);
    const assay::Lists out{k, near.data(), distances.data(), squared};
    const assay::Metric kind = metric_of(metric);
    require(!by_products || kind == assay::Metric::squares, "products give sums of squares only");
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    if (by_products)
        assay::nearest_by_products(x, q, among, threads, pause, out);
    else
        assay::nearest_directly(kind, numeric, x, q, among, threads, pause, out);
}

void all_distances(Table rows, Table queries, int metric, std::int64_t numeric, int threads,
                   Out<double> out) {
    const assay::RowMatrix x = matrix_of(rows), q = matrix_of(queries);
    check_alike(x, q);
    require_size(out, x.count * q.count);
    const assay::Metric kind = metric_of(metric);
    nb::gil_scoped_release release;
    assay::all_distances(kind, numeric, x, q, threads, out.data());
}

void candidate_distances(Table rows, Table queries, In<std::int32_t> candidates, int threads,
                         Out<double> out) {
    const assay::RowMatrix x = matrix_of(rows), q = matrix_of(queries);
    check_alike(x, q);
    require(candidates.ndim() == 2, "candidates must be a matrix");
    const auto each = candidates.extent(1);
    require_size(candidates, q.count * each);
    require_size(out, q.count * each);
    require(within<std::int32_t>(candidates.data(), q.count * each, 0, x.count), "there is no such row");
    nb::gil_scoped_release release;
    assay::candidate_distances(x, q, candidates.data(), each, threads, out.data());
}

// Lists of rows that may be the nearest of a query, with the arrays that they lie in.
struct BoundCandidates {
    In<std::int32_t> query, place, lists;
    In<double> bounds;
    In<std::uint8_t> allowed;
    double factor, slack;

    BoundCandidates(In<std::int32_t> query_, In<std::int32_t> place_, In<std::int32_t> lists_,
                    In<double> bounds_, In<std::uint8_t> allowed_, double factor_, double slack_)
        : query(query_),
          place(place_),
          lists(lists_),
          bounds(bounds_),
          allowed(allowed_),
          factor(factor_),
          slack(slack_) {}

    assay::Candidates among(std::int64_t rows) const {
        require(lists.ndim() == 2 && lists.shape(1) > 0, "lists must be a matrix");
        const auto count = query.count(), length = lists.extent(1);
        require_size(place, count);
        require_size(bounds, lists.count());
        require_size(allowed, rows);
        require(within<std::int32_t>(query, 0, rows), "there is no such query");
        require(within<std::int32_t>(place, 0, lists.extent(0)), "there is no such list");
        for (std::int64_t i = 0; i < count; ++i)
            require(within<std::int32_t>(lists.data() + place.data()[i] * length, length, -1, rows),
                    "there is no such row");
        return {query.data(), place.data(),   count,  lists.data(), bounds.data(),
                length,       allowed.data(), factor, slack};
    }
};

assay::Lists lists_of(std::int64_t count, const Out<std::int32_t>& near, const Out<double>& distances) {
    require(near.ndim() == 2 && near.shape(1) > 0, "there must be room for a neighbour");
    const auto k = near.extent(1);
    require_size(near, count * k);
    require_size(distances, count * k);
    return {k, near.data(), distances.data()};
}

void nearest_listed(Table rows, const BoundCandidates& candidates, int threads, Out<std::int32_t> near,
                    Out<double> distances, Out<std::uint8_t> sure) {
    const assay::RowMatrix x = matrix_of(rows);
    const assay::Candidates from = candidates.among(x.count);
    const assay::Lists out = lists_of(from.count, near, distances);
    require_size(sure, from.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::nearest_listed(x, from, threads, pause, out, sure.data());
}

// Rows of bits and numbers, and how they are measured, with the arrays that they lie in.
struct BoundPatterns {
    In<std::uint64_t> bits;
    In<double> numbers;
    In<std::uint8_t> kind;
    In<double> step;

    BoundPatterns(In<std::uint64_t> bits_, In<double> numbers_, In<std::uint8_t> kind_, In<double> step_)
        : bits(bits_), numbers(numbers_), kind(kind_), step(step_) {
        const auto width = kind.count();
        require(width > 0 && within<std::uint8_t>(kind, 0, 3), "there is no such kind of column");
        require_size(step, width);
        const assay::PatternFrame frame = this->frame();
        require(bits.ndim() == 2 && numbers.ndim() == 2 && bits.shape(0) == numbers.shape(0) &&
                    bits.extent(1) == frame.words() && numbers.extent(1) == frame.numbers(),
                "rows must have a bit for every column, and its numbers");
    }

    std::int64_t count() const { return bits.extent(0); }
    assay::PatternFrame frame() const { return {kind.data(), kind.count(), step.data()}; }
};

void patterns_listed(const BoundPatterns& patterns, const BoundCandidates& candidates, int threads,
                     Out<std::int32_t> near, Out<double> distances, Out<std::uint8_t> sure) {
    const assay::PatternFrame frame = patterns.frame();
    const assay::Candidates from = candidates.among(patterns.count());
    const assay::Lists out = lists_of(from.count, near, distances);
    require_size(sure, from.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::nearest_listed(frame.of(patterns.bits.data(), patterns.numbers.data()), from, threads, pause, out,
                          sure.data());
}

void nearest_patterns(const BoundPatterns& patterns, In<std::int32_t> rows, In<std::int32_t> queries,
                      int threads, Out<std::int32_t> near, Out<double> distances) {
    const assay::PatternFrame frame = patterns.frame();
    const auto total = patterns.count(), count = rows.count(), asked = queries.count();
    require(within<std::int32_t>(rows, 0, total) && within<std::int32_t>(queries, 0, total),
            "there is no such row");
    const assay::Lists out = lists_of(asked, near, distances);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    const assay::PatternSearch search{frame,
                                      frame.of(patterns.bits.data(), patterns.numbers.data()),
                                      rows.data(),
                                      count,
                                      queries.data(),
                                      asked,
                                      {}};
    require(assay::nearest_in_patterns(search, true, threads, pause, out), "the values are too large");
}

void merge_near(In<std::int32_t> rows, In<double> distances, In<std::int32_t> other_rows,
                In<double> other_distances, Out<std::int32_t> near, Out<double> out) {
    require(rows.ndim() == 2 && other_rows.ndim() == 2 && near.ndim() == 2 &&
                rows.shape(0) == other_rows.shape(0) && rows.shape(0) == near.shape(0),
            "neighbours must be matrices of as many queries");
    const auto count = rows.extent(0), a = rows.extent(1), b = other_rows.extent(1), k = near.extent(1);
    require_size(distances, count * a);
    require_size(other_distances, count * b);
    require_size(out, count * k);
    require(k <= a + b, "the lists are too short");
    nb::gil_scoped_release release;
    assay::merge_near({rows.data(), distances.data(), a}, {other_rows.data(), other_distances.data(), b},
                      count, {k, near.data(), out.data()});
}

// Who asks, checked.
assay::Asking asking_of(std::int64_t lists, const assay::Voters& voters, const Maybe<std::int32_t>& place,
                        const Maybe<std::int32_t>& model, const Maybe<double>& unit,
                        const Maybe<std::int32_t>& cell, const Maybe<std::int32_t>& layer,
                        const Maybe<std::uint16_t>& copies) {
    assay::Asking asking{lists};
    if (place) {
        asking.count = place->count();
        require(within<std::int32_t>(place->data(), asking.count, 0, lists), "there is no such list");
        asking.place = place->data();
    }
    require(model || !(unit || copies), "units and copies need models");
    require(!copies == !cell && !copies == !layer, "copies, cells and layers belong together");
    if (!model) return asking;
    require_size(*model, asking.count);
    asking.model = model->data();
    std::int64_t models = -1;
    if (unit) {
        models = unit->count();
        asking.unit = unit->data();
    }
    if (copies) {
        require(copies->ndim() == 2 && cell->ndim() == 2, "copies and cells must be matrices");
        const auto rows = copies->extent(0);
        require(models < 0 || models == rows, "there must be a unit for every model");
        models = rows;
        asking.cells = copies->extent(1);
        require_size(*layer, models);
        require_size(*cell, cell->extent(0) * voters.rows);
        require(within<std::int32_t>(layer->data(), models, 0, cell->extent(0)), "there is no such layer");
        require(within<std::int32_t>(cell->data(), cell->count(), -1, asking.cells), "there is no such cell");
        asking.copies = copies->data(), asking.cell = cell->data(), asking.layer = layer->data();
    }
    require(models < 0 || within<std::int32_t>(asking.model, asking.count, 0, models),
            "there is no such model");
    return asking;
}

std::int64_t vote(In<std::int32_t> near, In<double> distances, In<std::int32_t> codes, Maybe<double> weight,
                  In<double> sizes, bool by_distance, bool last, int threads, Out<std::uint8_t> too_short,
                  Out<double> out, Maybe<std::int32_t> place, Maybe<std::int32_t> model, Maybe<double> unit,
                  Maybe<std::int32_t> cell, Maybe<std::int32_t> layer, Maybe<std::uint16_t> copies) {
    require(near.ndim() == 2 && out.ndim() == 3, "neighbours must be a matrix, shares have three axes");
    const assay::Neighbors lists{near.data(), distances.data(), near.extent(0), near.extent(1)};
    const auto rows = codes.count(), k = sizes.count();
    const assay::Voters voters{codes.data(), data_of(weight), out.extent(2), rows};
    require_size(distances, lists.count * lists.length);
    require_size(weight, rows);
    require(within<std::int32_t>(near.data(), lists.count * lists.length, -1, rows), "there is no such row");
    require(within<std::int32_t>(codes.data(), rows, 0, voters.classes), "codes must name a class");
    const assay::Asking asking = asking_of(lists.count, voters, place, model, unit, cell, layer, copies);
    require_size(out, k * asking.count * voters.classes);
    require_size(too_short, asking.count);
    nb::gil_scoped_release release;
    return assay::vote(lists, voters, asking, sizes.data(), k, by_distance, last, threads, too_short.data(),
                       out.data());
}

}  // namespace

void bind_neighbors(nb::module_& m) {
    nb::class_<BoundCandidates>(m, "Candidates")
        .def(nb::init<In<std::int32_t>, In<std::int32_t>, In<std::int32_t>, In<double>, In<std::uint8_t>,
                      double, double>(),
             "query"_a, "place"_a, "lists"_a, "bounds"_a, "allowed"_a, "factor"_a, "slack"_a);
    nb::class_<BoundPatterns>(m, "Patterns")
        .def(nb::init<In<std::uint64_t>, In<double>, In<std::uint8_t>, In<double>>(), "bits"_a, "numbers"_a,
             "kind"_a, "step"_a);
    m.def("nearest", &nearest, "rows"_a, "queries"_a, "row_group"_a.none(), "query_group"_a.none(),
          "groups"_a, "part"_a, "itself"_a.none(), "metric"_a, "numeric"_a, "by_products"_a, "threads"_a,
          "near"_a.noconvert(), "distances"_a.noconvert(), "squared"_a = false);
    m.def("all_distances", &all_distances, "rows"_a, "queries"_a, "metric"_a, "numeric"_a, "threads"_a,
          "out"_a.noconvert());
    m.def("candidate_distances", &candidate_distances, "rows"_a, "queries"_a, "candidates"_a, "threads"_a,
          "out"_a.noconvert());
    m.def("nearest_listed", &nearest_listed, "rows"_a, "candidates"_a, "threads"_a, "near"_a.noconvert(),
          "distances"_a.noconvert(), "sure"_a.noconvert());
    m.def("patterns_listed", &patterns_listed, "patterns"_a, "candidates"_a, "threads"_a,
          "near"_a.noconvert(), "distances"_a.noconvert(), "sure"_a.noconvert());
    m.def("nearest_patterns", &nearest_patterns, "patterns"_a, "rows"_a, "queries"_a, "threads"_a,
          "near"_a.noconvert(), "distances"_a.noconvert());
    m.def("merge_near", &merge_near, "rows"_a, "distances"_a, "other_rows"_a, "other_distances"_a,
          "near"_a.noconvert(), "out"_a.noconvert());
    m.def("vote", &vote, "near"_a, "distances"_a, "codes"_a, "weight"_a.none(), "sizes"_a, "by_distance"_a,
          "last"_a, "threads"_a, "too_short"_a.noconvert(), "out"_a.noconvert(),
          "place"_a.none() = nb::none(), "model"_a.none() = nb::none(), "unit"_a.none() = nb::none(),
          "cell"_a.none() = nb::none(), "layer"_a.none() = nb::none(), "copies"_a.none() = nb::none());
}
