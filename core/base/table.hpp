// A table seen as rows of doubles, whatever its order and its width in bytes.
#pragma once

#include <cmath>
#include <cstdint>

namespace assay {

struct Rows {
    const double* f64 = nullptr;  // one of the two is set
    const float* f32 = nullptr;
    std::int64_t count = 0, columns = 0;
    std::int64_t row_stride = 0, column_stride = 0;  // in elements
    const double* fill = nullptr;                    // null, or the value that stands for NaN in each column
    const std::int32_t* indicators = nullptr;        // columns whose "was missing" flags follow the values
    std::int64_t indicator_count = 0;

    std::int64_t width() const { return columns + indicator_count; }
    bool direct() const { return f64 && column_stride == 1 && !fill && row_stride == columns; }
};

// Rows in C order; one of the two pointers is set.
struct RowMatrix {
    const double* f64 = nullptr;
    const float* f32 = nullptr;
    std::int64_t count = 0, width = 0;
};

namespace detail {

template <class T>
void copy_rows(const Rows& table, const T* data, const std::int64_t* rows, std::int64_t first,
               std::int64_t count, double* out) {
    const std::int64_t width = table.width();
    if (table.column_stride == 1) {
        for (std::int64_t r = 0; r < count; ++r) {
            const T* from = data + (rows ? rows[r] : first + r) * table.row_stride;
            double* to = out + r * width;
            for (std::int64_t j = 0; j < table.columns; ++j) to[j] = static_cast<double>(from[j]);
        }
        return;
    }
    for (std::int64_t j = 0; j < table.columns; ++j) {  // column by column: F-ordered tables stay sequential
        const T* from = data + j * table.column_stride;
        for (std::int64_t r = 0; r < count; ++r)
            out[r * width + j] = static_cast<double>(from[(rows ? rows[r] : first + r) * table.row_stride]);
    }
}

}  // namespace detail

// Rows `rows[0..count)` (or first, first+1, ... when rows is null) as a C-ordered block of doubles. The block
// is the table itself where that is possible, otherwise it is written to `buffer` (count x width).
inline const double* load_rows(const Rows& table, const std::int64_t* rows, std::int64_t first,
                               std::int64_t count, double* buffer) {
    if (!rows && table.direct()) return table.f64 + first * table.row_stride;
    if (table.f64)
        detail::copy_rows(table, table.f64, rows, first, count, buffer);
    else
        detail::copy_rows(table, table.f32, rows, first, count, buffer);
    if (!table.fill) return buffer;
    const std::int64_t width = table.width();
    for (std::int64_t r = 0; r < count; ++r) {
        double* row = buffer + r * width;
        for (std::int64_t i = 0; i < table.indicator_count; ++i)
            row[table.columns + i] = std::isnan(row[table.indicators[i]]) ? 1.0 : 0.0;
        for (std::int64_t j = 0; j < table.columns; ++j)
            if (std::isnan(row[j])) row[j] = table.fill[j];
    }
    return buffer;
}

}  // namespace assay
