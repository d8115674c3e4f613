// What the files that know Python share: types of arrays, and checks before raw pointers reach a kernel.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

struct AnyFloat {};
struct AnyType {};

// An array of Python's, with sizes as the kernels count them. The stub names it by the type of its numbers.
template <class Numbers, class... Demands>
struct Array : nb::ndarray<Demands..., nb::device::cpu> {
    using Base = nb::ndarray<Demands..., nb::device::cpu>;
    Array() = default;
    explicit Array(Base&& base) : Base(std::move(base)) {}

    std::int64_t count() const { return static_cast<std::int64_t>(this->size()); }
    std::int64_t extent(std::size_t axis) const { return static_cast<std::int64_t>(this->shape(axis)); }
};

template <class T>
using In = Array<T, const T, nb::c_contig>;
template <class T>
using Out = Array<T, T, nb::c_contig>;
using Table = Array<AnyFloat, nb::ro, nb::ndim<2>>;
template <class T>
using Maybe = std::optional<In<T>>;

namespace nanobind::detail {

template <>
struct dtype_name<AnyFloat> {
    static constexpr auto name = const_name("dtype=floating");
};
template <>
struct dtype_name<AnyType> {
    static constexpr auto name = const_name("dtype=generic");
};

template <class Numbers, class... Demands>
struct type_caster<Array<Numbers, Demands...>> {
    using Type = Array<Numbers, Demands...>;
    NB_TYPE_CASTER(Type, const_name("numpy.ndarray[") + dtype_name<Numbers>::name + const_name("]"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        type_caster<typename Type::Base> caster;
        if (!caster.from_python(source, flags, cleanup)) return false;
        value = Type(std::move(caster.value));
        return true;
    }
};

}  // namespace nanobind::detail

inline void require(bool condition, const char* sentence) {
    if (!condition) throw std::invalid_argument(sentence);
}

// Whether every number lies in [least, end).
template <class T>
bool within(const T* values, std::int64_t count, T least, std::int64_t end) {
    bool inside = true;
    for (std::int64_t i = 0; i < count; ++i)
        inside &= values[i] >= least && static_cast<std::int64_t>(values[i]) < end;
    return inside;
}
template <class T>
bool within(const In<T>& values, T least, std::int64_t end) {
    return within<T>(values.data(), values.count(), least, end);
}

// Where the numbers lie, or null.
template <class A>
auto data_of(const std::optional<A>& array) -> decltype(array->data()) {
    return array ? array->data() : nullptr;
}

template <class A>
void require_size(const A& array, std::int64_t size) {
    require(static_cast<std::int64_t>(array.size()) == size, "the arrays do not fit together");
}
template <class A>
void require_size(const std::optional<A>& array, std::int64_t size) {
    if (array) require_size(*array, size);
}

// Sorts of things that Python calls by a name.
template <class Kind>
Kind named(const char* what, const std::string& name,
           std::initializer_list<std::pair<const char*, Kind>> kinds) {
    for (const auto& [known, kind] : kinds)
        if (name == known) return kind;
    throw std::invalid_argument(std::string(what) + "='" + name + "' is not known");
}

inline assay::Rows rows_of(const Table& table, const Maybe<double>& fill = {},
                           const Maybe<std::int32_t>& indicators = {}) {
    assay::Rows rows;
    if (table.dtype() == nb::dtype<double>())
        rows.f64 = static_cast<const double*>(table.data());
    else if (table.dtype() == nb::dtype<float>())
        rows.f32 = static_cast<const float*>(table.data());
    else
        throw std::invalid_argument("the table must be float64 or float32");
    rows.count = table.extent(0);
    rows.columns = table.extent(1);
    rows.row_stride = table.stride(0);
    rows.column_stride = table.stride(1);
    // A table of one row or one column may report any stride for the axis that is never walked.
    if (rows.columns <= 1) rows.column_stride = 1;
    if (rows.count <= 1 && rows.column_stride == 1) rows.row_stride = rows.columns;
    if (fill) {
        require_size(*fill, rows.columns);
        rows.fill = fill->data();
    }
    if (indicators) {
        require(fill || indicators->size() == 0, "flags of missing values need what is put in their place");
        require(within<std::int32_t>(*indicators, 0, rows.columns), "an indicator names no column");
        rows.indicators = indicators->data();
        rows.indicator_count = indicators->count();
    }
    return rows;
}

// An array that keeps numbers made here.
template <class T>
using Owned = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
Owned<T> owned(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Owned<T>(kept->data(), {kept->size()}, owner);
}

// Rows that lie one after the other.
inline assay::RowMatrix matrix_of(const Table& table) {
    const assay::Rows rows = rows_of(table);
    require(rows.count == 0 || (rows.column_stride == 1 && rows.row_stride == rows.columns),
            "the rows must lie one after the other");
    return {rows.f64, rows.f32, rows.count, rows.columns};
}
