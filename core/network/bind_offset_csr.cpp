// What Python sees of base/offset_csr.hpp.
#include <climits>

#include "base/offset_csr.hpp"
#include "python/interrupt.hpp"
#include "python/standardize.hpp"

namespace {

// None where the rows have more than `most` entries.
template <class T>
nb::object fill_rows(Table x, Maybe<std::int64_t> which, Maybe<double> fill, Maybe<std::int32_t> indicators,
                     In<std::int64_t> columns, In<double> center, In<double> unit, double limit,
                     std::int64_t most) {
    const auto source = standard_of(rows_of(x, fill, indicators), columns, center, unit, limit);
    const auto count = which ? static_cast<std::int64_t>(which->size()) : source.table.count;
    if (which)
        require(within<std::int64_t>(which->data(), count, 0, source.table.count), "there is no such row");
    require(source.width() <= INT_MAX, "there are too many columns");
    assay::OffsetCsr<T> out;
    bool few = false;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        few = assay::fill_rows<T>(source, which ? which->data() : nullptr, count, most, pause, out);
    }
    return few ? nb::cast(std::move(out)) : nb::none();
}

void require_rows(const assay::OffsetCsr<double>& filled, const In<std::int64_t>& which) {
    require(within<std::int64_t>(which.data(), static_cast<std::int64_t>(which.size()), 0, filled.rows()),
            "there is no such row");
}

void scores(const assay::OffsetCsr<double>& filled, In<std::int64_t> which, In<double> b, Out<double> out) {
    const auto count = static_cast<std::int64_t>(which.size());
    require_rows(filled, which);
    require_size(b, filled.width + 1);
    require_size(out, count);
    nb::gil_scoped_release release;
    assay::filled_scores(filled, which.data(), count, b.data(), out.data());
}

void sums(const assay::OffsetCsr<double>& filled, In<std::int64_t> which, In<double> r, Out<double> out) {
    const auto count = static_cast<std::int64_t>(which.size());
    require_rows(filled, which);
    require(r.ndim() == 2, "factors must have rows");
    const auto models = static_cast<std::int64_t>(r.shape(0));
    require_size(r, models * count);
    require_size(out, models * (filled.width + 1));
    nb::gil_scoped_release release;
    assay::filled_sums(filled, which.data(), count, r.data(), models, out.data());
}

void dense(const assay::OffsetCsr<double>& filled, In<std::int64_t> which, Out<double> out) {
    const auto count = static_cast<std::int64_t>(which.size());
    require_rows(filled, which);
    require_size(out, count * (filled.width + 1));
    nb::gil_scoped_release release;
    assay::filled_dense(filled, which.data(), count, out.data());
}

template <class T>
nb::class_<assay::OffsetCsr<T>> bind(nb::module_& m, const char* name, const char* maker) {
    using OffsetCsr = assay::OffsetCsr<T>;
    nb::class_<OffsetCsr> bound(m, name);
    bound
        .def_prop_ro("shape",
                     [](const OffsetCsr& filled) { return nb::make_tuple(filled.rows(), filled.width); })
        .def_prop_ro("entries", [](const OffsetCsr& filled) { return filled.first.back(); });
    m.def(maker, &fill_rows<T>, nb::arg("x"), nb::arg("which").none(), nb::arg("fill").none(),
          nb::arg("indicators").none(), nb::arg("columns"), nb::arg("center"), nb::arg("unit"),
          nb::arg("limit"), nb::arg("most"));
    return bound;
}

}  // namespace

void bind_filled(nb::module_& m) {
    bind<double>(m, "FilledRows", "fill_rows")
        .def("scores", &scores, nb::arg("which"), nb::arg("b"), nb::arg("out").noconvert())
        .def("sums", &sums, nb::arg("which"), nb::arg("r"), nb::arg("out").noconvert())
        .def("dense", &dense, nb::arg("which"), nb::arg("out").noconvert());
    bind<float>(m, "NarrowFilledRows", "fill_narrow_rows");
}
