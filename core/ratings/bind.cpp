// Recommendations, for Python.
#include <cstdint>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "ratings/ratings.hpp"

namespace {

constexpr std::int64_t kCodeLimit = 32767;

// Rows of ratings whose codes are int32 or float64.
assay::Rated rated_of(const In<std::int64_t>& first, const In<std::int32_t>& item,
                      const nb::ndarray<nb::ro>& code, std::int64_t items) {
    assay::Rated rows;
    require(first.size() > 0, "rows must have a beginning");
    require(items >= 0 && items <= INT32_MAX, "there are too many items");
    rows.count = static_cast<std::int64_t>(first.size()) - 1;
    rows.first = first.data();
    rows.item = item.data();
    const auto size = static_cast<std::int64_t>(item.size());
    require(rows.first[0] == 0 && rows.first[rows.count] == size, "the arrays do not fit together");
    for (std::int64_t r = 0; r < rows.count; ++r)
        require(rows.first[r] <= rows.first[r + 1], "rows must follow each other");
    require(within<std::int32_t>(rows.item, size, 0, items), "there is no such item");
    require(static_cast<std::int64_t>(code.size()) == size && (size < 2 || code.stride(0) == 1),
            "the arrays do not fit together");
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

assay::Critics critics_of(const In<std::int64_t>& first, const In<std::int32_t>& item,
                          const nb::ndarray<nb::ro>& code, std::int64_t items, const In<double>& mean,
                          const In<double>& inverse) {
    const assay::Critics critics{rated_of(first, item, code, items), items, mean.data(), inverse.data()};
    require_size(mean, critics.rows.count);
    require_size(inverse, critics.rows.count);
    return critics;
}

void rating_predictions(In<std::int64_t> first, In<std::int32_t> item, nb::ndarray<nb::ro> code,
                        std::int64_t items, In<double> mean, In<double> inverse,
                        In<std::int64_t> target_first, In<std::int32_t> target_item,
                        nb::ndarray<nb::ro> target_code, In<std::int32_t> itself,
                        In<std::int64_t> query_first, In<std::int32_t> query_item, bool one_out,
                        In<std::int32_t> kinds, std::int64_t overlap, double shrinkage, double unit,
                        std::int64_t neighbors, bool panels, int threads, Out<double> out,
                        Out<std::int32_t> used) {
    const assay::Critics critics = critics_of(first, item, code, items, mean, inverse);
    assay::Targets targets{rated_of(target_first, target_item, target_code, items), itself.data(),
                           query_first.data(), query_item.data(), one_out};
    const std::int64_t count = targets.rows.count, queries = static_cast<std::int64_t>(query_item.size());
    require((critics.rows.whole == nullptr) == (targets.rows.whole == nullptr), "codes must be of one kind");
    require_size(itself, count);
    require_size(query_first, count + 1);
    require(query_first.data()[0] == 0 && query_first.data()[count] == queries,
            "the arrays do not fit together");
    for (std::int64_t t = 0; t < count; ++t) {
        const std::int64_t asked = targets.query_first[t + 1] - targets.query_first[t];
        require(asked >= 0, "rows must follow each other");
        require(!one_out || (asked == targets.rows.length(t) && targets.rows.whole),
                "one is left out of whole numbers, and of every row");
    }
    require(within<std::int32_t>(itself.data(), count, -1, critics.rows.count), "there is no such critic");
    require(within<std::int32_t>(query_item.data(), queries, 0, items), "there is no such item");
    assay::Heard heard{static_cast<int>(kinds.size()), {0, 1}, neighbors, out.data(), used.data()};
    require(
        heard.similarities <= 2 && within<std::int32_t>(kinds.data(), heard.similarities, 0, panels ? 2 : 3),
        "there is no such similarity, or not side by side");
    for (int k = 0; k < heard.similarities; ++k) heard.kind[k] = kinds.data()[k];
    require_size(out, heard.similarities * 3 * queries);
    require_size(used, heard.similarities * queries);
    if (panels) require_small(critics.rows), require_small(targets.rows);
    const assay::Closeness closeness{std::max<std::int64_t>(overlap, 1), shrinkage, unit};
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    (panels ? assay::hear_panels : assay::hear_lists)(critics, targets, closeness, heard, threads, pause);
}

void rating_similarities(In<std::int64_t> first, In<std::int32_t> item, nb::ndarray<nb::ro> code,
                         std::int64_t items, In<double> mean, In<double> inverse,
                         In<std::int64_t> target_first, In<std::int32_t> target_item,
                         nb::ndarray<nb::ro> target_code, int kind, std::int64_t overlap, double shrinkage,
                         double unit, Out<std::int32_t> common, Out<double> out) {
    const assay::Critics critics = critics_of(first, item, code, items, mean, inverse);
    const assay::Rated target = rated_of(target_first, target_item, target_code, items);
    require(target.count == 1, "one target at a time");
    require(kind >= 0 && kind <= 2, "there are three similarities");
    require_size(common, critics.rows.count);
    require_size(out, critics.rows.count);
    nb::gil_scoped_release release;
    assay::similarities_to(critics, target, {std::max<std::int64_t>(overlap, 1), shrinkage, unit}, kind,
                           common.data(), out.data());
}

}  // namespace

void bind_ratings(nb::module_& m) {
    m.def("rating_predictions", &rating_predictions, nb::arg("first"), nb::arg("item"), nb::arg("code"),
          nb::arg("items"), nb::arg("mean"), nb::arg("inverse"), nb::arg("target_first"),
          nb::arg("target_item"), nb::arg("target_code"), nb::arg("itself"), nb::arg("query_first"),
          nb::arg("query_item"), nb::arg("one_out"), nb::arg("kinds"), nb::arg("overlap"),
          nb::arg("shrinkage"), nb::arg("unit"), nb::arg("neighbors"), nb::arg("panels"), nb::arg("threads"),
          nb::arg("out").noconvert(), nb::arg("used").noconvert());
    m.def("rating_similarities", &rating_similarities, nb::arg("first"), nb::arg("item"), nb::arg("code"),
          nb::arg("items"), nb::arg("mean"), nb::arg("inverse"), nb::arg("target_first"),
          nb::arg("target_item"), nb::arg("target_code"), nb::arg("kind"), nb::arg("overlap"),
          nb::arg("shrinkage"), nb::arg("unit"), nb::arg("common").noconvert(), nb::arg("out").noconvert());
}
