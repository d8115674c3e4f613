#include "counts/categories.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/threads.hpp"

namespace assay {
namespace {

constexpr std::int64_t kStrip = 65536;  // rows a thread takes at a time
constexpr std::int64_t kTile = 256;     // rows whose values stay near while the columns are walked

template <class T>
bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) return value != value;
    return false;
}

template <class T>
bool is_whole(T value) {
    // Beyond 2^53 neighbouring whole numbers are one.
    if constexpr (std::is_floating_point_v<T>)
        return std::floor(value) == value && std::fabs(value) <= 9007199254740992.0;
    return true;
}

std::int64_t strips(std::int64_t rows) { return (rows + kStrip - 1) / kStrip; }

// Calls work(first row, rows) tile by tile, threads over strips.
template <class Work>
void in_tiles(std::int64_t rows, int threads, Work&& work) {
    parallel_for(strips(rows), threads, [&](std::int64_t strip, int) {
        const std::int64_t end = std::min(rows, (strip + 1) * kStrip);
        for (std::int64_t at = strip * kStrip; at < end; at += kTile)
            work(strip, at, std::min(kTile, end - at));
    });
}

// One column of one thread: the counts of a cell lie side by side and stay near.
template <class Count, class Add>
bool count_column(const Levels& levels, std::int64_t column, const std::int32_t* cell, std::int64_t cells,
                  Count* out, Add&& add) {
    const std::int64_t width = levels.first[column + 1] - levels.first[column];
    const std::int64_t all = levels.first[levels.columns];
    const std::int32_t* codes = levels.codes + column * levels.rows;
    std::vector<Count> near(static_cast<std::size_t>(cells * width), Count{0});
    for (std::int64_t r = 0; r < levels.rows; ++r) {
        if (codes[r] < 0 || cell[r] < 0) continue;
        if (codes[r] >= width) return false;
        add(near[cell[r] * width + codes[r]], r);
    }
    for (std::int64_t c = 0; c < cells; ++c)
        std::copy_n(near.data() + c * width, width, out + c * all + levels.first[column]);
    return true;
}

template <class Count, class Add>
bool count_columns(const Levels& levels, const std::int32_t* cell, std::int64_t cells, int threads,
                   Count* out, Add&& add) {
    std::atomic<bool> inside{true};
    parallel_for(levels.columns, threads, [&](std::int64_t column, int) {
        if (!count_column(levels, column, cell, cells, out, add)) inside = false;
    });
    return inside;
}

// `Classes` known to the compiler (0: not) keeps the sums of a row in registers.
template <int Classes>
void score_tile(const Levels& levels, const std::int32_t* model, std::int64_t classes, const double* table,
                const double* bias, std::int64_t at, std::int64_t count, double* out) {
    const std::int64_t width = Classes ? Classes : classes;
    const std::int64_t model_size = (levels.first[levels.columns] + levels.columns) * width;
    for (std::int64_t r = 0; r < count; ++r)
        std::copy_n(bias + (model ? model[at + r] : 0) * width, width, out + (at + r) * width);
    for (std::int64_t j = 0; j < levels.columns; ++j) {
        const std::int32_t unseen = static_cast<std::int32_t>(levels.first[j + 1] - levels.first[j]);
        const double* lines = table + (levels.first[j] + j) * width;
        const std::int32_t* codes = levels.codes + j * levels.rows + at;
        for (std::int64_t r = 0; r < count; ++r) {
            const std::int32_t code = codes[r] == kUnseen ? unseen : codes[r];
            if (code < 0) continue;
            const double* line = lines + (model ? model[at + r] * model_size : 0) + code * width;
            double* sum = out + (at + r) * width;
            for (std::int64_t k = 0; k < width; ++k) sum[k] += line[k];
        }
    }
}

}  // namespace

template <class T>
void level_ranges(const Cellwise<T>& table, int threads, double* low, double* high, std::uint8_t* whole) {
    const std::int64_t parts = strips(table.rows), width = table.columns;
    constexpr double kEnd = std::numeric_limits<double>::infinity();
    std::vector<double> least(static_cast<std::size_t>(parts * width), kEnd),
        most(static_cast<std::size_t>(parts * width), -kEnd);
    std::vector<std::uint8_t> fits(static_cast<std::size_t>(parts * width), 1);
    in_tiles(table.rows, threads, [&](std::int64_t strip, std::int64_t at, std::int64_t count) {
        for (std::int64_t j = 0; j < width; ++j) {
            const T* value = table.values + at * table.row_stride + j * table.column_stride;
            double a = least[strip * width + j], b = most[strip * width + j];
            bool all_whole = true;
            for (std::int64_t r = 0; r < count; ++r, value += table.row_stride) {
                const T v = *value;
                if (is_nan(v)) continue;
                a = std::min(a, static_cast<double>(v));
                b = std::max(b, static_cast<double>(v));
                all_whole &= is_whole(v);
            }
            least[strip * width + j] = a;
            most[strip * width + j] = b;
            if (!all_whole) fits[strip * width + j] = 0;
        }
    });
    for (std::int64_t j = 0; j < width; ++j) {
        low[j] = kEnd;
        high[j] = -kEnd;
        whole[j] = 1;
        for (std::int64_t p = 0; p < parts; ++p) {
            low[j] = std::min(low[j], least[p * width + j]);
            high[j] = std::max(high[j], most[p * width + j]);
            whole[j] &= fits[p * width + j];
        }
    }
}

template <class T>
void table_codes(const Cellwise<T>& table, const double* low, const std::int64_t* first,
                 const std::int32_t* codes, int threads, std::int32_t* out) {
    in_tiles(table.rows, threads, [&](std::int64_t, std::int64_t at, std::int64_t count) {
        for (std::int64_t j = 0; j < table.columns; ++j) {
            const T* value = table.values + at * table.row_stride + j * table.column_stride;
            const double reach = static_cast<double>(first[j + 1] - first[j]);
            const std::int32_t* code = codes + first[j];
            std::int32_t* to = out + j * table.rows + at;
            for (std::int64_t r = 0; r < count; ++r, value += table.row_stride) {
                const double away = static_cast<double>(*value) - low[j];
                const bool known = away >= 0.0 && away < reach && is_whole(*value);
                to[r] = is_nan(*value) ? kMissing : known ? code[static_cast<std::int64_t>(away)] : kUnseen;
            }
        }
    });
}

#define ASSAY_LEVELS(T)                                                                                    \
    template void level_ranges(const Cellwise<T>&, int, double*, double*, std::uint8_t*);                  \
    template void table_codes(const Cellwise<T>&, const double*, const std::int64_t*, const std::int32_t*, \
                              int, std::int32_t*);
ASSAY_LEVELS(double)
ASSAY_LEVELS(float)
ASSAY_LEVELS(std::int64_t)
ASSAY_LEVELS(std::int32_t)
ASSAY_LEVELS(std::uint8_t)
#undef ASSAY_LEVELS

bool count_levels(const Levels& levels, const std::int32_t* cell, std::int64_t cells, int threads,
                  std::int64_t* out) {
    return count_columns(levels, cell, cells, threads, out,
                         [](std::int64_t& count, std::int64_t) { ++count; });
}

bool count_weighted_levels(const Levels& levels, const std::int32_t* cell, const double* weight,
                           std::int64_t cells, int threads, double* out) {
    return count_columns(levels, cell, cells, threads, out,
                         [weight](double& count, std::int64_t r) { count += weight[r]; });
}

void level_scores(const Levels& levels, const std::int32_t* model, std::int64_t classes, const double* table,
                  const double* bias, int threads, double* out) {
    in_tiles(levels.rows, threads, [&](std::int64_t, std::int64_t at, std::int64_t count) {
        const auto run = [&](auto known) {
            score_tile<known>(levels, model, classes, table, bias, at, count, out);
        };
        switch (classes) {
            case 2:
                return run(std::integral_constant<int, 2>{});
            case 3:
                return run(std::integral_constant<int, 3>{});
            case 4:
                return run(std::integral_constant<int, 4>{});
            case 5:
                return run(std::integral_constant<int, 5>{});
            case 6:
                return run(std::integral_constant<int, 6>{});
            case 8:
                return run(std::integral_constant<int, 8>{});
            default:
                return run(std::integral_constant<int, 0>{});
        }
    });
}

}  // namespace assay
