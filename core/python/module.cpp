// The module: a submodule for every room. With the bind files of the rooms the only part that knows Python:
// arrays in, raw pointers to the kernels, the interpreter's lock released.
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "simd/dispatch.hpp"

void bind_base(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_counts(nb::module_& m);
void bind_folds(nb::module_& m);
void bind_logistic(nb::module_& m);
void bind_moments(nb::module_& m);
void bind_neighbors(nb::module_& m);
void bind_network(nb::module_& m);
void bind_ratings(nb::module_& m);
void bind_scores(nb::module_& m);
void bind_search(nb::module_& m);
void bind_svm(nb::module_& m);
void bind_text(nb::module_& m);
void bind_trees(nb::module_& m);

namespace {

struct Room {
    const char* name;
    void (*bind)(nb::module_&);
};

// The first knows the rows that others take.
constexpr Room kRooms[] = {
    {.name = "base", .bind = bind_base},           {.name = "cluster", .bind = bind_cluster},
    {.name = "counts", .bind = bind_counts},       {.name = "folds", .bind = bind_folds},
    {.name = "logistic", .bind = bind_logistic},   {.name = "moments", .bind = bind_moments},
    {.name = "neighbors", .bind = bind_neighbors}, {.name = "network", .bind = bind_network},
    {.name = "ratings", .bind = bind_ratings},     {.name = "scores", .bind = bind_scores},
    {.name = "search", .bind = bind_search},       {.name = "svm", .bind = bind_svm},
    {.name = "text", .bind = bind_text},           {.name = "trees", .bind = bind_trees},
};

}  // namespace

NB_MODULE(_core, m) {
    const char* asked = std::getenv("ASSAY_ISA");
    if (asked && *asked && std::strcmp(asked, assay::isa_name()) != 0)
        throw std::runtime_error(std::string("ASSAY_ISA='") + asked +
                                 "' names no kernels that run on this machine; unset it, or use 'portable'.");
    m.doc() = "Compiled kernels, a submodule per room; see core/*/*.hpp for what each computes.";
    m.def("isa", [] { return assay::isa_name(); });
    m.def(
        "set_interrupt_check",
        [](nb::typed<nb::callable, void()> check) { interrupt_check() = std::move(check); }, "check"_a);
    for (const Room& room : kRooms) {
        nb::module_ submodule = m.def_submodule(room.name);
        room.bind(submodule);
    }
}
