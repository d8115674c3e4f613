// What Python sees of logistic/gradients.hpp and logistic/fold_rows.hpp.
#include "logistic/bound_rows.hpp"

namespace {

using Places = In<std::int64_t>;
using Codes = In<std::int32_t>;

assay::FoldOrderedRows ordered_of(const assay::Rows& table, const Places& order, const In<double>& center,
                                  const In<double>& unit, const Codes& codes, const Maybe<double>& weight,
                                  const Places& start, const Codes& fold) {
    const auto count = static_cast<std::int64_t>(order.size());
    assay::FoldOrderedRows rows;
    rows.table = table;
    rows.chunks = static_cast<std::int64_t>(fold.size());
    require_size(center, table.width());
    require_size(unit, table.width());
    require_size(codes, count);
    require_size(start, rows.chunks + 1);
    if (weight) require_size(*weight, count);
    require(within<std::int64_t>(order.data(), count, 0, table.count), "there is no such row");
    require(start.data()[0] >= 0 && start.data()[rows.chunks] <= count, "chunks lie beyond the rows");
    for (std::int64_t c = 0; c < rows.chunks; ++c)
        require(start.data()[c] < start.data()[c + 1], "chunks must be in order, with rows in each");
    rows.order = order.data();
    rows.center = center.data();
    rows.unit = unit.data();
    rows.codes = codes.data();
    rows.weight = weight ? weight->data() : nullptr;
    rows.start = start.data();
    rows.fold = fold.data();
    return rows;
}

std::int64_t kept_size(std::int64_t width, Places start) {
    require(start.size() > 0, "there must be a first place");
    assay::FoldOrderedRows rows;
    rows.table.columns = width;
    rows.start = start.data();
    rows.chunks = static_cast<std::int64_t>(start.size()) - 1;
    return assay::kept_size(rows);
}

void gradients(BoundRows& bound, In<double> models, Places first, bool exact, int threads,
               Out<double> gradient, Out<double> loss) {
    require(models.ndim() == 3 && models.shape(1) > 0, "models must be models x classes x features");
    const auto count = static_cast<std::int64_t>(models.shape(0)),
               classes = static_cast<std::int64_t>(models.shape(1)),
               folds = static_cast<std::int64_t>(first.size()) - 1;
    bound.require_names(classes, folds);
    require_size(models, count * classes * bound.ordered.width());
    require_size(gradient, count * classes * bound.ordered.width());
    require_size(loss, count);
    require(folds >= 0 && first.data()[0] == 0 && first.data()[folds] == count,
            "every model lies in one fold");
    for (std::int64_t f = 0; f < folds; ++f)
        require(first.data()[f] <= first.data()[f + 1], "models must be in the order of the folds");
    nb::gil_scoped_release release;
    const Heeded heeded(bound);
    assay::ThreadPool team(threads);
    bound.rows.gradients({models.data(), first.data(), folds, classes}, exact, team, gradient.data(),
                         loss.data());
}

void grams(BoundRows& bound, In<double> model, In<bool> wanted, bool exact, int threads, Out<double> out) {
    require(model.ndim() == 2 && model.shape(0) > 0, "the model must be classes x features");
    const auto classes = static_cast<std::int64_t>(model.shape(0)),
               folds = static_cast<std::int64_t>(wanted.size()), width = bound.ordered.width(),
               pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
    bound.require_names(classes, folds);
    require_size(model, classes * width);
    require_size(out, folds * pairs * width * width);
    nb::gil_scoped_release release;
    const Heeded heeded(bound);
    assay::ThreadPool team(threads);
    bound.rows.grams(model.data(), classes, folds, wanted.data(), exact, team, out.data());
}

}  // namespace

BoundRows::BoundRows(Table x_, Maybe<double> fill_, Maybe<std::int32_t> indicators_, Places order_,
                     In<double> center_, In<double> unit_, Codes codes_, Maybe<double> weight_, Places start_,
                     Codes fold_, bool coarse, bool keep)
    : x(x_),
      fill(fill_),
      indicators(indicators_),
      order(order_),
      center(center_),
      unit(unit_),
      codes(codes_),
      weight(weight_),
      start(start_),
      fold(fold_),
      ordered(ordered_of(rows_of(x, fill, indicators), order, center, unit, codes, weight, start, fold)),
      rows(ordered, coarse, keep) {}

void BoundRows::require_names(std::int64_t classes, std::int64_t folds) const {
    require(within(codes.data(), static_cast<std::int64_t>(codes.size()), 0, classes == 1 ? 2 : classes),
            "codes must name a class");
    require(within(fold.data(), static_cast<std::int64_t>(fold.size()), 0, folds), "a chunk lies in no fold");
}

void bind_passes(nb::module_& m) {
    m.def("kept_size", &kept_size, nb::arg("width"), nb::arg("start"));
    nb::class_<BoundRows>(m, "FoldRows")
        .def(nb::init<Table, Maybe<double>, Maybe<std::int32_t>, Places, In<double>, In<double>, Codes,
                      Maybe<double>, Places, Codes, bool, bool>(),
             nb::arg("x"), nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("order"),
             nb::arg("center"), nb::arg("unit"), nb::arg("codes"), nb::arg("weight").none(), nb::arg("start"),
             nb::arg("fold"), nb::arg("coarse"), nb::arg("keep"))
        .def("gradients", &gradients, nb::arg("models"), nb::arg("first"), nb::arg("exact"),
             nb::arg("threads"), nb::arg("gradient").noconvert(), nb::arg("loss").noconvert())
        .def("grams", &grams, nb::arg("model"), nb::arg("wanted"), nb::arg("exact"), nb::arg("threads"),
             nb::arg("out").noconvert());
}
