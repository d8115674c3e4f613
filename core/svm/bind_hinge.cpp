// What Python sees of svm/hinge.hpp.
#include <algorithm>

#include "python/arrays.hpp"
#include "svm/hinge.hpp"

namespace {

using assay::HingeRows;

// A copy that Python owns.
template <class T>
nb::object owned(const std::vector<T>& values) {
    auto* copy = new std::vector<T>(values);
    nb::capsule owner(copy, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(ndarray<nb::numpy, T, nb::ndim<1>>(copy->data(), {copy->size()}, owner));
}

double length(In<double> t, In<double> bent, In<double> c, double sigma, double linear, double square) {
    const auto count = static_cast<std::int64_t>(t.size());
    require_size(bent, count);
    require_size(c, count);
    nb::gil_scoped_release release;
    return assay::hinge_length(t.data(), bent.data(), c.data(), count, sigma, linear, square);
}

void make(HingeRows* self, In<double> y, In<double> c, In<double> f, In<double> alpha, double sigma) {
    const auto count = static_cast<std::int64_t>(y.size());
    require_size(c, count);
    require_size(f, count);
    require_size(alpha, count);
    new (self) HingeRows(y.data(), c.data(), f.data(), alpha.data(), count, sigma);
}

double move(HingeRows& rows, In<double> along, double linear, double square) {
    require_size(along, rows.count());
    nb::gil_scoped_release release;
    return rows.move(along.data(), linear, square);
}

nb::tuple figures(const HingeRows& rows) {
    const auto found = rows.figures();
    return nb::make_tuple(found.hinge, found.open, found.moved);
}

}  // namespace

void bind_hinge(nb::module_& m) {
    m.def("hinge_length", &length, nb::arg("t"), nb::arg("bent"), nb::arg("c"), nb::arg("sigma"),
          nb::arg("linear"), nb::arg("square"));
    nb::class_<HingeRows>(m, "HingeRows")
        .def("__init__", &make, nb::arg("y"), nb::arg("c"), nb::arg("f"), nb::arg("alpha"), nb::arg("sigma"))
        .def("move", &move, nb::arg("along"), nb::arg("linear"), nb::arg("square"))
        .def("figures", &figures)
        .def("free", [](const HingeRows& rows) { return owned(rows.free()); })
        .def("nearness", [](const HingeRows& rows) { return owned(rows.t); })
        .def("multipliers", [](const HingeRows& rows) { return owned(rows.p); })
        .def("changed",
             [](const HingeRows& rows) { return nb::make_tuple(owned(rows.changed), owned(rows.change)); });
}
