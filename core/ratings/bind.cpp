// Recommendations, for Python.

#include <cstdint>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "ratings/ratings.hpp"

namespace {

using Codes = Array<AnyType, nb::ro>;

constexpr std::int64_t kCodeLimit = 32767;

// Rows of ratings whose codes are int32 or float64.
assay::Rated rated_of(const In<std::int64_t>& first, const In<std::int32_t>& item, const Codes& code,
                      std::int64_t items) {
    assay::Rated rows;
    require(first.size() > 0, "rows must have a beginning");
    require(items >= 0 && items <= INT32_MAX, "there are too many items");
    rows.count = first.count() - 1;
    rows.first = first.data();
    rows.item = item.data();
    const auto size = item.count();
    require(rows.first[0] == 0 && rows.first[rows.count] == size, "the arrays do not fit together");
    for (std::int64_t r = 0; r < rows.count; ++r)
        require(rows.first[r] <= rows.first[r + 1], "rows must follow each other");
    require(within<std::int32_t>(rows.item, size, 0, items), "there is no such item");
    require(code.count() == size && (size < 2 || code.stride(0) == 1), "the arrays do not fit together");
    if (code.dtype() == nb::dtype<std::int32_t>())
        rows.whole = static_cast<const std::int32_t*>(code.data());
    else if (code.dtype() == nb::dtype<double>())
        rows.real = static_cast<const double*>(code.data());
    else
        throw std::invalid_argument("codes must be int32 or float64");
    return rows;
}

// Sums of the panels are of 31 bits.
void require_small(const assay::Rated& rows) {
    require(rows.whole != nullptr, "panels take whole numbers");
    std::int64_t most = 0, longest = 0;
    for (std::int64_t e = 0; e < rows.total(); ++e)
        most = std::max<std::int64_t>(
            most, rows.whole[e] < 0 ? -static_cast<std::int64_t>(rows.whole[e]) : rows.whole[e]);
    for (std::int64_t r = 0; r < rows.count; ++r) longest = std::max(longest, rows.length(r));
    require(
        most <= kCodeLimit && longest <= kCodeLimit && most * most * (longest + 1) < (std::int64_t{1} << 29),
        "codes are too large for panels");
}

// Who rates, with the arrays that their ratings lie in.
struct BoundCritics {
    In<std::int64_t> first;
    In<std::int32_t> item;
    Codes code;
    In<double> mean, inverse;
    assay::Critics critics;

    BoundCritics(In<std::int64_t> first_, In<std::int32_t> item_, Codes code_, std::int64_t items,
                 In<double> mean_, In<double> inverse_)
        : first(first_),
          item(item_),
          code(code_),
          mean(mean_),
          inverse(inverse_),
          critics{rated_of(first, item, code, items), items, mean.data(), inverse.data()} {
        require_size(mean, critics.rows.count);
        require_size(inverse, critics.rows.count);
    }
};

// Whose ratings are predicted, and of which items, with the arrays that they lie in.
struct BoundTargets {
    In<std::int64_t> first;
    In<std::int32_t> item;
    Codes code;
    In<std::int32_t> itself;
    In<std::int64_t> query_first;
    In<std::int32_t> query_item;
    bool one_out;

    BoundTargets(In<std::int64_t> first_, In<std::int32_t> item_, Codes code_, In<std::int32_t> itself_,
                 In<std::int64_t> query_first_, In<std::int32_t> query_item_, bool one_out_)
        : first(first_),
          item(item_),
          code(code_),
          itself(itself_),
          query_first(query_first_),
          query_item(query_item_),
          one_out(one_out_) {}

    assay::Targets of(const assay::Critics& critics) const {
        const assay::Targets targets{rated_of(first, item, code, critics.items), itself.data(),
                                     query_first.data(), query_item.data(), one_out};
        const std::int64_t count = targets.rows.count;
        require((critics.rows.whole == nullptr) == (targets.rows.whole == nullptr),
                "codes must be of one kind");
        require_size(itself, count);
        require_size(query_first, count + 1);
        require(query_first.data()[0] == 0 && query_first.data()[count] == query_item.count(),
                "the arrays do not fit together");
        for (std::int64_t t = 0; t < count; ++t) {
            const std::int64_t asked = targets.query_first[t + 1] - targets.query_first[t];
            require(asked >= 0, "rows must follow each other");
            require(!one_out || (asked == targets.rows.length(t) && targets.rows.whole),
                    "one is left out of whole numbers, and of every row");
        }
        require(within<std::int32_t>(itself, -1, critics.rows.count), "there is no such critic");
        require(within<std::int32_t>(query_item, 0, critics.items), "there is no such item");
        return targets;
    }
};

assay::Closeness closeness_of(std::int64_t overlap, double shrinkage, double unit) {
    return {std::max<std::int64_t>(overlap, 1), shrinkage, unit};
}

void rating_predictions(const BoundCritics& bound, const BoundTargets& asking, In<std::int32_t> kinds,
                        const assay::Closeness& closeness, std::int64_t neighbors, bool panels, int threads,
                        Out<double> out, Out<std::int32_t> used) {
    const assay::Critics& critics = bound.critics;
    const assay::Targets targets = asking.of(critics);
    const std::int64_t queries = targets.queries();
    assay::Heard heard{static_cast<int>(kinds.size()), {0, 1}, neighbors, out.data(), used.data()};
    require(heard.similarities <= 2 && within<std::int32_t>(kinds, 0, panels ? 2 : 3),
            "there is no such similarity, or not side by side");
    for (int k = 0; k < heard.similarities; ++k) heard.kind[k] = kinds.data()[k];
    require_size(out, heard.similarities * 3 * queries);
    require_size(used, heard.similarities * queries);
    if (panels) require_small(critics.rows), require_small(targets.rows);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    (panels ? assay::hear_panels : assay::hear_lists)(critics, targets, closeness, heard, threads, pause);
}

void rating_similarities(const BoundCritics& bound, In<std::int64_t> first, In<std::int32_t> item, Codes code,
                         int kind, const assay::Closeness& closeness, Out<std::int32_t> common,
                         Out<double> out) {
    const assay::Critics& critics = bound.critics;
    const assay::Rated target = rated_of(first, item, code, critics.items);
    require(target.count == 1, "one target at a time");
    require(kind >= 0 && kind <= 2, "there are three similarities");
    require_size(common, critics.rows.count);
    require_size(out, critics.rows.count);
    nb::gil_scoped_release release;
    assay::similarities_to(critics, target, closeness, kind, common.data(), out.data());
}

}  // namespace

void bind_ratings(nb::module_& m) {
    nb::class_<BoundCritics>(m, "Critics")
        .def(nb::init<In<std::int64_t>, In<std::int32_t>, Codes, std::int64_t, In<double>, In<double>>(),
             "first"_a, "item"_a, "code"_a, "items"_a, "mean"_a, "inverse"_a);
    nb::class_<BoundTargets>(m, "Targets")
        .def(nb::init<In<std::int64_t>, In<std::int32_t>, Codes, In<std::int32_t>, In<std::int64_t>,
                      In<std::int32_t>, bool>(),
             "first"_a, "item"_a, "code"_a, "itself"_a, "query_first"_a, "query_item"_a, "one_out"_a);
    nb::class_<assay::Closeness>(m, "Closeness")
        .def(
            "__init__",
            [](assay::Closeness* at, std::int64_t overlap, double shrinkage, double unit) {
                new (at) assay::Closeness(closeness_of(overlap, shrinkage, unit));
            },
            "overlap"_a, "shrinkage"_a, "unit"_a);
    m.def("rating_predictions", &rating_predictions, "critics"_a, "targets"_a, "kinds"_a, "closeness"_a,
          "neighbors"_a, "panels"_a, "threads"_a, "out"_a.noconvert(), "used"_a.noconvert());
    m.def("rating_similarities", &rating_similarities, "critics"_a, "first"_a, "item"_a, "code"_a, "kind"_a,
          "closeness"_a, "common"_a.noconvert(), "out"_a.noconvert());
}
