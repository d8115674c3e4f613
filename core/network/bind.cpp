// What Python sees of network: epochs of networks, of a single layer, of the perceptron.
#include <nanobind/stl/string.h>

#include <climits>
#include <string>

#include "base/offset_csr_mapped.hpp"
#include "network/network.hpp"
#include "network/perceptron.hpp"
#include "network/single_layer.hpp"
#include "python/arrays.hpp"
#include "python/blas_capsule.hpp"
#include "python/interrupt.hpp"
#include "python/standardize.hpp"

namespace {

// Layers of units, and the product of matrices that they take.
struct BoundLayers {
    nb::object gemm;
    std::vector<std::int64_t> widths;
    assay::Unit unit;

    BoundLayers(nb::object gemm_, In<std::int64_t> widths_, const std::string& activation)
        : gemm(std::move(gemm_)), widths(widths_.data(), widths_.data() + widths_.size()) {
        require(widths.size() >= 2, "a network has inputs and outputs");
        require(within<std::int64_t>(widths_.data() + 1, widths_.count() - 1, 1, std::int64_t{INT_MAX} + 1) &&
                    within<std::int64_t>(widths_.data(), 1, 0, std::int64_t{INT_MAX} + 1),
                "layers need units");
        unit = named<assay::Unit>(
            "activation", activation,
            {{"relu", assay::Unit::relu}, {"tanh", assay::Unit::tanh}, {"sigmoid", assay::Unit::sigmoid}});
    }

    // The network of these parameters.
    template <class T, class Parameters>
    assay::Network<T> with(const Parameters& parameters) const {
        assay::Network<T> network;
        network.widths = widths;
        require_size(parameters, network.size());
        network.unit = unit;
        network.parameters = const_cast<T*>(parameters.data());
        network.product = product_of<T>(gemm);
        return network;
    }
};

assay::Surrogate surrogate_of(const std::string& surrogate) {
    return named<assay::Surrogate>("surrogate", surrogate,
                                   {{"cross_entropy", assay::Surrogate::cross_entropy},
                                    {"squared_error", assay::Surrogate::squared_error}});
}

// Which rows are trained on, in which batches, and how, with the arrays that they lie in.
struct BoundTraining {
    In<std::int32_t> codes;
    Maybe<double> weight;
    In<std::int64_t> order, ends;
    assay::Surrogate surrogate;
    assay::Rule rule;
    double rate, momentum, l2;

    BoundTraining(In<std::int32_t> codes_, Maybe<double> weight_, In<std::int64_t> order_,
                  In<std::int64_t> ends_, const std::string& surrogate_, const std::string& solver,
                  double rate_, double momentum_, double l2_)
        : codes(codes_),
          weight(weight_),
          order(order_),
          ends(ends_),
          surrogate(surrogate_of(surrogate_)),
          rule(named<assay::Rule>(
              "solver", solver,
              {{"adam", assay::Rule::adam}, {"momentum", assay::Rule::momentum}, {"sgd", assay::Rule::sgd}})),
          rate(rate_),
          momentum(momentum_),
          l2(l2_) {}

    template <class T>
    double epoch(const assay::Network<T>& network, assay::Examples<T> examples, std::int64_t count,
                 std::int64_t steps, int threads, const Out<T>& state) const {
        const auto batches = ends.count() - 1;
        require_size(codes, count);
        require_size(weight, count);
        require(within<std::int32_t>(codes, 0, network.widths.back()), "codes must name a class");
        require(within<std::int64_t>(order, 0, count), "there is no such row");
        require(order.count() <= INT_MAX, "there are too many rows");
        require(batches >= 0 && ends.data()[0] >= 0 && ends.data()[batches] <= order.count(),
                "batches lie beyond the rows");
        for (std::int64_t b = 0; b < batches; ++b)
            require(ends.data()[b] < ends.data()[b + 1], "batches must be in order, with rows in each");
        require_size(state, network.size() * static_cast<std::int64_t>(rule));
        examples.codes = codes.data();
        examples.weight = data_of(weight);
        examples.order = order.data();
        examples.ends = ends.data();
        examples.batches = batches;
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        return assay::network_epoch<T>(network, examples, surrogate,
                                       {rule, rate, momentum, l2, state.data(), steps}, pause, threads);
    }
};

// Wrong rows, losses and rows, each the sum of their weights; the scores become slopes.
template <class T>
std::tuple<double, double, double> judged_scores(Out<T> scores, In<std::int64_t> which,
                                                 In<std::int32_t> codes, Maybe<double> weight,
                                                 std::string surrogate) {
    const auto rows = codes.count(), count = which.count();
    require(scores.ndim() == 2 && scores.extent(0) == count && scores.shape(1) > 0, "rows must have scores");
    const auto classes = scores.extent(1);
    require(within<std::int64_t>(which.data(), count, 0, rows), "there is no such row");
    require(within(codes.data(), rows, 0, classes), "codes must name a class");
    require_size(weight, rows);
    const auto loss = surrogate_of(surrogate);
    const auto found =
        assay::judge<T>(loss, classes, which.data(), count, codes.data(), data_of(weight), scores.data());
    return {found.wrong, found.lost, found.total};
}

template <class T>
double network_epoch(const BoundLayers& layers, Table x, In<std::int64_t> columns, In<double> center,
                     In<double> unit, double limit, const BoundTraining& training, std::int64_t steps,
                     int threads, Out<T> parameters, Out<T> state) {
    const auto network = layers.with<T>(parameters);
    const auto source = standard_of(rows_of(x), columns, center, unit, limit);
    require(source.table.column_stride == 1, "the numbers of a row must lie side by side");
    require_size(columns, network.widths[0]);
    return training.epoch<T>(network, {&source, nullptr}, source.table.count, steps, threads, state);
}

template <class T>
double filled_network_epoch(const BoundLayers& layers, const assay::OffsetCsr<T>& filled,
                            const BoundTraining& training, std::int64_t steps, int threads, Out<T> parameters,
                            Out<T> state) {
    const auto network = layers.with<T>(parameters);
    require(filled.width == network.widths[0], "rows must have one column for each input");
    return training.epoch<T>(network, {nullptr, &filled}, filled.rows(), steps, threads, state);
}

template <class T>
void network_scores(const BoundLayers& layers, In<T> rows, In<T> parameters, int threads, Out<T> out) {
    const auto network = layers.with<T>(parameters);
    require(rows.ndim() == 2 && rows.extent(1) == network.widths[0],
            "rows must have one column for each input");
    const auto count = rows.extent(0);
    require_size(out, count * network.widths.back());
    nb::gil_scoped_release release;
    assay::network_scores<T>(network, rows.data(), count, threads, out.data());
}

template <class T>
void filled_network_scores(const BoundLayers& layers, const assay::OffsetCsr<T>& filled,
                           In<std::int64_t> which, In<T> parameters, int threads, Out<T> out) {
    const auto network = layers.with<T>(parameters);
    require(filled.width == network.widths[0], "rows must have one column for each input");
    const auto count = which.count();
    require(within<std::int64_t>(which.data(), count, 0, filled.rows()), "there is no such row");
    require_size(out, count * network.widths.back());
    nb::gil_scoped_release release;
    assay::network_scores<T>(network, filled, which.data(), count, threads, out.data());
}

template <class T>
void bind(nb::module_& m) {
    m.def("network_epoch", &network_epoch<T>, "layers"_a, "x"_a, "columns"_a, "center"_a, "unit"_a, "limit"_a,
          "training"_a, "steps"_a, "threads"_a, "parameters"_a.noconvert(), "state"_a.noconvert());
    m.def("filled_network_epoch", &filled_network_epoch<T>, "layers"_a, "filled"_a, "training"_a, "steps"_a,
          "threads"_a, "parameters"_a.noconvert(), "state"_a.noconvert());
    m.def("filled_network_scores", &filled_network_scores<T>, "layers"_a, "filled"_a, "which"_a,
          "parameters"_a.noconvert(), "threads"_a, "out"_a.noconvert());
    m.def("judged_scores", &judged_scores<T>, "scores"_a.noconvert(), "which"_a, "codes"_a, "weight"_a.none(),
          "surrogate"_a);
    m.def("network_scores", &network_scores<T>, "layers"_a, "rows"_a.noconvert(), "parameters"_a.noconvert(),
          "threads"_a, "out"_a.noconvert());
}

assay::Output output_of(const std::string& output) {
    return named<assay::Output>("output", output,
                                {{"linear", assay::Output::linear},
                                 {"step", assay::Output::step},
                                 {"sign", assay::Output::sign},
                                 {"sigmoid", assay::Output::sigmoid},
                                 {"softmax", assay::Output::softmax}});
}

assay::Loss loss_of(const std::string& surrogate) {
    return named<assay::Loss>("surrogate", surrogate,
                              {{"squared_error", assay::Loss::squared_error},
                               {"absolute_error", assay::Loss::absolute_error},
                               {"cross_entropy", assay::Loss::cross_entropy}});
}

void single_layer_steps(In<double> z, In<std::int32_t> codes, In<double> rates, Maybe<double> decay,
                        const std::string& output, const std::string& surrogate, double low,
                        Out<double> weights) {
    require(z.ndim() == 2 && weights.ndim() == 2 && weights.shape(0) > 0,
            "rows and weights must be matrices");
    const auto count = z.extent(0), width = z.extent(1), units = weights.extent(0);
    require_size(codes, count);
    require_size(rates, count);
    require_size(weights, units * width);
    require_size(decay, width);
    require(within(codes.data(), count, 0, units == 1 ? 2 : units), "codes must name a class");
    const assay::Layer layer{units, width, output_of(output), loss_of(surrogate), low, data_of(decay)};
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::single_layer_steps(layer, z.data(), codes.data(), rates.data(), count, pause, weights.data());
}

using assay::OffsetCsrRows;

// One pass over rows of `width` weights a class.
template <class Rows>
std::int64_t epoch(const Rows& rows, std::int64_t count, std::int64_t width, const In<std::int32_t>& codes,
                   const In<double>& size, const Maybe<std::int64_t>& order, double seen,
                   Out<double>& weights, Out<double>& late, Out<double>& longest, assay::Runs* runs = nullptr,
                   double largest_size = 0) {
    require(weights.ndim() == 2 && weights.shape(0) > 0, "rows and weights must be matrices");
    const auto classes = weights.extent(0);
    require_size(codes, count);
    require_size(size, count);
    require_size(weights, classes * width);
    require_size(late, classes * width);
    require_size(longest, classes * width);
    require(within(codes.data(), count, 0, classes == 1 ? 2 : classes), "codes must name a class");
    if (order) {
        require_size(*order, count);
        require(within<std::int64_t>(order->data(), count, 0, count), "there is no such row");
    }
    const assay::Visits visits{codes.data(), size.data(), data_of(order), count, runs, largest_size};
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    return assay::perceptron_epoch(rows, visits, classes, seen, pause, weights.data(), late.data(),
                                   longest.data());
}

std::int64_t whole_epoch(In<double> z, In<std::int32_t> codes, In<double> size, Maybe<std::int64_t> order,
                         double seen, Out<double> weights, Out<double> late, Out<double> longest,
                         double largest, assay::Runs* runs, double largest_size) {
    require(z.ndim() == 2, "rows and weights must be matrices");
    const auto count = z.extent(0), width = z.extent(1);
    return epoch(assay::WholeRows{z.data(), width, largest}, count, width, codes, size, order, seen, weights,
                 late, longest, runs, largest_size);
}

std::int64_t lean_epoch(const OffsetCsrRows& rows, In<std::int32_t> codes, In<double> size,
                        Maybe<std::int64_t> order, double seen, Out<double> weights, Out<double> late,
                        Out<double> longest) {
    return epoch(rows, rows.rows(), rows.width + 1, codes, size, order, seen, weights, late, longest);
}

OffsetCsrRows lean_rows(const assay::OffsetCsr<double>& filled) {
    nb::gil_scoped_release release;
    return assay::lean_rows(filled);
}

// z · w of every row, for weights w (width + 1).
void lean_scores(const OffsetCsrRows& rows, In<double> w, Out<double> out) {
    require_size(w, rows.width + 1);
    require_size(out, rows.rows());
    nb::gil_scoped_release release;
    assay::lean_scores(rows, w.data(), out.data());
}

}  // namespace

void bind_network(nb::module_& m) {
    nb::class_<BoundLayers>(m, "Layers")
        .def(nb::init<nb::object, In<std::int64_t>, const std::string&>(), "gemm"_a, "widths"_a,
             "activation"_a);
    nb::class_<BoundTraining>(m, "Training")
        .def(nb::init<In<std::int32_t>, Maybe<double>, In<std::int64_t>, In<std::int64_t>, const std::string&,
                      const std::string&, double, double, double>(),
             "codes"_a, "weight"_a.none(), "order"_a, "ends"_a, "surrogate"_a, "solver"_a, "rate"_a,
             "momentum"_a, "l2"_a);
    bind<double>(m);
    bind<float>(m);

    m.def("single_layer_steps", &single_layer_steps, "z"_a, "codes"_a, "rates"_a, "decay"_a.none(),
          "output"_a, "surrogate"_a, "low"_a, "weights"_a.noconvert());

    nb::class_<assay::Runs>(m, "PerceptronRuns")
        .def(nb::init<>())
        .def_ro("current", &assay::Runs::current)
        .def_ro("longest", &assay::Runs::longest);
    m.def("perceptron_epoch", &whole_epoch, "z"_a, "codes"_a, "size"_a, "order"_a.none(), "seen"_a,
          "weights"_a.noconvert(), "late"_a.noconvert(), "longest"_a.noconvert(), "largest"_a = 0.0,
          "runs"_a.none() = nb::none(), "largest_size"_a = 0.0);
    nb::class_<OffsetCsrRows>(m, "OffsetCsrRows")
        .def_prop_ro("shape",
                     [](const OffsetCsrRows& rows) { return std::pair(rows.rows(), rows.width + 1); })
        .def(
            "base",
            [](const OffsetCsrRows& rows, Out<double> out) {
                require_size(out, rows.width);
                std::copy(rows.base.begin(), rows.base.end(), out.data());
            },
            "out"_a.noconvert())
        .def("scores", &lean_scores, "w"_a, "out"_a.noconvert())
        .def("epoch", &lean_epoch, "codes"_a, "size"_a, "order"_a.none(), "seen"_a, "weights"_a.noconvert(),
             "late"_a.noconvert(), "longest"_a.noconvert());
    m.def("lean_rows", &lean_rows, "filled"_a);
}
