// What Python sees of folds/folds.hpp. Shapes and ranges are checked here, so that no call can leave its
// arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "folds/folds.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void require(bool condition, const char* sentence) {
    if (!condition) throw std::invalid_argument(sentence);
}

template <class A, class B>
void same_length(const A& a, const B& b) {
    require(a.shape(0) == b.shape(0), "codes, groups and out must have the same length");
}

constexpr const char* kOutOfRange = "codes must lie in 0..n_classes-1 and groups fill 0..n_groups-1";

void row_hashes(std::uint64_t key, Vector<std::uint64_t> out) {
    assay::row_hashes(key, static_cast<std::int64_t>(out.shape(0)), out.data());
}

void assign_folds(Vector<const std::int32_t> codes, std::int32_t n_classes, std::uint64_t key,
                  std::int32_t n_folds, Vector<std::int32_t> out) {
    same_length(codes, out);
    require(n_classes >= 0 && n_folds >= 1, "n_classes must be at least 0 and n_folds at least 1");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::assign_folds(codes.data(), static_cast<std::int64_t>(codes.shape(0)), n_classes, key,
                                    n_folds, out.data());
    }
    require(valid, kOutOfRange);
}

void proportional_order(Vector<const std::int32_t> codes, std::optional<Vector<const std::int32_t>> groups,
                        std::int32_t n_classes, std::int32_t n_groups, Vector<std::int64_t> out) {
    same_length(codes, out);
    if (groups) same_length(*groups, out);
    require(n_classes >= 0 && n_groups >= 1, "n_classes must be at least 0 and n_groups at least 1");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::proportional_order(codes.data(), groups ? groups->data() : nullptr,
                                          static_cast<std::int64_t>(codes.shape(0)), n_classes, n_groups,
                                          out.data());
    }
    require(valid, kOutOfRange);
}

void assign_test(Vector<const std::int32_t> codes, std::int32_t n_classes, std::uint64_t key,
                 std::int64_t n_test, Vector<std::int32_t> out) {
    same_length(codes, out);
    const auto n = static_cast<std::int64_t>(codes.shape(0));
    require(n_classes >= 0 && n_test >= 0 && n_test <= n, "n_test must lie between 0 and the number of rows");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid = assay::assign_test(codes.data(), n, n_classes, key, n_test, out.data());
    }
    require(valid, kOutOfRange);
}

void assign_group_folds(Vector<const std::int32_t> codes, Vector<const std::int32_t> groups,
                        std::int32_t n_classes, std::int32_t n_groups, std::uint64_t key,
                        std::int32_t n_folds, Vector<std::int32_t> out) {
    same_length(codes, out);
    same_length(groups, out);
    require(n_classes >= 0 && n_groups >= 0 && n_folds >= 1,
            "n_classes and n_groups must be at least 0 and n_folds at least 1");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid =
            assay::assign_group_folds(codes.data(), groups.data(), static_cast<std::int64_t>(codes.shape(0)),
                                      n_classes, n_groups, key, n_folds, out.data());
    }
    require(valid, kOutOfRange);
}

void assign_group_test(Vector<const std::int32_t> codes, Vector<const std::int32_t> groups,
                       std::int32_t n_classes, std::int32_t n_groups, std::uint64_t key, std::int64_t n_test,
                       Vector<std::int32_t> out) {
    same_length(codes, out);
    same_length(groups, out);
    require(n_classes >= 0 && n_groups >= 2, "a test part of whole groups needs at least two groups");
    bool valid;
    {
        nb::gil_scoped_release release;
        valid =
            assay::assign_group_test(codes.data(), groups.data(), static_cast<std::int64_t>(codes.shape(0)),
                                     n_classes, n_groups, key, n_test, out.data());
    }
    require(valid, kOutOfRange);
}

void bootstrap_counts(std::uint64_t key, std::int64_t first, int threads, Matrix<std::uint16_t> out) {
    require(first >= 0, "the first replicate must be at least 0");
    require(out.shape(1) < (std::uint64_t{1} << 32), "a bootstrap sample must have fewer than 2^32 rows");
    nb::gil_scoped_release release;
    assay::bootstrap_counts(key, first, static_cast<std::int64_t>(out.shape(0)),
                            static_cast<std::int64_t>(out.shape(1)), threads, out.data());
}

}  // namespace

void bind_folds(nb::module_& m) {
    m.def("row_hashes", &row_hashes, "key"_a, "out"_a.noconvert());
    m.def("assign_folds", &assign_folds, "codes"_a.noconvert(), "n_classes"_a, "key"_a, "n_folds"_a,
          "out"_a.noconvert());
    m.def("proportional_order", &proportional_order, "codes"_a, "groups"_a.none(), "n_classes"_a,
          "n_groups"_a, "out"_a.noconvert());
    m.def("assign_test", &assign_test, "codes"_a.noconvert(), "n_classes"_a, "key"_a, "n_test"_a,
          "out"_a.noconvert());
    m.def("assign_group_folds", &assign_group_folds, "codes"_a.noconvert(), "groups"_a.noconvert(),
          "n_classes"_a, "n_groups"_a, "key"_a, "n_folds"_a, "out"_a.noconvert());
    m.def("assign_group_test", &assign_group_test, "codes"_a.noconvert(), "groups"_a.noconvert(),
          "n_classes"_a, "n_groups"_a, "key"_a, "n_test"_a, "out"_a.noconvert());
    m.def("bootstrap_counts", &bootstrap_counts, "key"_a, "first"_a, "threads"_a, "out"_a.noconvert());
}
