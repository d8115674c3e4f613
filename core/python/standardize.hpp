// What the files share that hand standardised rows to kernels.
#pragma once

#include "base/standardize.hpp"
#include "python/arrays.hpp"

// Inputs that lie side by side in the table are read as one run.
inline assay::Standard standard_of(const assay::Rows& table, const In<std::int64_t>& columns,
                                   const In<double>& center, const In<double>& unit, double limit) {
    const auto inputs = static_cast<std::int64_t>(columns.size());
    assay::Standard source{table, {}, center.data(), unit.data(), limit};
    require(within<std::int64_t>(columns.data(), inputs, 0, table.width()), "there is no such column");
    require_size(center, inputs);
    require_size(unit, inputs);
    for (std::int64_t place = 0; place < inputs; ++place) {
        const std::int64_t column = columns.data()[place];
        if (place > 0 && column == columns.data()[place - 1] + 1)
            ++source.runs.back().length;
        else
            source.runs.push_back({column, place, 1});
    }
    return source;
}
