#include "moments/moments.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "moments/packed_gram.hpp"
#include "moments/simd.hpp"

namespace assay {
namespace {

// The rows are cut into strands, a number that depends on the shape alone; each strand is summed in row order
// by one thread and the strands are added in order. Hence the same bits for any number of threads.
constexpr std::int64_t kStrandRows = 16384;
constexpr std::int64_t kMostStrands = 64;
constexpr std::int64_t kStrandDoubles = std::int64_t{2} << 20;  // 16 MiB for all strands together

std::int64_t strand_count(std::int64_t rows, std::int64_t doubles_each) {
    const std::int64_t by_rows = std::min(kMostStrands, (rows + kStrandRows - 1) / kStrandRows);
    const std::int64_t by_memory =
        std::max<std::int64_t>(2, kStrandDoubles / std::max<std::int64_t>(1, doubles_each));
    return std::max<std::int64_t>(1, std::min(by_rows, by_memory));
}

std::int64_t strand_begin(std::int64_t strand, std::int64_t strands, std::int64_t rows) {
    return rows * strand / strands;
}

void add_present(const double* __restrict x, std::int64_t count, std::int64_t width,
                 const std::int32_t* __restrict cell, const double* __restrict row_weight,
                 const double* __restrict center, double* __restrict weight, double* __restrict sum,
                 double* __restrict square, double* __restrict present) {
    for (std::int64_t r = 0; r < count; ++r) {
        const double w = row_weight ? row_weight[r] : 1.0;
        if (cell[r] < 0 || w == 0.0) continue;
        const std::int64_t at = cell[r] * width;
        const double* __restrict row = x + r * width;
        const double* __restrict c = center + at;
        double* __restrict s = sum + at;
        double* __restrict q = square + at;
        double* __restrict p = present + at;
        weight[cell[r]] += w;
        for (std::int64_t j = 0; j < width; ++j) {
            const bool there = row[j] == row[j];
            const double d = there ? row[j] - c[j] : 0.0;
            s[j] += w * d;
            q[j] += w * d * d;
            p[j] += there ? w : 0.0;
        }
    }
}

// The rows of a tile that count, in the order of their scatter matrix, stable; `start` has one entry more
// than there are matrices.
void sort_tile(const std::int32_t* cell, const double* weight, std::int64_t count, std::int64_t pool,
               std::vector<std::int64_t>& start, std::vector<std::int32_t>& order) {
    auto counts = [&](std::int64_t r) { return cell[r] >= 0 && (!weight || weight[r] != 0.0); };
    std::fill(start.begin(), start.end(), 0);
    for (std::int64_t r = 0; r < count; ++r)
        if (counts(r)) ++start[cell[r] / pool + 1];
    for (std::size_t g = 1; g < start.size(); ++g) start[g] += start[g - 1];
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    for (std::int64_t r = 0; r < count; ++r)
        if (counts(r)) order[next[cell[r] / pool]++] = static_cast<std::int32_t>(r);
}

struct Tile {
    std::vector<double> loaded, centered;
    std::vector<std::int64_t> start;
    std::vector<std::int32_t> order;

    void reserve(const Rows& table, std::int64_t rows, std::int64_t groups) {
        loaded.resize(table.direct() ? 0 : static_cast<std::size_t>(rows * table.width()));
        centered.resize(static_cast<std::size_t>(rows * whole_lanes(table.width())));
        start.resize(static_cast<std::size_t>(groups + 1));
        order.resize(static_cast<std::size_t>(rows));
    }
};

// Enough rows a tile for each matrix to receive a block worth a BLAS call, within 4 MiB.
std::int64_t tile_rows_for(std::int64_t width, std::int64_t groups) {
    const std::int64_t most = (std::int64_t{4} << 20) / (8 * std::max<std::int64_t>(1, width));
    return std::min(std::max<std::int64_t>(256, most), std::max<std::int64_t>(512, 64 * groups));
}

void add_tile(const Rows& table, const Cells& cells, std::int64_t pool, std::int64_t first,
              std::int64_t count, Tile& tile, double* weight, double* sum, double* gram) {
    const std::int64_t width = table.width(), panel_stride = count * kLanes;
    const double* x = load_rows(table, nullptr, first, count, tile.loaded.data());
    const std::int32_t* cell = cells.cell + first;
    sort_tile(cell, cells.weight ? cells.weight + first : nullptr, count, pool, tile.start, tile.order);
    const std::int64_t used = tile.start.back();
    for (std::int64_t at = 0; at < used; ++at) {
        const std::int64_t r = tile.order[at];
        const double w = cells.weight ? cells.weight[first + r] : 1.0;
        weight[cell[r]] += w;
        moments_simd().center_row(x + r * width, cells.center + cell[r] * width, width, w,
                                  cells.weight ? std::sqrt(w) : 1.0, panel_stride,
                                  tile.centered.data() + at * kLanes, sum + cell[r] * width);
    }
    for (std::size_t g = 0; g + 1 < tile.start.size(); ++g) {
        const std::int64_t begin = tile.start[g], rows = tile.start[g + 1] - begin;
        if (rows > 0)
            add_gram(tile.centered.data() + begin * kLanes, panel_stride, rows, width,
                     gram + static_cast<std::int64_t>(g) * packed_gram_size(width));
    }
}

void add_to(double* total, const double* part, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) total[i] += part[i];
}

}  // namespace

void diagonal_moments(const Rows& table, const Cells& cells, int threads, double* weight, double* sum,
                      double* square, double* present) {
    const std::int64_t width = table.width(), size = cells.count * width;
    const std::int64_t each = cells.count + size * (present ? 3 : 2);
    const std::int64_t strands = strand_count(table.count, each);
    constexpr std::int64_t kTile = 256;
    // Sums of so many rows are added to the strand's: a sum of short sums keeps a digit more than a long one.
    const std::int64_t short_sum = std::max<std::int64_t>(kTile, 16 * cells.count);
    std::vector<double> parts(static_cast<std::size_t>(strands * each), 0.0);
    parallel_for(strands, threads, [&](std::int64_t strand, int) {
        std::vector<double> near(static_cast<std::size_t>(each), 0.0);
        double *w = near.data(), *s = w + cells.count, *q = s + size, *p = present ? q + size : nullptr;
        std::int64_t waiting = 0;
        std::vector<double> buffer(table.direct() ? 0 : static_cast<std::size_t>(kTile * width));
        const std::int64_t end = strand_begin(strand + 1, strands, table.count);
        for (std::int64_t first = strand_begin(strand, strands, table.count); first < end; first += kTile) {
            const std::int64_t count = std::min(kTile, end - first);
            const double* x = load_rows(table, nullptr, first, count, buffer.data());
            const double* row_weight = cells.weight ? cells.weight + first : nullptr;
            if (present)
                add_present(x, count, width, cells.cell + first, row_weight, cells.center, w, s, q, p);
            else if (row_weight)
                moments_simd().add_weighted_rows(x, count, width, cells.cell + first, row_weight,
                                                 cells.center, w, s, q);
            else
                moments_simd().add_rows(x, count, width, cells.cell + first, cells.center, w, s, q);
            waiting += count;
            if (waiting < short_sum && first + kTile < end) continue;
            add_to(parts.data() + strand * each, near.data(), each);
            std::fill(near.begin(), near.end(), 0.0);
            waiting = 0;
        }
    });
    for (std::int64_t strand = 0; strand < strands; ++strand) {
        const double* w = parts.data() + strand * each;
        add_to(weight, w, cells.count);
        add_to(sum, w + cells.count, size);
        add_to(square, w + cells.count + size, size);
        if (present) add_to(present, w + cells.count + 2 * size, size);
    }
}

void full_moments(const Rows& table, const Cells& cells, std::int64_t pool, int threads, double* weight,
                  double* sum, double* product) {
    const std::int64_t width = table.width(), groups = cells.count / pool;
    const std::int64_t sums = cells.count * width, packed = packed_gram_size(width);
    const std::int64_t each = cells.count + sums + groups * packed;
    const std::int64_t strands = strand_count(table.count, each);
    const std::int64_t tile_rows = tile_rows_for(width, groups);
    std::vector<double> parts(static_cast<std::size_t>(strands * each), 0.0);
    const int workers = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, strands)));
    std::vector<Tile> tiles(workers);
    parallel_for(strands, workers, [&](std::int64_t strand, int worker) {
        Tile& tile = tiles[worker];
        tile.reserve(table, tile_rows, groups);
        double* w = parts.data() + strand * each;
        const std::int64_t end = strand_begin(strand + 1, strands, table.count);
        for (std::int64_t first = strand_begin(strand, strands, table.count); first < end; first += tile_rows)
            add_tile(table, cells, pool, first, std::min(tile_rows, end - first), tile, w, w + cells.count,
                     w + cells.count + sums);
    });
    for (std::int64_t strand = 1; strand < strands; ++strand)
        add_to(parts.data(), parts.data() + strand * each, each);
    add_to(weight, parts.data(), cells.count);
    add_to(sum, parts.data() + cells.count, sums);
    for (std::int64_t g = 0; g < groups; ++g)
        unpack_gram(parts.data() + cells.count + sums + g * packed, width, product + g * width * width);
}

}  // namespace assay
