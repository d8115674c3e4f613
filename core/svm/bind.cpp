// What Python sees of svm: kernels, the dual problem, the hinge along a line.

#include <algorithm>

#include "python/arrays.hpp"
#include "python/blas_capsule.hpp"
#include "python/csr_array.hpp"
#include "python/interrupt.hpp"
#include "svm/dual_descent.hpp"
#include "svm/hinge.hpp"
#include "svm/kernel_functions.hpp"
#include "svm/smo.hpp"

namespace {

constexpr int kMostDegree = 1000;  // it is multiplied out

// A kernel, and the product of matrices that it takes.
struct BoundKernel {
    nb::object gemm;
    assay::Kernel kind;
    double gamma, coef0;
    int degree;

    BoundKernel(nb::object gemm_, const std::string& kernel, double gamma_, double coef0_, int degree_)
        : gemm(std::move(gemm_)), gamma(gamma_), coef0(coef0_), degree(degree_) {
        require(degree >= 0 && degree <= kMostDegree, "the power of a kernel is at most 1000");
        kind = named<assay::Kernel>("kernel", kernel,
                                    {{"linear", assay::Kernel::linear},
                                     {"polynomial", assay::Kernel::polynomial},
                                     {"rbf", assay::Kernel::gaussian},
                                     {"sigmoid", assay::Kernel::sigmoid}});
    }

    template <class T>
    assay::KernelMap<T> map() const {
        return {kind, gamma, coef0, degree, product_of<T>(gemm)};
    }
};

template <class T>
assay::Points<T> points_of(const In<T>& x, bool compared) {
    require(x.ndim() == 2, "rows must be a matrix");
    return {x.data(), x.extent(0), x.extent(1), compared};
}

template <class T>
void kernel_block(const BoundKernel& kernel, In<T> left, In<T> right, int threads, Out<T> out) {
    const auto map = kernel.map<T>();
    const auto a = points_of(left, false), b = points_of(right, true);
    require(a.width == b.width, "the arrays do not fit together");
    require_size(out, a.count * b.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::kernel_block(map, a, b, threads, pause, out.data());
}

template <class T>
void kernel_sums(const BoundKernel& kernel, In<T> points, In<T> vectors, In<double> factor, int threads,
                 Out<double> out) {
    const auto map = kernel.map<T>();
    const auto a = points_of(points, false), b = points_of(vectors, true);
    require(factor.ndim() == 2 && a.width == b.width, "the arrays do not fit together");
    const auto machines = factor.extent(0);
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

// Steps, violation, shift, whether the dual bends down, and (steps, violation, dual, primal) of every round.
using Solved = std::tuple<std::int64_t, double, double, bool,
                          std::vector<std::tuple<std::int64_t, double, double, double>>>;

template <class T>
Solved solved(assay::GramRows<T>& gram, const assay::SmoState& dual, double tolerance,
              std::int64_t most_steps, int threads) {
    assay::SmoResult reached;
    std::vector<assay::Round> rounds;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        reached = assay::smo_blocks<T>(gram, dual, {tolerance, most_steps}, threads, pause, rounds);
    }
    Solved out{reached.steps, reached.violation, reached.shift, reached.bends_down, {}};
    for (const auto& round : rounds)
        std::get<4>(out).emplace_back(round.steps, round.violation, round.dual, round.primal);
    return out;
}

template <class T>
Solved smo_gram(In<T> gram, In<double> low, In<double> high, double tolerance, std::int64_t most_steps,
                int threads, Out<double> b, Out<double> v) {
    require(gram.ndim() == 2 && gram.shape(0) == gram.shape(1), "a Gram matrix is square");
    const auto count = gram.extent(0);
    const auto dual = dual_of(low, high, b, v, count);
    assay::WholeGram<T> whole(gram.data(), count);
    return solved<T>(whole, dual, tolerance, most_steps, threads);
}

template <class T>
Solved smo_rows(const BoundKernel& kernel, In<T> points, std::int64_t most_rows, In<double> low,
                In<double> high, double tolerance, std::int64_t most_steps, int threads, Out<double> b,
                Out<double> v) {
    const auto map = kernel.map<T>();
    const auto x = points_of(points, true);
    const auto dual = dual_of(low, high, b, v, x.count);
    assay::KernelRows<T> rows(map, x, most_rows, threads);
    return solved<T>(rows, dual, tolerance, most_steps, threads);
}

template <class T>
void bind(nb::module_& m) {
    m.def("kernel_block", &kernel_block<T>, "kernel"_a, "left"_a.noconvert(), "right"_a.noconvert(),
          "threads"_a, "out"_a.noconvert());
    m.def("kernel_sums", &kernel_sums<T>, "kernel"_a, "points"_a.noconvert(), "vectors"_a.noconvert(),
          "factor"_a, "threads"_a, "out"_a.noconvert());
    m.def("smo_gram", &smo_gram<T>, "gram"_a.noconvert(), "low"_a, "high"_a, "tolerance"_a, "most_steps"_a,
          "threads"_a, "b"_a.noconvert(), "v"_a.noconvert());
    m.def("smo_rows", &smo_rows<T>, "kernel"_a, "points"_a.noconvert(), "most_rows"_a, "low"_a, "high"_a,
          "tolerance"_a, "most_steps"_a, "threads"_a, "b"_a.noconvert(), "v"_a.noconvert());
}

using assay::HingeRows;

double length(In<double> t, In<double> bent, In<double> c, double sigma, double linear, double square) {
    const auto count = t.count();
    require_size(bent, count);
    require_size(c, count);
    nb::gil_scoped_release release;
    return assay::hinge_length(t.data(), bent.data(), c.data(), count, sigma, linear, square);
}

void make(HingeRows* self, In<double> y, In<double> c, In<double> f, In<double> alpha, double sigma) {
    const auto count = y.count();
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

std::tuple<double, double, double> figures(const HingeRows& rows) {
    const auto found = rows.figures();
    return {found.hinge, found.open, found.moved};
}

// Rows of a linear machine that is solved in its dual.
struct BoundDual {
    AnyKept kept;
    In<double> y, c;
    bool squared;

    // Steps, violation, imbalance, and the intercept b with its b0.
    std::tuple<std::int64_t, double, double, double, double> solve(double l2, double r, double tolerance,
                                                                   std::int64_t most_steps, double b0,
                                                                   Out<double> alpha, Out<double> w) const {
        require(l2 > 0.0 && r > 0.0, "penalties must be positive");
        return std::visit(
            [&]<class Index>(const Kept<Index>& found) {
                const auto& matrix = found.matrix;
                require_size(alpha, matrix.rows);
                require_size(w, matrix.columns);
                double balance = 0.0;
                for (std::int64_t i = 0; i < matrix.rows; ++i)
                    balance += c.data()[i] * y.data()[i] * alpha.data()[i];
                assay::DualState state{alpha.data(), w.data(), b0 + balance / r, b0};
                nb::gil_scoped_release release;
                assay::InterruptCheck pause(check_interrupt);
                const assay::DualRows<Index> rows{matrix, y.data(), c.data(), squared};
                const auto reached = assay::dual_descent(rows, {l2, r, tolerance, most_steps}, pause, state);
                return std::tuple(reached.steps, reached.violation, reached.imbalance, state.b, state.b0);
            },
            kept);
    }
};

template <class Index>
void make_dual(BoundDual* at, In<Index> first, In<Index> column, In<double> value, std::int64_t columns,
               In<double> y, In<double> c, bool squared) {
    Kept<Index> kept(std::move(first), std::move(column), std::move(value), columns);
    require_size(y, kept.matrix.rows);
    require_size(c, kept.matrix.rows);
    new (at) BoundDual{std::move(kept), std::move(y), std::move(c), squared};
}

template <class Index>
void bind_dual(nb::class_<BoundDual>& bound) {
    bound.def("__init__", &make_dual<Index>, "first"_a.noconvert(), "column"_a.noconvert(), "value"_a,
              "columns"_a, "y"_a, "c"_a, "squared"_a);
}

}  // namespace

void bind_svm(nb::module_& m) {
    nb::class_<BoundKernel>(m, "Kernel")
        .def(nb::init<nb::object, const std::string&, double, double, int>(), "gemm"_a, "kernel"_a, "gamma"_a,
             "coef0"_a, "degree"_a);
    bind<double>(m);
    bind<float>(m);

    m.def("hinge_length", &length, "t"_a, "bent"_a, "c"_a, "sigma"_a, "linear"_a, "square"_a);
    nb::class_<HingeRows>(m, "HingeRows")
        .def("__init__", &make, "y"_a, "c"_a, "f"_a, "alpha"_a, "sigma"_a)
        .def("move", &move, "along"_a, "linear"_a, "square"_a)
        .def("figures", &figures)
        .def("free", [](const HingeRows& rows) { return owned(rows.free()); })
        .def("nearness", [](const HingeRows& rows) { return owned(rows.t); })
        .def("multipliers", [](const HingeRows& rows) { return owned(rows.p); })
        .def("changed",
             [](const HingeRows& rows) { return std::pair(owned(rows.changed), owned(rows.change)); });

    nb::class_<BoundDual> dual(m, "DualRows");
    bind_dual<std::int32_t>(dual);
    bind_dual<std::int64_t>(dual);
    dual.def("solve", &BoundDual::solve, "l2"_a, "r"_a, "tolerance"_a, "most_steps"_a, "b0"_a,
             "alpha"_a.noconvert(), "w"_a.noconvert());
}
