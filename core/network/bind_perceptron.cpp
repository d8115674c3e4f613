// What Python sees of network/perceptron.hpp and of filled rows in other coordinates.
#include "base/offset_csr_mapped.hpp"
#include "network/perceptron.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

using assay::OffsetCsrRows;

// One pass over rows of `width` weights a class.
template <class Rows>
std::int64_t epoch(const Rows& rows, std::int64_t count, std::int64_t width, const In<std::int32_t>& codes,
                   const In<double>& size, const Maybe<std::int64_t>& order, double seen,
                   Out<double>& weights, Out<double>& late, Out<double>& longest) {
    require(weights.ndim() == 2 && weights.shape(0) > 0, "rows and weights must be matrices");
    const auto classes = static_cast<std::int64_t>(weights.shape(0));
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
    const assay::Visits visits{codes.data(), size.data(), order ? order->data() : nullptr, count};
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    return assay::perceptron_epoch(rows, visits, classes, seen, pause, weights.data(), late.data(),
                                   longest.data());
}

std::int64_t whole_epoch(In<double> z, In<std::int32_t> codes, In<double> size, Maybe<std::int64_t> order,
                         double seen, Out<double> weights, Out<double> late, Out<double> longest,
                         double largest) {
    require(z.ndim() == 2, "rows and weights must be matrices");
    const auto count = static_cast<std::int64_t>(z.shape(0)), width = static_cast<std::int64_t>(z.shape(1));
    return epoch(assay::WholeRows{z.data(), width, largest}, count, width, codes, size, order, seen, weights,
                 late, longest);
}

std::int64_t lean_epoch(const OffsetCsrRows& rows, In<std::int32_t> codes, In<double> size,
                        Maybe<std::int64_t> order, double seen, Out<double> weights, Out<double> late,
                        Out<double> longest) {
    return epoch(rows, rows.rows(), rows.width + 1, codes, size, order, seen, weights, late, longest);
}

assay::OffsetCsr<double> map_filled(const assay::OffsetCsr<double>& filled, In<std::int64_t> which,
                                    In<std::int64_t> columns, In<double> factor, In<double> shift) {
    const auto count = static_cast<std::int64_t>(which.size()),
               width = static_cast<std::int64_t>(columns.size());
    require(within<std::int64_t>(which.data(), count, 0, filled.rows()), "there is no such row");
    require(within<std::int64_t>(columns.data(), width, 0, filled.width), "there is no such column");
    require_size(factor, width);
    require_size(shift, width);
    std::vector<std::int32_t> place(static_cast<std::size_t>(filled.width), -1);
    for (std::int64_t j = 0; j < width; ++j) {
        require(place[columns.data()[j]] < 0, "a column is there twice");
        place[columns.data()[j]] = static_cast<std::int32_t>(j);
    }
    assay::OffsetCsr<double> out;
    nb::gil_scoped_release release;
    assay::map_filled(filled, which.data(), count, place.data(), factor.data(), shift.data(), width, out);
    return out;
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

void bind_perceptron(nb::module_& m) {
    m.def("perceptron_epoch", &whole_epoch, nb::arg("z"), nb::arg("codes"), nb::arg("size"),
          nb::arg("order").none(), nb::arg("seen"), nb::arg("weights").noconvert(),
          nb::arg("late").noconvert(), nb::arg("longest").noconvert(), nb::arg("largest") = 0.0);
    nb::class_<OffsetCsrRows>(m, "OffsetCsrRows")
        .def_prop_ro("shape",
                     [](const OffsetCsrRows& rows) { return nb::make_tuple(rows.rows(), rows.width + 1); })
        .def(
            "base",
            [](const OffsetCsrRows& rows, Out<double> out) {
                require_size(out, rows.width);
                std::copy(rows.base.begin(), rows.base.end(), out.data());
            },
            nb::arg("out").noconvert())
        .def("scores", &lean_scores, nb::arg("w"), nb::arg("out").noconvert())
        .def("epoch", &lean_epoch, nb::arg("codes"), nb::arg("size"), nb::arg("order").none(),
             nb::arg("seen"), nb::arg("weights").noconvert(), nb::arg("late").noconvert(),
             nb::arg("longest").noconvert());
    m.def("lean_rows", &lean_rows, nb::arg("filled"));
    m.def("map_filled", &map_filled, nb::arg("filled"), nb::arg("which"), nb::arg("columns"),
          nb::arg("factor"), nb::arg("shift"));
}
