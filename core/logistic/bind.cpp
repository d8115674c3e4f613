// What Python sees of logistic/newton.hpp.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "logistic/bound_rows.hpp"
#include "logistic/newton.hpp"

namespace {

// Training parts that Python gave, with the arrays that they lie in.
struct BoundParts {
    BoundParts(In<double> share_, In<double> penalty_, In<bool> free_, In<double> start_, In<double> weight_,
               Maybe<double> maps_)
        : share(share_), penalty(penalty_), free(free_), start(start_), weight(weight_), maps(maps_) {
        require(share.ndim() == 2 && free.ndim() == 3 && free.shape(2) > 0,
                "shares are parts x folds, what is free parts x classes x coordinates");
        require(!maps || maps->ndim() == 3, "maps must be parts x columns x coordinates");
        parts.count = static_cast<std::int64_t>(share.shape(0));
        parts.folds = static_cast<std::int64_t>(share.shape(1));
        parts.classes = static_cast<std::int64_t>(free.shape(1));
        parts.width = static_cast<std::int64_t>(free.shape(2));
        parts.columns = maps ? static_cast<std::int64_t>(maps->shape(1)) : parts.width;
        require_size(penalty, parts.count * (parts.width - 1));
        require_size(free, parts.count * parts.size());
        require_size(start, parts.count * parts.size());
        require_size(weight, parts.count);
        if (maps) require_size(*maps, parts.count * parts.columns * parts.width);
        parts.share = share.data(), parts.penalty = penalty.data(), parts.free = free.data();
        parts.start = start.data(), parts.weight = weight.data();
        parts.maps = maps ? maps->data() : nullptr;
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

    void gradients(const assay::StackedModels& models, bool exact, assay::ThreadPool& team, double* gradient,
                   double* loss) override {
        nb::gil_scoped_acquire held;
        const std::int64_t count = models.first[models.folds];
        asked_.attr("gradients")(seen<const double>(models.weights, {count, models.classes, width_}),
                                 seen<const std::int64_t>(models.first, {models.folds + 1}), exact,
                                 team.size(), seen<double>(gradient, {count, models.classes, width_}),
                                 seen<double>(loss, {count}));
    }
    void grams(const double* model, std::int64_t classes, std::int64_t folds, const bool* wanted, bool exact,
               assay::ThreadPool& team, double* out) override {
        nb::gil_scoped_acquire held;
        const std::int64_t pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
        asked_.attr("grams")(seen<const double>(model, {classes, width_}), seen<const bool>(wanted, {folds}),
                             exact, team.size(), seen<double>(out, {folds, pairs, width_, width_}));
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
    newton.path(l2.data(), static_cast<std::int64_t>(l2.size()), begin ? begin->data() : nullptr, found);
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
    const auto count = static_cast<std::int64_t>(l2.size()) * parts.count;
    require(parts.count > 0, "there must be a training part");
    require_size(B, count * parts.spread());
    require_size(gradient, count);
    require_size(loss, count);
    require_size(converged, count);
    require_size(theta, parts.count * parts.size());
    require_size(renewed, parts.count);
    if (begin) require_size(*begin, parts.size());
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

}  // namespace

void bind_newton(nb::module_& m) {
    nb::class_<BoundParts>(m, "TrainingParts")
        .def(nb::init<In<double>, In<double>, In<bool>, In<double>, In<double>, Maybe<double>>(),
             nb::arg("share"), nb::arg("penalty"), nb::arg("free"), nb::arg("start"), nb::arg("weight"),
             nb::arg("maps").none());
    m.def("newton_path", &newton_path, nb::arg("rows"), nb::arg("parts"), nb::arg("pilot").none(),
          nb::arg("l2"), nb::arg("tol"), nb::arg("threads"), nb::arg("B").noconvert(),
          nb::arg("gradient").noconvert(), nb::arg("loss").noconvert(), nb::arg("converged").noconvert(),
          nb::arg("theta").noconvert(), nb::arg("renewed").noconvert(), nb::arg("begin") = nb::none());
}
