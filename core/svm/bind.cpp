// What Python sees of svm/smo.hpp and svm/kernel_functions.hpp.
#include "python/arrays.hpp"
#include "python/blas_capsule.hpp"
#include "python/interrupt.hpp"
#include "svm/kernel_functions.hpp"
#include "svm/smo.hpp"

namespace {

constexpr int kMostDegree = 1000;  // it is multiplied out

template <class T>
assay::KernelMap<T> map_of(const nb::capsule& gemm, const std::string& kernel, double gamma, double coef0,
                           int degree) {
    require(degree >= 0 && degree <= kMostDegree, "the power of a kernel is at most 1000");
    const auto kind = named<assay::Kernel>("kernel", kernel,
                                           {{"linear", assay::Kernel::linear},
                                            {"polynomial", assay::Kernel::polynomial},
                                            {"rbf", assay::Kernel::gaussian},
                                            {"sigmoid", assay::Kernel::sigmoid}});
    return {kind, gamma, coef0, degree, product_of<T>(gemm)};
}

template <class T>
assay::Points<T> points_of(const In<T>& x, bool compared) {
    require(x.ndim() == 2, "rows must be a matrix");
    return {x.data(), static_cast<std::int64_t>(x.shape(0)), static_cast<std::int64_t>(x.shape(1)), compared};
}

template <class T>
void kernel_block(nb::capsule gemm, std::string kernel, double gamma, double coef0, int degree, In<T> left,
                  In<T> right, int threads, Out<T> out) {
    const auto map = map_of<T>(gemm, kernel, gamma, coef0, degree);
    const auto a = points_of(left, false), b = points_of(right, true);
    require(a.width == b.width, "the arrays do not fit together");
    require_size(out, a.count * b.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::kernel_block(map, a, b, threads, pause, out.data());
}

template <class T>
void kernel_sums(nb::capsule gemm, std::string kernel, double gamma, double coef0, int degree, In<T> points,
                 In<T> vectors, In<double> factor, int threads, Out<double> out) {
    const auto map = map_of<T>(gemm, kernel, gamma, coef0, degree);
    const auto a = points_of(points, false), b = points_of(vectors, true);
    require(factor.ndim() == 2 && a.width == b.width, "the arrays do not fit together");
    const auto machines = static_cast<std::int64_t>(factor.shape(0));
    require_size(factor, machines * b.count);
    require_size(out, machines * a.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::kernel_sums(map, a, b, factor.data(), machines, threads, pause, out.data());
}

assay::SmoState dual_of(const In<double>& low, const In<double>& high, const Out<double>& b,
                        const Out<double>& v, std::int64_t count) {
    require_size(low, count);
    require_size(high, count);
    require_size(b, count);
    require_size(v, count);
    return {count, low.data(), high.data(), b.data(), v.data()};
}

template <class T>
nb::tuple solved(assay::GramRows<T>& gram, const assay::SmoState& dual, double tolerance,
                 std::int64_t most_steps, int threads) {
    assay::SmoResult reached;
    std::vector<assay::Round> rounds;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        reached = assay::smo_blocks<T>(gram, dual, {tolerance, most_steps}, threads, pause, rounds);
    }
    nb::list history;
    for (const auto& round : rounds)
        history.append(nb::make_tuple(round.steps, round.violation, round.dual, round.primal));
    return nb::make_tuple(reached.steps, reached.violation, reached.shift, reached.bends_down, history);
}

template <class T>
nb::tuple smo_gram(In<T> gram, In<double> low, In<double> high, double tolerance, std::int64_t most_steps,
                   int threads, Out<double> b, Out<double> v) {
    require(gram.ndim() == 2 && gram.shape(0) == gram.shape(1), "a Gram matrix is square");
    const auto count = static_cast<std::int64_t>(gram.shape(0));
    const auto dual = dual_of(low, high, b, v, count);
    assay::WholeGram<T> whole(gram.data(), count);
    return solved<T>(whole, dual, tolerance, most_steps, threads);
}

template <class T>
nb::tuple smo_rows(nb::capsule gemm, std::string kernel, double gamma, double coef0, int degree, In<T> points,
                   std::int64_t most_rows, In<double> low, In<double> high, double tolerance,
                   std::int64_t most_steps, int threads, Out<double> b, Out<double> v) {
    const auto map = map_of<T>(gemm, kernel, gamma, coef0, degree);
    const auto x = points_of(points, true);
    const auto dual = dual_of(low, high, b, v, x.count);
    assay::KernelRows<T> rows(map, x, most_rows, threads);
    return solved<T>(rows, dual, tolerance, most_steps, threads);
}

template <class T>
void bind(nb::module_& m) {
    m.def("kernel_block", &kernel_block<T>, nb::arg("gemm"), nb::arg("kernel"), nb::arg("gamma"),
          nb::arg("coef0"), nb::arg("degree"), nb::arg("left").noconvert(), nb::arg("right").noconvert(),
          nb::arg("threads"), nb::arg("out").noconvert());
    m.def("kernel_sums", &kernel_sums<T>, nb::arg("gemm"), nb::arg("kernel"), nb::arg("gamma"),
          nb::arg("coef0"), nb::arg("degree"), nb::arg("points").noconvert(), nb::arg("vectors").noconvert(),
          nb::arg("factor"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("smo_gram", &smo_gram<T>, nb::arg("gram").noconvert(), nb::arg("low"), nb::arg("high"),
          nb::arg("tolerance"), nb::arg("most_steps"), nb::arg("threads"), nb::arg("b").noconvert(),
          nb::arg("v").noconvert());
    m.def("smo_rows", &smo_rows<T>, nb::arg("gemm"), nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
          nb::arg("degree"), nb::arg("points").noconvert(), nb::arg("most_rows"), nb::arg("low"),
          nb::arg("high"), nb::arg("tolerance"), nb::arg("most_steps"), nb::arg("threads"),
          nb::arg("b").noconvert(), nb::arg("v").noconvert());
}

}  // namespace

void bind_smo(nb::module_& m) {
    bind<double>(m);
    bind<float>(m);
}
