// What Python sees of logistic: sums over rows of folds, whole paths of penalties, softmax.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "logistic/coordinate_descent.hpp"
#include "logistic/fold_rows.hpp"
#include "logistic/newton.hpp"
#include "logistic/softmax.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

// Rows of a table that Python gave, with the arrays that they lie in.
struct BoundRows {
    BoundRows(Table x, Maybe<double> fill, Maybe<std::int32_t> indicators, In<std::int64_t> order,
              In<double> center, In<double> unit, In<std::int32_t> codes, Maybe<double> weight,
              In<std::int64_t> start, In<std::int32_t> fold, bool coarse, bool keep);
    BoundRows(const BoundRows&) = delete;

    void require_names(std::int64_t classes, std::int64_t folds) const;

    Table x;
    Maybe<double> fill;
    Maybe<std::int32_t> indicators;
    In<std::int64_t> order;
    In<double> center, unit;
    In<std::int32_t> codes;
    Maybe<double> weight;
    In<std::int64_t> start;
    In<std::int32_t> fold;
    assay::FoldOrderedRows ordered;
    assay::FoldRows rows;
};

// Ctrl-C is heard in the passes over these rows as long as this lives.
struct Heeded {
    explicit Heeded(BoundRows& bound) : pause(check_interrupt), rows(bound.rows) { rows.heed(&pause); }
    ~Heeded() { rows.heed(nullptr); }

    assay::InterruptCheck pause;
    assay::FoldRows& rows;
};

assay::FoldOrderedRows ordered_of(const assay::Rows& table, const In<std::int64_t>& order,
                                  const In<double>& center, const In<double>& unit,
                                  const In<std::int32_t>& codes, const Maybe<double>& weight,
                                  const In<std::int64_t>& start, const In<std::int32_t>& fold) {
    const auto count = order.count();
    assay::FoldOrderedRows rows;
    rows.table = table;
    rows.chunks = fold.count();
    require_size(center, table.width());
    require_size(unit, table.width());
    require_size(codes, count);
    require_size(start, rows.chunks + 1);
    require_size(weight, count);
    require(within<std::int64_t>(order.data(), count, 0, table.count), "there is no such row");
    require(start.data()[0] >= 0 && start.data()[rows.chunks] <= count, "chunks lie beyond the rows");
    for (std::int64_t c = 0; c < rows.chunks; ++c)
        require(start.data()[c] < start.data()[c + 1], "chunks must be in order, with rows in each");
    rows.order = order.data();
    rows.center = center.data();
    rows.unit = unit.data();
    rows.codes = codes.data();
    rows.weight = data_of(weight);
    rows.start = start.data();
    rows.fold = fold.data();
    return rows;
}

std::int64_t kept_size(std::int64_t width, In<std::int64_t> start) {
    require(start.size() > 0, "there must be a first place");
    assay::FoldOrderedRows rows;
    rows.table.columns = width;
    rows.start = start.data();
    rows.chunks = start.count() - 1;
    return assay::kept_size(rows);
}

void gradients(BoundRows& bound, In<double> models, In<std::int64_t> first, bool exact, int threads,
               Out<double> gradient, Out<double> loss) {
    require(models.ndim() == 3 && models.shape(1) > 0, "models must be models x classes x features");
    const auto count = models.extent(0), classes = models.extent(1), folds = first.count() - 1;
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
    assay::ThreadPool pool(threads);
    bound.rows.gradients({models.data(), first.data(), folds, classes}, exact, pool, gradient.data(),
                         loss.data());
}

void grams(BoundRows& bound, In<double> model, In<bool> wanted, bool exact, int threads, Out<double> out) {
    require(model.ndim() == 2 && model.shape(0) > 0, "the model must be classes x features");
    const auto classes = model.extent(0), folds = wanted.count(), width = bound.ordered.width(),
               pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
    bound.require_names(classes, folds);
    require_size(model, classes * width);
    require_size(out, folds * pairs * width * width);
    nb::gil_scoped_release release;
    const Heeded heeded(bound);
    assay::ThreadPool pool(threads);
    bound.rows.grams(model.data(), classes, folds, wanted.data(), exact, pool, out.data());
}

BoundRows::BoundRows(Table x_, Maybe<double> fill_, Maybe<std::int32_t> indicators_, In<std::int64_t> order_,
                     In<double> center_, In<double> unit_, In<std::int32_t> codes_, Maybe<double> weight_,
                     In<std::int64_t> start_, In<std::int32_t> fold_, bool coarse, bool keep)
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
    require(within(codes.data(), codes.count(), 0, classes == 1 ? 2 : classes), "codes must name a class");
    require(within(fold.data(), fold.count(), 0, folds), "a chunk lies in no fold");
}

// Training parts that Python gave, with the arrays that they lie in.
struct BoundParts {
    BoundParts(In<double> share_, In<double> penalty_, In<bool> free_, In<double> start_, In<double> weight_,
               Maybe<double> maps_)
        : share(share_), penalty(penalty_), free(free_), start(start_), weight(weight_), maps(maps_) {
        require(share.ndim() == 2 && free.ndim() == 3 && free.shape(2) > 0,
                "shares are parts x folds, what is free parts x classes x coordinates");
        require(!maps || maps->ndim() == 3, "maps must be parts x columns x coordinates");
        parts.count = share.extent(0);
        parts.folds = share.extent(1);
        parts.classes = free.extent(1);
        parts.width = free.extent(2);
        parts.columns = maps ? maps->extent(1) : parts.width;
        require_size(penalty, parts.count * (parts.width - 1));
        require_size(free, parts.count * parts.size());
        require_size(start, parts.count * parts.size());
        require_size(weight, parts.count);
        require_size(maps, parts.count * parts.columns * parts.width);
        parts.share = share.data(), parts.penalty = penalty.data(), parts.free = free.data();
        parts.start = start.data(), parts.weight = weight.data();
        parts.maps = data_of(maps);
    }

    In<double> share, penalty;
    In<bool> free;
    In<double> start, weight;
    Maybe<double> maps;
    assay::LogisticObjective parts;
};

// Rows that are summed by Python: an object with methods `gradients` and `grams` as FoldRows has, and a
// number `n_rows`. Called without the interpreter's lock.
class PythonRows final : public assay::RowSums {
  public:
    PythonRows(nb::object rows, std::int64_t width) : asked_(std::move(rows)), width_(width) {
        rows_ = nb::cast<std::int64_t>(asked_.attr("n_rows"));
    }

    void gradients(const assay::StackedModels& models, bool exact, assay::ThreadPool& pool, double* gradient,
                   double* loss) override {
        nb::gil_scoped_acquire held;
        const std::int64_t count = models.first[models.folds];
        asked_.attr("gradients")(seen<const double>(models.weights, {count, models.classes, width_}),
                                 seen<const std::int64_t>(models.first, {models.folds + 1}), exact,
                                 pool.size(), seen<double>(gradient, {count, models.classes, width_}),
                                 seen<double>(loss, {count}));
    }
    void grams(const double* model, std::int64_t classes, std::int64_t folds, const bool* wanted, bool exact,
               assay::ThreadPool& pool, double* out) override {
        nb::gil_scoped_acquire held;
        const std::int64_t pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
        asked_.attr("grams")(seen<const double>(model, {classes, width_}), seen<const bool>(wanted, {folds}),
                             exact, pool.size(), seen<double>(out, {folds, pairs, width_, width_}));
    }
    bool coarse() const override { return false; }
    std::int64_t rows() const override { return rows_; }

  private:
    template <class T>
    static nb::object seen(T* data, std::initializer_list<std::int64_t> shape) {
        const std::vector<std::size_t> sizes(shape.begin(), shape.end());
        return nb::cast(nb::ndarray<nb::numpy, T>(data, sizes.size(), sizes.data(), nb::handle()),
                        nb::rv_policy::reference);
    }

    nb::object asked_;
    std::int64_t width_, rows_;
};

using History = std::vector<std::tuple<double, double, double>>;

std::tuple<History, std::int64_t> solved(assay::RowSums& rows, assay::InterruptCheck& pause,
                                         const BoundParts& bound, const BoundParts* pilot, double tol,
                                         int threads, const In<double>& l2, const Maybe<double>& begin,
                                         const assay::PathFound& found) {
    nb::gil_scoped_release release;
    assay::FoldNewton newton(rows, bound.parts, pilot ? &pilot->parts : nullptr, tol, threads, pause);
    newton.path(l2.data(), l2.count(), data_of(begin), found);
    History history;
    for (const assay::Turn& turn : newton.history)
        history.emplace_back(turn.l2, turn.objective, turn.gradient);
    return {history, newton.passes};
}

std::tuple<History, std::int64_t> newton_path(nb::object rows, const BoundParts& bound,
                                              const BoundParts* pilot, In<double> l2, double tol, int threads,
                                              Out<double> B, Out<double> gradient, Out<double> loss,
                                              Out<bool> converged, Out<double> theta, Out<bool> renewed,
                                              Maybe<double> begin) {
    const assay::LogisticObjective& parts = bound.parts;
    const auto count = l2.count() * parts.count;
    require(parts.count > 0, "there must be a training part");
    require_size(B, count * parts.spread());
    require_size(gradient, count);
    require_size(loss, count);
    require_size(converged, count);
    require_size(theta, parts.count * parts.size());
    require_size(renewed, parts.count);
    require_size(begin, parts.size());
    if (pilot)
        require(pilot->parts.count == 1 && pilot->parts.folds == parts.folds &&
                    pilot->parts.size() == parts.size() && pilot->parts.classes == parts.classes &&
                    pilot->parts.columns == parts.columns,
                "the pilot must be a single part with the coordinates of the others");
    const assay::PathFound found{B.data(),         gradient.data(), loss.data(),
                                 converged.data(), theta.data(),    renewed.data()};
    if (!nb::isinstance<BoundRows>(rows)) {
        PythonRows asked(rows, parts.columns);
        assay::InterruptCheck pause(check_interrupt);
        return solved(asked, pause, bound, pilot, tol, threads, l2, begin, found);
    }
    auto& given = nb::cast<BoundRows&>(rows);
    given.require_names(parts.classes, parts.folds);
    require(given.ordered.width() == parts.columns, "the arrays do not fit together");
    Heeded heeded(given);
    return solved(given.rows, heeded.pause, bound, pilot, tol, threads, l2, begin, found);
}

void standardized_rows(Table x, Maybe<std::int64_t> which, std::int64_t first, Maybe<double> fill,
                       Maybe<std::int32_t> indicators, In<double> center, In<double> unit, Out<double> out) {
    const auto rows = rows_of(x, fill, indicators);
    require(out.ndim() == 2 && out.extent(1) == rows.width() + 1,
            "the block has other columns than the table");
    const auto count = out.extent(0);
    require_size(center, rows.width());
    require_size(unit, rows.width());
    require_size(which, count);
    require(which ? within<std::int64_t>(which->data(), count, 0, rows.count)
                  : first >= 0 && first + count <= rows.count,
            "there is no such row");
    nb::gil_scoped_release release;
    assay::standardized_rows(rows, data_of(which), first, count, center.data(), unit.data(), out.data());
}

void softmax_residuals(Out<double> scores, In<std::int32_t> codes, Maybe<double> weight, Out<double> loss) {
    require(scores.ndim() == 3 && scores.shape(1) > 0, "scores must be groups x classes x rows");
    const auto groups = scores.extent(0), classes = scores.extent(1), count = scores.extent(2);
    require_size(codes, count);
    require_size(loss, groups);
    require_size(weight, count);
    require(within(codes.data(), count, 0, classes == 1 ? 2 : classes), "codes must name a class");
    nb::gil_scoped_release release;
    assay::softmax_residuals<double>(scores.data(), groups, classes, count, count, nullptr, codes.data(),
                                     data_of(weight), loss.data());
}

void softmax_posteriors(Out<double> scores) {
    require(scores.ndim() == 2 && scores.shape(0) > 0, "scores must be classes x rows");
    nb::gil_scoped_release release;
    const auto count = scores.extent(1);
    assay::softmax_posteriors(scores.data(), scores.extent(0), count, count);
}

std::int64_t coordinate_descent(In<double> hessian, In<double> gradient, In<double> start, In<double> l1,
                                std::int64_t sweeps, double tol, Out<double> out) {
    const auto count = gradient.count();
    require(hessian.ndim() == 2, "the second derivatives must be a square matrix");
    require_size(hessian, count * count);
    require_size(start, count);
    require_size(l1, count);
    require_size(out, count);
    nb::gil_scoped_release release;
    return assay::coordinate_descent(hessian.data(), gradient.data(), start.data(), l1.data(), count, sweeps,
                                     tol, out.data());
}

}  // namespace

void bind_logistic(nb::module_& m) {
    m.def("kept_size", &kept_size, "width"_a, "start"_a);
    nb::class_<BoundRows>(m, "FoldRows")
        .def(nb::init<Table, Maybe<double>, Maybe<std::int32_t>, In<std::int64_t>, In<double>, In<double>,
                      In<std::int32_t>, Maybe<double>, In<std::int64_t>, In<std::int32_t>, bool, bool>(),
             "x"_a, "fill"_a.none(), "indicators"_a.none(), "order"_a, "center"_a, "unit"_a, "codes"_a,
             "weight"_a.none(), "start"_a, "fold"_a, "coarse"_a, "keep"_a)
        .def("gradients", &gradients, "models"_a, "first"_a, "exact"_a, "threads"_a, "gradient"_a.noconvert(),
             "loss"_a.noconvert())
        .def("grams", &grams, "model"_a, "wanted"_a, "exact"_a, "threads"_a, "out"_a.noconvert());

    nb::class_<BoundParts>(m, "TrainingParts")
        .def(nb::init<In<double>, In<double>, In<bool>, In<double>, In<double>, Maybe<double>>(), "share"_a,
             "penalty"_a, "free"_a, "start"_a, "weight"_a, "maps"_a.none());
    m.def("newton_path", &newton_path, "rows"_a, "parts"_a, "pilot"_a.none(), "l2"_a, "tol"_a, "threads"_a,
          "B"_a.noconvert(), "gradient"_a.noconvert(), "loss"_a.noconvert(), "converged"_a.noconvert(),
          "theta"_a.noconvert(), "renewed"_a.noconvert(), "begin"_a = nb::none());

    m.def("standardized_rows", &standardized_rows, "x"_a, "rows"_a.none(), "first"_a, "fill"_a.none(),
          "indicators"_a.none(), "center"_a, "unit"_a, "out"_a.noconvert());
    m.def("softmax_residuals", &softmax_residuals, "scores"_a.noconvert(), "codes"_a, "weight"_a.none(),
          "loss"_a.noconvert());
    m.def("softmax_posteriors", &softmax_posteriors, "scores"_a.noconvert());
    m.def("coordinate_descent", &coordinate_descent, "hessian"_a, "gradient"_a, "start"_a, "l1"_a, "sweeps"_a,
          "tol"_a, "out"_a.noconvert());
}
