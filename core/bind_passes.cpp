// What Python sees of passes.hpp.
#include "arrays.hpp"
#include "passes.hpp"

namespace {

using Places = In<std::int64_t>;
using Codes = In<std::int32_t>;
// Rows that were kept, in either precision.
using Kept = std::optional<ndarray<nb::ro, nb::c_contig, nb::device::cpu>>;

assay::Ordered ordered_of(const assay::Rows& table, const Places& order, const In<double>& center,
                          const In<double>& unit, const Codes& codes, const Maybe<double>& weight,
                          const Places& start, const Codes& fold, const Kept& kept) {
    const auto count = static_cast<std::int64_t>(order.size());
    assay::Ordered rows;
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
    if (!kept) return rows;
    require_size(*kept, assay::kept_size(rows));
    if (kept->dtype() == nb::dtype<double>())
        rows.kept = static_cast<const double*>(kept->data());
    else if (kept->dtype() == nb::dtype<float>())
        rows.narrow = static_cast<const float*>(kept->data());
    else
        throw std::invalid_argument("rows are kept as float64 or float32");
    return rows;
}

void require_names(const Codes& codes, std::int64_t classes, const Codes& fold, std::int64_t folds) {
    require(within(codes.data(), static_cast<std::int64_t>(codes.size()), 0, classes == 1 ? 2 : classes),
            "codes must name a class");
    require(within(fold.data(), static_cast<std::int64_t>(fold.size()), 0, folds), "a chunk lies in no fold");
}

std::int64_t kept_size(std::int64_t width, Places start) {
    require(start.size() > 0, "there must be a first place");
    assay::Ordered rows;
    rows.table.columns = width;
    rows.start = start.data();
    rows.chunks = static_cast<std::int64_t>(start.size()) - 1;
    return assay::kept_size(rows);
}

void keep_rows(Table x, Maybe<double> fill, Maybe<std::int32_t> indicators, Places order, In<double> center,
               In<double> unit, Codes codes, Maybe<double> weight, Places start, Codes fold, int threads,
               ndarray<nb::c_contig, nb::device::cpu> out) {
    const auto rows = ordered_of(rows_of(x, fill, indicators), order, center, unit, codes, weight, start,
                                 fold, std::nullopt);
    require_size(out, assay::kept_size(rows));
    const bool narrow = out.dtype() == nb::dtype<float>();
    require(narrow || out.dtype() == nb::dtype<double>(), "rows are kept as float64 or float32");
    nb::gil_scoped_release release;
    if (narrow)
        assay::keep_rows(rows, threads, static_cast<float*>(out.data()));
    else
        assay::keep_rows(rows, threads, static_cast<double*>(out.data()));
}

void stacked_gradients(Table x, Maybe<double> fill, Maybe<std::int32_t> indicators, Places order,
                       In<double> center, In<double> unit, Codes codes, Maybe<double> weight, Places start,
                       Codes fold, Kept kept, In<double> models, Places first, int threads,
                       Out<double> gradient, Out<double> loss) {
    require(models.ndim() == 3 && models.shape(1) > 0, "models must be models x classes x features");
    const auto count = static_cast<std::int64_t>(models.shape(0)),
               classes = static_cast<std::int64_t>(models.shape(1)),
               folds = static_cast<std::int64_t>(first.size()) - 1;
    const auto rows =
        ordered_of(rows_of(x, fill, indicators), order, center, unit, codes, weight, start, fold, kept);
    require_names(codes, classes, fold, folds);
    require_size(models, count * classes * rows.width());
    require_size(gradient, count * classes * rows.width());
    require_size(loss, count);
    require(folds >= 0 && first.data()[0] == 0 && first.data()[folds] == count,
            "every model lies in one fold");
    for (std::int64_t f = 0; f < folds; ++f)
        require(first.data()[f] <= first.data()[f + 1], "models must be in the order of the folds");
    nb::gil_scoped_release release;
    assay::stacked_gradients(rows, {models.data(), first.data(), folds, classes}, threads, gradient.data(),
                             loss.data());
}

void fold_grams(Table x, Maybe<double> fill, Maybe<std::int32_t> indicators, Places order, In<double> center,
                In<double> unit, Codes codes, Maybe<double> weight, Places start, Codes fold, Kept kept,
                In<double> model, In<bool> wanted, int threads, Out<double> out) {
    require(model.ndim() == 2 && model.shape(0) > 0, "the model must be classes x features");
    const auto classes = static_cast<std::int64_t>(model.shape(0)),
               folds = static_cast<std::int64_t>(wanted.size()),
               pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
    const auto rows =
        ordered_of(rows_of(x, fill, indicators), order, center, unit, codes, weight, start, fold, kept);
    require_names(codes, classes, fold, folds);
    require_size(model, classes * rows.width());
    require_size(out, folds * pairs * rows.width() * rows.width());
    nb::gil_scoped_release release;
    assay::fold_grams(rows, model.data(), classes, folds, wanted.data(), threads, out.data());
}

}  // namespace

void bind_passes(nb::module_& m) {
    m.def("kept_size", &kept_size, nb::arg("width"), nb::arg("start"));
    m.def("keep_rows", &keep_rows, nb::arg("x"), nb::arg("fill").none(), nb::arg("indicators").none(),
          nb::arg("order"), nb::arg("center"), nb::arg("unit"), nb::arg("codes"), nb::arg("weight").none(),
          nb::arg("start"), nb::arg("fold"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("stacked_gradients", &stacked_gradients, nb::arg("x"), nb::arg("fill").none(),
          nb::arg("indicators").none(), nb::arg("order"), nb::arg("center"), nb::arg("unit"),
          nb::arg("codes"), nb::arg("weight").none(), nb::arg("start"), nb::arg("fold"),
          nb::arg("kept").none(), nb::arg("models"), nb::arg("first"), nb::arg("threads"),
          nb::arg("gradient").noconvert(), nb::arg("loss").noconvert());
    m.def("fold_grams", &fold_grams, nb::arg("x"), nb::arg("fill").none(), nb::arg("indicators").none(),
          nb::arg("order"), nb::arg("center"), nb::arg("unit"), nb::arg("codes"), nb::arg("weight").none(),
          nb::arg("start"), nb::arg("fold"), nb::arg("kept").none(), nb::arg("model"), nb::arg("wanted"),
          nb::arg("threads"), nb::arg("out").noconvert());
}
