// What Python sees of neighbors/neighbors.hpp and neighbors/votes.hpp.
#include "neighbors/binary_columns.hpp"
#include "neighbors/neighbors.hpp"
#include "neighbors/votes.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

assay::RowMatrix sample_of(const Table& table) {
    const assay::Rows rows = rows_of(table, std::nullopt, std::nullopt);
    require(rows.count == 0 || (rows.column_stride == 1 && rows.row_stride == rows.columns),
            "the rows must lie one after the other");
    return {rows.f64, rows.f32, rows.count, rows.columns};
}

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
    const assay::RowMatrix x = sample_of(rows), q = sample_of(queries);
    check_alike(x, q);
    require(near.ndim() == 2 && near.shape(1) > 0, "there must be room for a neighbour");
    const auto k = static_cast<std::int64_t>(near.shape(1));
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
    const assay::RowMatrix x = sample_of(rows), q = sample_of(queries);
    check_alike(x, q);
    require_size(out, x.count * q.count);
    const assay::Metric kind = metric_of(metric);
    nb::gil_scoped_release release;
    assay::all_distances(kind, numeric, x, q, threads, out.data());
}

void candidate_distances(Table rows, Table queries, In<std::int32_t> candidates, int threads,
                         Out<double> out) {
    const assay::RowMatrix x = sample_of(rows), q = sample_of(queries);
    check_alike(x, q);
    require(candidates.ndim() == 2, "candidates must be a matrix");
    const auto each = static_cast<std::int64_t>(candidates.shape(1));
    require_size(candidates, q.count * each);
    require_size(out, q.count * each);
    require(within<std::int32_t>(candidates.data(), q.count * each, 0, x.count), "there is no such row");
    nb::gil_scoped_release release;
    assay::candidate_distances(x, q, candidates.data(), each, threads, out.data());
}

// Lists of candidates among `rows` rows, checked.
assay::Candidates candidates_of(std::int64_t rows, const In<std::int32_t>& query,
                                const In<std::int32_t>& place, const In<std::int32_t>& lists,
                                const In<double>& bounds, const In<std::uint8_t>& allowed, double factor,
                                double slack) {
    require(lists.ndim() == 2 && lists.shape(1) > 0, "lists must be a matrix");
    const auto count = static_cast<std::int64_t>(query.size()),
               length = static_cast<std::int64_t>(lists.shape(1));
    require_size(place, count);
    require_size(bounds, static_cast<std::int64_t>(lists.size()));
    require_size(allowed, rows);
    require(within<std::int32_t>(query.data(), count, 0, rows), "there is no such query");
    require(within<std::int32_t>(place.data(), count, 0, static_cast<std::int64_t>(lists.shape(0))),
            "there is no such list");
    for (std::int64_t i = 0; i < count; ++i)
        require(within<std::int32_t>(lists.data() + place.data()[i] * length, length, -1, rows),
                "there is no such row");
    return {query.data(), place.data(),   count,  lists.data(), bounds.data(),
            length,       allowed.data(), factor, slack};
}

assay::Lists lists_of(std::int64_t count, const Out<std::int32_t>& near, const Out<double>& distances) {
    require(near.ndim() == 2 && near.shape(1) > 0, "there must be room for a neighbour");
    const auto k = static_cast<std::int64_t>(near.shape(1));
    require_size(near, count * k);
    require_size(distances, count * k);
    return {k, near.data(), distances.data()};
}

void nearest_listed(Table rows, In<std::int32_t> query, In<std::int32_t> place, In<std::int32_t> lists,
                    In<double> bounds, In<std::uint8_t> allowed, double factor, double slack, int threads,
                    Out<std::int32_t> near, Out<double> distances, Out<std::uint8_t> sure) {
    const assay::RowMatrix x = sample_of(rows);
    const assay::Candidates from =
        candidates_of(x.count, query, place, lists, bounds, allowed, factor, slack);
    const assay::Lists out = lists_of(from.count, near, distances);
    require_size(sure, from.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::nearest_listed(x, from, threads, pause, out, sure.data());
}

// Rows of bits and numbers, and how they are measured; the arrays must outlive it.
assay::PatternFrame frame_of(const In<std::uint64_t>& bits, const In<double>& numbers,
                             const In<std::uint8_t>& kind, const In<double>& step) {
    const auto width = static_cast<std::int64_t>(kind.size());
    require(width > 0 && within<std::uint8_t>(kind.data(), width, 0, 3), "there is no such kind of column");
    require_size(step, width);
    assay::PatternFrame frame(kind.data(), width, step.data());
    require(bits.ndim() == 2 && numbers.ndim() == 2 && bits.shape(0) == numbers.shape(0) &&
                static_cast<std::int64_t>(bits.shape(1)) == frame.words() &&
                static_cast<std::int64_t>(numbers.shape(1)) == frame.numbers(),
            "rows must have a bit for every column, and its numbers");
    return frame;
}

void patterns_listed(In<std::uint64_t> bits, In<double> numbers, In<std::uint8_t> kind, In<double> step,
                     In<std::int32_t> query, In<std::int32_t> place, In<std::int32_t> lists,
                     In<double> bounds, In<std::uint8_t> allowed, double factor, double slack, int threads,
                     Out<std::int32_t> near, Out<double> distances, Out<std::uint8_t> sure) {
    const assay::PatternFrame frame = frame_of(bits, numbers, kind, step);
    const assay::Candidates from = candidates_of(static_cast<std::int64_t>(bits.shape(0)), query, place,
                                                 lists, bounds, allowed, factor, slack);
    const assay::Lists out = lists_of(from.count, near, distances);
    require_size(sure, from.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::nearest_listed(frame.of(bits.data(), numbers.data()), from, threads, pause, out, sure.data());
}

void nearest_patterns(In<std::uint64_t> bits, In<double> numbers, In<std::uint8_t> kind, In<double> step,
                      In<std::int32_t> rows, In<std::int32_t> queries, int threads, Out<std::int32_t> near,
                      Out<double> distances) {
    const assay::PatternFrame frame = frame_of(bits, numbers, kind, step);
    const auto total = static_cast<std::int64_t>(bits.shape(0)),
               count = static_cast<std::int64_t>(rows.size()),
               asked = static_cast<std::int64_t>(queries.size());
    require(within<std::int32_t>(rows.data(), count, 0, total) &&
                within<std::int32_t>(queries.data(), asked, 0, total),
            "there is no such row");
    const assay::Lists out = lists_of(asked, near, distances);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    const assay::PatternSearch search{
        frame, frame.of(bits.data(), numbers.data()), rows.data(), count, queries.data(), asked, {}};
    require(assay::nearest_in_patterns(search, true, threads, pause, out), "the values are too large");
}

void merge_near(In<std::int32_t> rows, In<double> distances, In<std::int32_t> other_rows,
                In<double> other_distances, Out<std::int32_t> near, Out<double> out) {
    require(rows.ndim() == 2 && other_rows.ndim() == 2 && near.ndim() == 2 &&
                rows.shape(0) == other_rows.shape(0) && rows.shape(0) == near.shape(0),
            "neighbours must be matrices of as many queries");
    const auto count = static_cast<std::int64_t>(rows.shape(0)), a = static_cast<std::int64_t>(rows.shape(1)),
               b = static_cast<std::int64_t>(other_rows.shape(1)),
               k = static_cast<std::int64_t>(near.shape(1));
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
        asking.count = static_cast<std::int64_t>(place->size());
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
        models = static_cast<std::int64_t>(unit->size());
        asking.unit = unit->data();
    }
    if (copies) {
        require(copies->ndim() == 2 && cell->ndim() == 2, "copies and cells must be matrices");
        const auto rows = static_cast<std::int64_t>(copies->shape(0));
        require(models < 0 || models == rows, "there must be a unit for every model");
        models = rows;
        asking.cells = static_cast<std::int64_t>(copies->shape(1));
        require_size(*layer, models);
        require_size(*cell, static_cast<std::int64_t>(cell->shape(0)) * voters.rows);
        require(within<std::int32_t>(layer->data(), models, 0, static_cast<std::int64_t>(cell->shape(0))),
                "there is no such layer");
        require(within<std::int32_t>(cell->data(), static_cast<std::int64_t>(cell->size()), -1, asking.cells),
                "there is no such cell");
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
    const assay::Neighbors lists{near.data(), distances.data(), static_cast<std::int64_t>(near.shape(0)),
                                 static_cast<std::int64_t>(near.shape(1))};
    const auto rows = static_cast<std::int64_t>(codes.size()), k = static_cast<std::int64_t>(sizes.size());
    const assay::Voters voters{codes.data(), weight ? weight->data() : nullptr,
                               static_cast<std::int64_t>(out.shape(2)), rows};
    require_size(distances, lists.count * lists.length);
    if (weight) require_size(*weight, rows);
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

void bind_near(nb::module_& m) {
    m.def("nearest", &nearest, nb::arg("rows"), nb::arg("queries"), nb::arg("row_group").none(),
          nb::arg("query_group").none(), nb::arg("groups"), nb::arg("part"), nb::arg("itself").none(),
          nb::arg("metric"), nb::arg("numeric"), nb::arg("by_products"), nb::arg("threads"),
          nb::arg("near").noconvert(), nb::arg("distances").noconvert(), nb::arg("squared") = false);
    m.def("all_distances", &all_distances, nb::arg("rows"), nb::arg("queries"), nb::arg("metric"),
          nb::arg("numeric"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("candidate_distances", &candidate_distances, nb::arg("rows"), nb::arg("queries"),
          nb::arg("candidates"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("nearest_listed", &nearest_listed, nb::arg("rows"), nb::arg("query"), nb::arg("place"),
          nb::arg("lists"), nb::arg("bounds"), nb::arg("allowed"), nb::arg("factor"), nb::arg("slack"),
          nb::arg("threads"), nb::arg("near").noconvert(), nb::arg("distances").noconvert(),
          nb::arg("sure").noconvert());
    m.def("patterns_listed", &patterns_listed, nb::arg("bits"), nb::arg("numbers"), nb::arg("kind"),
          nb::arg("step"), nb::arg("query"), nb::arg("place"), nb::arg("lists"), nb::arg("bounds"),
          nb::arg("allowed"), nb::arg("factor"), nb::arg("slack"), nb::arg("threads"),
          nb::arg("near").noconvert(), nb::arg("distances").noconvert(), nb::arg("sure").noconvert());
    m.def("nearest_patterns", &nearest_patterns, nb::arg("bits"), nb::arg("numbers"), nb::arg("kind"),
          nb::arg("step"), nb::arg("rows"), nb::arg("queries"), nb::arg("threads"),
          nb::arg("near").noconvert(), nb::arg("distances").noconvert());
    m.def("merge_near", &merge_near, nb::arg("rows"), nb::arg("distances"), nb::arg("other_rows"),
          nb::arg("other_distances"), nb::arg("near").noconvert(), nb::arg("out").noconvert());
    m.def("vote", &vote, nb::arg("near"), nb::arg("distances"), nb::arg("codes"), nb::arg("weight").none(),
          nb::arg("sizes"), nb::arg("by_distance"), nb::arg("last"), nb::arg("threads"),
          nb::arg("too_short").noconvert(), nb::arg("out").noconvert(), nb::arg("place").none() = nb::none(),
          nb::arg("model").none() = nb::none(), nb::arg("unit").none() = nb::none(),
          nb::arg("cell").none() = nb::none(), nb::arg("layer").none() = nb::none(),
          nb::arg("copies").none() = nb::none());
}
