// SciPy's BLAS, for the files that hand matrix products to kernels.
#pragma once

#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "network/network.hpp"
#include "python/arrays.hpp"

// The address of sgemm or dgemm that SciPy keeps for compiled callers, if it is called as we call it.
template <class T>
inline assay::Product<T> product_of(const nb::object& given) {
    if (!nb::isinstance<nb::capsule>(given))
        throw nb::type_error("a matrix product is an address of SciPy's");
    const auto capsule = nb::borrow<nb::capsule>(given);
    const std::string kind = sizeof(T) == sizeof(double) ? "d" : "s", found = capsule.name();
    const std::string t = "__pyx_t_5scipy_6linalg_11cython_blas_" + kind + " *", i = "int *";
    const std::string expected = "void (char *, char *, " + i + ", " + i + ", " + i + ", " + t + ", " + t +
                                 ", " + i + ", " + t + ", " + i + ", " + t + ", " + t + ", " + i + ")";
    if (found != expected)
        throw std::invalid_argument("this SciPy offers its matrix product as '" + found + "' instead of '" +
                                    expected + "'; install another version of SciPy.");
    return reinterpret_cast<assay::Product<T>>(capsule.data());
}
