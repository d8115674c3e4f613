// What Python sees of network/network.hpp.
#include <climits>

#include "network/network.hpp"
#include "python/arrays.hpp"
#include "python/blas_capsule.hpp"
#include "python/interrupt.hpp"
#include "python/standardize.hpp"

namespace {

template <class T>
assay::Network<T> network_of(const nb::capsule& gemm, const In<std::int64_t>& widths,
                             const std::string& activation, T* parameters, std::int64_t size) {
    require(widths.size() >= 2, "a network has inputs and outputs");
    assay::Network<T> network;
    network.widths.assign(widths.data(), widths.data() + widths.size());
    require(within<std::int64_t>(widths.data() + 1, network.layers(), 1, std::int64_t{INT_MAX} + 1) &&
                within<std::int64_t>(widths.data(), 1, 0, std::int64_t{INT_MAX} + 1),
            "layers need units");
    require(size == network.size(), "the arrays do not fit together");
    network.unit = named<assay::Unit>(
        "activation", activation,
        {{"relu", assay::Unit::relu}, {"tanh", assay::Unit::tanh}, {"sigmoid", assay::Unit::sigmoid}});
    network.parameters = parameters;
    network.product = product_of<T>(gemm);
    return network;
}

assay::Surrogate surrogate_of(const std::string& surrogate) {
    return named<assay::Surrogate>("surrogate", surrogate,
                                   {{"cross_entropy", assay::Surrogate::cross_entropy},
                                    {"squared_error", assay::Surrogate::squared_error}});
}

// What both kinds of rows are trained with: checks, then the epoch.
template <class T>
struct Training {
    In<std::int32_t> codes;
    Maybe<double> weight;
    In<std::int64_t> order, ends;
    std::string surrogate, solver;
    double rate, momentum, l2;
    std::int64_t steps;
    int threads;
    Out<T> state;

    double run(const assay::Network<T>& network, assay::Examples<T> examples, std::int64_t count) const {
        const auto places = static_cast<std::int64_t>(order.size()),
                   batches = static_cast<std::int64_t>(ends.size()) - 1;
        require_size(codes, count);
        if (weight) require_size(*weight, count);
        require(within(codes.data(), count, 0, network.widths.back()), "codes must name a class");
        require(within<std::int64_t>(order.data(), places, 0, count), "there is no such row");
        require(places <= INT_MAX, "there are too many rows");
        require(batches >= 0 && ends.data()[0] >= 0 && ends.data()[batches] <= places,
                "batches lie beyond the rows");
        for (std::int64_t b = 0; b < batches; ++b)
            require(ends.data()[b] < ends.data()[b + 1], "batches must be in order, with rows in each");
        const auto rule = named<assay::Rule>(
            "solver", solver,
            {{"adam", assay::Rule::adam}, {"momentum", assay::Rule::momentum}, {"sgd", assay::Rule::sgd}});
        require_size(state, network.size() * static_cast<std::int64_t>(rule));
        const auto loss = surrogate_of(surrogate);
        examples.codes = codes.data();
        examples.weight = weight ? weight->data() : nullptr;
        examples.order = order.data();
        examples.ends = ends.data();
        examples.batches = batches;
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        return assay::network_epoch<T>(network, examples, loss,
                                       {rule, rate, momentum, l2, state.data(), steps}, pause, threads);
    }
};

// Wrong rows, losses and rows, each the sum of their weights; the scores become slopes.
template <class T>
nb::tuple judged_scores(Out<T> scores, In<std::int64_t> which, In<std::int32_t> codes, Maybe<double> weight,
                        std::string surrogate) {
    const auto rows = static_cast<std::int64_t>(codes.size()),
               count = static_cast<std::int64_t>(which.size());
    require(scores.ndim() == 2 && static_cast<std::int64_t>(scores.shape(0)) == count && scores.shape(1) > 0,
            "rows must have scores");
    const auto classes = static_cast<std::int64_t>(scores.shape(1));
    require(within<std::int64_t>(which.data(), count, 0, rows), "there is no such row");
    require(within(codes.data(), rows, 0, classes), "codes must name a class");
    if (weight) require_size(*weight, rows);
    const auto loss = surrogate_of(surrogate);
    const auto found = assay::judge<T>(loss, classes, which.data(), count, codes.data(),
                                       weight ? weight->data() : nullptr, scores.data());
    return nb::make_tuple(found.wrong, found.lost, found.total);
}

template <class T>
double network_epoch(nb::capsule gemm, Table x, In<std::int64_t> columns, In<double> center, In<double> unit,
                     double limit, In<std::int32_t> codes, Maybe<double> weight, In<std::int64_t> order,
                     In<std::int64_t> ends, In<std::int64_t> widths, std::string activation,
                     std::string surrogate, std::string solver, double rate, double momentum, double l2,
                     std::int64_t steps, int threads, Out<T> parameters, Out<T> state) {
    const auto network = network_of<T>(gemm, widths, activation, parameters.data(),
                                       static_cast<std::int64_t>(parameters.size()));
    const auto source = standard_of(rows_of(x, std::nullopt, std::nullopt), columns, center, unit, limit);
    require(source.table.column_stride == 1, "the numbers of a row must lie side by side");
    require_size(columns, network.widths[0]);
    const Training<T> training{codes, weight,   order, ends,  surrogate, solver,
                               rate,  momentum, l2,    steps, threads,   state};
    return training.run(network, {&source, nullptr}, source.table.count);
}

template <class T>
double filled_network_epoch(nb::capsule gemm, const assay::OffsetCsr<T>& filled, In<std::int32_t> codes,
                            Maybe<double> weight, In<std::int64_t> order, In<std::int64_t> ends,
                            In<std::int64_t> widths, std::string activation, std::string surrogate,
                            std::string solver, double rate, double momentum, double l2, std::int64_t steps,
                            int threads, Out<T> parameters, Out<T> state) {
    const auto network = network_of<T>(gemm, widths, activation, parameters.data(),
                                       static_cast<std::int64_t>(parameters.size()));
    require(filled.width == network.widths[0], "rows must have one column for each input");
    const Training<T> training{codes, weight,   order, ends,  surrogate, solver,
                               rate,  momentum, l2,    steps, threads,   state};
    return training.run(network, {nullptr, &filled}, filled.rows());
}

template <class T>
void network_scores(nb::capsule gemm, In<T> rows, In<std::int64_t> widths, std::string activation,
                    In<T> parameters, int threads, Out<T> out) {
    const auto network = network_of<T>(gemm, widths, activation, const_cast<T*>(parameters.data()),
                                       static_cast<std::int64_t>(parameters.size()));
    require(rows.ndim() == 2 && static_cast<std::int64_t>(rows.shape(1)) == network.widths[0],
            "rows must have one column for each input");
    const auto count = static_cast<std::int64_t>(rows.shape(0));
    require_size(out, count * network.widths.back());
    nb::gil_scoped_release release;
    assay::network_scores<T>(network, rows.data(), count, threads, out.data());
}

template <class T>
void filled_network_scores(nb::capsule gemm, const assay::OffsetCsr<T>& filled, In<std::int64_t> which,
                           In<std::int64_t> widths, std::string activation, In<T> parameters, int threads,
                           Out<T> out) {
    const auto network = network_of<T>(gemm, widths, activation, const_cast<T*>(parameters.data()),
                                       static_cast<std::int64_t>(parameters.size()));
    require(filled.width == network.widths[0], "rows must have one column for each input");
    const auto count = static_cast<std::int64_t>(which.size());
    require(within<std::int64_t>(which.data(), count, 0, filled.rows()), "there is no such row");
    require_size(out, count * network.widths.back());
    nb::gil_scoped_release release;
    assay::network_scores<T>(network, filled, which.data(), count, threads, out.data());
}

template <class T>
void bind(nb::module_& m) {
    m.def("network_epoch", &network_epoch<T>, nb::arg("gemm"), nb::arg("x"), nb::arg("columns"),
          nb::arg("center"), nb::arg("unit"), nb::arg("limit"), nb::arg("codes"), nb::arg("weight").none(),
          nb::arg("order"), nb::arg("ends"), nb::arg("widths"), nb::arg("activation"), nb::arg("surrogate"),
          nb::arg("solver"), nb::arg("rate"), nb::arg("momentum"), nb::arg("l2"), nb::arg("steps"),
          nb::arg("threads"), nb::arg("parameters").noconvert(), nb::arg("state").noconvert());
    m.def("filled_network_epoch", &filled_network_epoch<T>, nb::arg("gemm"), nb::arg("filled"),
          nb::arg("codes"), nb::arg("weight").none(), nb::arg("order"), nb::arg("ends"), nb::arg("widths"),
          nb::arg("activation"), nb::arg("surrogate"), nb::arg("solver"), nb::arg("rate"),
          nb::arg("momentum"), nb::arg("l2"), nb::arg("steps"), nb::arg("threads"),
          nb::arg("parameters").noconvert(), nb::arg("state").noconvert());
    m.def("filled_network_scores", &filled_network_scores<T>, nb::arg("gemm"), nb::arg("filled"),
          nb::arg("which"), nb::arg("widths"), nb::arg("activation"), nb::arg("parameters").noconvert(),
          nb::arg("threads"), nb::arg("out").noconvert());
    m.def("judged_scores", &judged_scores<T>, nb::arg("scores").noconvert(), nb::arg("which"),
          nb::arg("codes"), nb::arg("weight").none(), nb::arg("surrogate"));
    m.def("network_scores", &network_scores<T>, nb::arg("gemm"), nb::arg("rows").noconvert(),
          nb::arg("widths"), nb::arg("activation"), nb::arg("parameters").noconvert(), nb::arg("threads"),
          nb::arg("out").noconvert());
}

}  // namespace

void bind_network(nb::module_& m) {
    bind<double>(m);
    bind<float>(m);
}
