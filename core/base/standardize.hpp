// Rows of a table as a network reads them: columns (x - center) * unit, drawn in where they lie far out.
#pragma once

#include <cstdint>
#include <vector>

#include "base/table.hpp"
#include "network/simd.hpp"

namespace assay {

// Input `place` and those after it come from column `column` and those after it.
struct Run {
    std::int64_t column, place, length;
};

struct Standard {
    Rows table;
    std::vector<Run> runs;
    const double *center, *unit;  // by input
    double limit;                 // towards which inputs far out are drawn in; infinite: they are not

    std::int64_t width() const { return runs.empty() ? 0 : runs.back().place + runs.back().length; }
};

// A row whose numbers lie side by side.
template <class T, class Given>
void read_numbers(const Standard& source, const Given* row, T* out) {
    for (const Run& run : source.runs) {
        const double *center = source.center + run.place, *unit = source.unit + run.place;
        if constexpr (std::is_same_v<Given, double>)
            layer_loops_of<T>().read_doubles(row + run.column, center, unit, source.limit, run.length,
                                             out + run.place);
        else
            layer_loops_of<T>().read_floats(row + run.column, center, unit, source.limit, run.length,
                                            out + run.place);
    }
}

}  // namespace assay
