// A compressed matrix whose arrays come from Python: checked when it is made, kept alive as long as it is.
#pragma once

#include <variant>

#include "base/csr.hpp"
#include "python/arrays.hpp"

// Keeps the arrays of a compressed matrix alive.
template <class Index>
struct Kept {
    In<Index> first, column;
    In<double> value;
    assay::Compressed<Index> matrix;

    Kept(In<Index> first_, In<Index> column_, In<double> value_, std::int64_t columns)
        : first(std::move(first_)), column(std::move(column_)), value(std::move(value_)) {
        require(first.size() > 0 && columns >= 0, "there must be a first entry");
        const auto rows = static_cast<std::int64_t>(first.size()) - 1,
                   entries = static_cast<std::int64_t>(value.size());
        require_size(column, entries);
        require(first.data()[0] == 0 && static_cast<std::int64_t>(first.data()[rows]) == entries,
                "entries are left over");
        for (std::int64_t r = 0; r < rows; ++r)
            require(first.data()[r] <= first.data()[r + 1], "rows must be in order");
        require(within<Index>(column.data(), entries, 0, columns), "an entry lies in no column");
        matrix = {first.data(), column.data(), value.data(), rows, columns};
    }
};

using AnyKept = std::variant<Kept<std::int32_t>, Kept<std::int64_t>>;
