// The module. With the bind files of the rooms the only part that knows Python: arrays in, raw pointers to
// the kernels, the interpreter's lock released.
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "simd/dispatch.hpp"

void bind_cells(nb::module_& m);
void bind_counts(nb::module_& m);
void bind_em(nb::module_& m);
void bind_features(nb::module_& m);
void bind_filled(nb::module_& m);
void bind_folds(nb::module_& m);
void bind_grid(nb::module_& m);
void bind_hinge(nb::module_& m);
void bind_kmeans(nb::module_& m);
void bind_moments(nb::module_& m);
void bind_near(nb::module_& m);
void bind_network(nb::module_& m);
void bind_newton(nb::module_& m);
void bind_passes(nb::module_& m);
void bind_perceptron(nb::module_& m);
void bind_ratings(nb::module_& m);
void bind_scores(nb::module_& m);
void bind_single_layer(nb::module_& m);
void bind_smo(nb::module_& m);
void bind_softmax(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_text(nb::module_& m);
void bind_words(nb::module_& m);

NB_MODULE(_core, m) {
    const char* asked = std::getenv("ASSAY_ISA");
    if (asked && *asked && std::strcmp(asked, assay::isa_name()) != 0)
        throw std::runtime_error(std::string("ASSAY_ISA='") + asked +
                                 "' names no kernels that run on this machine; unset it, or use 'portable'.");
    m.doc() = "Compiled kernels; see core/*/*.hpp for what each computes.";
    m.def("isa", [] { return assay::isa_name(); });
    m.def(
        "set_interrupt_check", [](nb::object check) { interrupt_check() = std::move(check); },
        nb::arg("check"));
    bind_cells(m);
    bind_counts(m);
    bind_em(m);
    bind_features(m);
    bind_filled(m);
    bind_folds(m);
    bind_grid(m);
    bind_hinge(m);
    bind_kmeans(m);
    bind_moments(m);
    bind_near(m);
    bind_network(m);
    bind_newton(m);
    bind_passes(m);
    bind_perceptron(m);
    bind_ratings(m);
    bind_scores(m);
    bind_single_layer(m);
    bind_smo(m);
    bind_softmax(m);
    bind_sparse(m);
    bind_text(m);
    bind_words(m);
}
