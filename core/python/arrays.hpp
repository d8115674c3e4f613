// What the files that know Python share: types of arrays, and checks before raw pointers reach a kernel.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "base/table.hpp"

namespace nb = nanobind;
using nb::ndarray;

template <class T>
using In = ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = ndarray<T, nb::c_contig, nb::device::cpu>;
using Table = ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Maybe = std::optional<In<T>>;

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

// What a tuple that Python gave holds at a place.
template <class T>
T item_of(const nb::tuple& given, std::size_t place) {
    require(place < given.size(), "a tuple of arguments has too few items");
    T value;
    if (!nb::try_cast<T>(given[place], value))
        throw nb::type_error("an item of a tuple of arguments is of another type");
    return value;
}

template <class A>
void require_size(const A& array, std::int64_t size) {
    require(static_cast<std::int64_t>(array.size()) == size, "the arrays do not fit together");
}

inline assay::Rows rows_of(const Table& table, const Maybe<double>& fill,
                           const Maybe<std::int32_t>& indicators) {
    assay::Rows rows;
    if (table.dtype() == nb::dtype<double>())
        rows.f64 = static_cast<const double*>(table.data());
    else if (table.dtype() == nb::dtype<float>())
        rows.f32 = static_cast<const float*>(table.data());
    else
        throw std::invalid_argument("the table must be float64 or float32");
    rows.count = static_cast<std::int64_t>(table.shape(0));
    rows.columns = static_cast<std::int64_t>(table.shape(1));
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
        require(within(indicators->data(), static_cast<std::int64_t>(indicators->size()), 0, rows.columns),
                "an indicator names no column");
        rows.indicators = indicators->data();
        rows.indicator_count = static_cast<std::int64_t>(indicators->size());
    }
    return rows;
}
