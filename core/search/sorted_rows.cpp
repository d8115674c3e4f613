#include <algorithm>
#include <vector>

#include "base/threads.hpp"
#include "search/search.hpp"

namespace assay {

namespace {

constexpr std::int64_t kBlock = 64;

}  // namespace

void sort_rows(const Rows& table, const SortedRows& rows, const std::int64_t* source, const double* center,
               int threads, double* out) {
    const std::int64_t width = table.columns;
    std::vector<std::int32_t> split(static_cast<std::size_t>(rows.count));
    for (std::int64_t c = 0; c < rows.cells; ++c)
        std::fill(split.begin() + rows.first[c], split.begin() + rows.first[c + 1], rows.split[c]);
    parallel_for((rows.count + kBlock - 1) / kBlock, threads, [&](std::int64_t block, int) {
        const std::int64_t first = block * kBlock, end = std::min(first + kBlock, rows.count);
        std::vector<double> row(static_cast<std::size_t>(width * kBlock));
        for (std::int64_t i = first; i < end; ++i) {
            double* to = row.data() + (i - first) * width;
            if (source[i] < 0) {
                std::fill_n(to, width, 0.0);
                continue;
            }
            const double* from = load_rows(table, source + i, 0, 1, to);
            const double* c = center + split[static_cast<std::size_t>(i)] * width;
            for (std::int64_t j = 0; j < width; ++j) to[j] = from[j] - c[j];
        }
        for (std::int64_t j = 0; j < width; ++j)
            for (std::int64_t i = first; i < end; ++i)
                out[j * rows.count + i] = row[static_cast<std::size_t>((i - first) * width + j)];
    });
}

}  // namespace assay
