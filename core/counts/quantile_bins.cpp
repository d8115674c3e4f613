#include "counts/quantile_bins.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "base/threads.hpp"

namespace assay {
namespace {

constexpr std::int64_t kBeside = 4;                    // columns that a thread reads side by side
constexpr std::int64_t kNear = std::int64_t{1} << 22;  // values of them that it keeps at most
constexpr std::int64_t kFew = 512;                     // values that are sorted rather than shared out
constexpr int kCells = 4096;                           // of equal width from the least value to the largest
constexpr int kDeep = 16;                              // times that a crowded cell is divided again
constexpr int kAbreast = 8;

// Cells of equal width. The number of a value's cell never falls as the value grows, so that only values of
// one cell need comparing. Values that are all equal, or too close to divide, have one cell.
class Grid {
  public:
    Grid(const double* values, std::int64_t count) {
        double least[kAbreast], most[kAbreast];
        std::fill_n(least, kAbreast, values[0]);
        std::fill_n(most, kAbreast, values[0]);
        bool all_finite = true;
        std::int64_t i = 0;
        for (; i + kAbreast <= count; i += kAbreast)
            for (int k = 0; k < kAbreast; ++k) {
                const double value = values[i + k];
                least[k] = value < least[k] ? value : least[k];
                most[k] = value > most[k] ? value : most[k];
                all_finite &= std::fabs(value) <= std::numeric_limits<double>::max();
            }
        for (; i < count; ++i) {
            least[0] = std::min(least[0], values[i]);
            most[0] = std::max(most[0], values[i]);
            all_finite &= std::fabs(values[i]) <= std::numeric_limits<double>::max();
        }
        low = *std::min_element(least, least + kAbreast);
        const double high = *std::max_element(most, most + kAbreast), scale = (kCells - 1) / (high - low);
        finite = all_finite;
        constant = low == high;
        scale_ = std::isfinite(scale) ? scale : 0.0;
    }

    bool divides() const { return scale_ > 0.0; }
    int cell(double value) const { return divides() ? static_cast<int>((value - low) * scale_) : 0; }

    double low;
    bool finite, constant;

  private:
    double scale_;
};

// Finds the edges of one column after another and counts; keeps its scratch space.
class Binner {
  public:
    Binner(const std::int64_t* cut, std::int64_t cuts, const std::int32_t* codes, std::int64_t classes)
        : ranks_(cut, cut + cuts), codes_(codes), classes_(classes), edges_(ranks_.size()) {}

    // The number of edges; -1: a value is not finite.
    std::int64_t count(const double* values, std::int64_t rows, std::int64_t* out) {
        const Grid grid(values, rows);
        if (!grid.finite) return -1;
        cells_.resize(static_cast<std::size_t>(rows));
        for (std::int64_t i = 0; i < rows; ++i) cells_[i] = static_cast<std::uint16_t>(grid.cell(values[i]));
        edges_.resize(ranks_.size());
        pick(grid, values, cells_.data(), rows, ranks_.data(), ranks_.size(), edges_.data(), kDeep);
        edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
        fill_bins(grid);
        add(values, rows, out);
        return static_cast<std::int64_t>(edges_.size());
    }

  private:
    // out[i]: the value of rank rank[i], ascending. Only cells that hold such a rank are looked into.
    void pick(const Grid& grid, const double* values, const std::uint16_t* cells, std::int64_t count,
              const std::int64_t* rank, std::size_t ranks, double* out, int deep) const {
        if (grid.constant) {
            std::fill_n(out, ranks, grid.low);
            return;
        }
        if (count <= kFew || deep == 0 || !grid.divides()) {
            std::vector<double> sorted(values, values + count);
            std::sort(sorted.begin(), sorted.end());
            for (std::size_t i = 0; i < ranks; ++i) out[i] = sorted[rank[i]];
            return;
        }
        std::vector<std::int64_t> end(kCells, 0);
        for (std::int64_t i = 0; i < count; ++i) ++end[cells[i]];
        for (int c = 1; c < kCells; ++c) end[c] += end[c - 1];
        const std::vector<Wanted> wanted = find(end, rank, ranks);
        const std::vector<double> near = gather(wanted, values, cells, count);
        std::vector<std::int64_t> inside;
        for (const Wanted& cell : wanted) {
            inside.assign(rank + cell.first, rank + cell.last);
            for (std::int64_t& each : inside) each -= cell.below;
            divide(near.data() + cell.start, cell.size, inside, out + cell.first, deep - 1);
        }
    }

    void divide(const double* values, std::int64_t count, const std::vector<std::int64_t>& rank, double* out,
                int deep) const {
        const Grid grid(values, count);
        std::vector<std::uint16_t> cells;
        if (count > kFew)
            for (std::int64_t i = 0; i < count; ++i)
                cells.push_back(static_cast<std::uint16_t>(grid.cell(values[i])));
        pick(grid, values, cells.data(), count, rank.data(), rank.size(), out, deep);
    }

    // A cell that holds ranks first to last of those asked for, and where its values are gathered.
    struct Wanted {
        int cell;
        std::size_t first, last;
        std::int64_t below, size, start;
    };

    static std::vector<Wanted> find(const std::vector<std::int64_t>& end, const std::int64_t* rank,
                                    std::size_t ranks) {
        std::vector<Wanted> wanted;
        std::int64_t start = 0;
        int cell = 0;
        for (std::size_t i = 0; i < ranks; ++i) {
            while (end[cell] <= rank[i]) ++cell;
            if (wanted.empty() || wanted.back().cell != cell) {
                const std::int64_t below = cell ? end[cell - 1] : 0;
                wanted.push_back({cell, i, i, below, end[cell] - below, start});
                start += end[cell] - below;
            }
            wanted.back().last = i + 1;
        }
        return wanted;
    }

    static std::vector<double> gather(const std::vector<Wanted>& wanted, const double* values,
                                      const std::uint16_t* cells, std::int64_t count) {
        std::vector<std::int64_t> place(kCells, -1);
        for (const Wanted& cell : wanted) place[cell.cell] = cell.start;
        std::vector<double> near(
            static_cast<std::size_t>(wanted.empty() ? 0 : wanted.back().start + wanted.back().size));
        for (std::int64_t i = 0; i < count; ++i)
            if (place[cells[i]] >= 0) near[place[cells[i]]++] = values[i];
        return near;
    }

    // For each cell the edges below it, and those below it or in it.
    void fill_bins(const Grid& grid) {
        below_.assign(kCells + 1, 0);
        for (const double edge : edges_) ++below_[grid.cell(edge) + 1];
        for (int c = 0; c < kCells; ++c) below_[c + 1] += below_[c];
    }

    void add(const double* values, std::int64_t rows, std::int64_t* out) const {
        const double* edges = edges_.data();
        for (std::int64_t i = 0; i < rows; ++i) {
            std::int64_t bin = below_[cells_[i]];
            const std::int64_t last = below_[cells_[i] + 1];
            if (bin != last) bin = std::upper_bound(edges + bin, edges + last, values[i]) - edges;
            ++out[bin * classes_ + codes_[i]];
        }
    }

    const std::vector<std::int64_t> ranks_;
    const std::int32_t* codes_;
    const std::int64_t classes_;
    std::vector<double> edges_;
    std::vector<std::uint16_t> cells_;  // of the values
    std::vector<std::int32_t> below_;
};

// Columns first to last, each laid end to end.
template <class T>
void lay_out(const Cellwise<T>& table, std::int64_t first, std::int64_t last, double* out) {
    for (std::int64_t r = 0; r < table.rows; ++r)
        for (std::int64_t j = first; j < last; ++j)
            out[(j - first) * table.rows + r] =
                static_cast<double>(table.values[r * table.row_stride + j * table.column_stride]);
}

}  // namespace

template <class T>
bool count_bins(const Cellwise<T>& table, const std::int64_t* cut, std::int64_t cuts,
                const std::int32_t* codes, std::int64_t classes, int threads, std::int64_t* edges,
                std::int64_t* out) {
    const std::int64_t beside =
        std::max<std::int64_t>(1, std::min(kBeside, kNear / std::max<std::int64_t>(1, table.rows)));
    const std::int64_t size = (cuts + 1) * classes;
    std::atomic<bool> finite{true};
    std::fill_n(out, table.columns * size, std::int64_t{0});
    std::fill_n(edges, table.columns, std::int64_t{0});
    if (table.rows == 0) return true;
    parallel_for((table.columns + beside - 1) / beside, threads, [&](std::int64_t block, int) {
        const std::int64_t first = block * beside, last = std::min(table.columns, first + beside);
        std::vector<double> values(static_cast<std::size_t>((last - first) * table.rows));
        lay_out(table, first, last, values.data());
        Binner binner(cut, cuts, codes, classes);
        for (std::int64_t j = first; j < last; ++j) {
            edges[j] = binner.count(values.data() + (j - first) * table.rows, table.rows, out + j * size);
            if (edges[j] < 0) finite = false;
        }
    });
    return finite;
}

template bool count_bins(const Cellwise<double>&, const std::int64_t*, std::int64_t, const std::int32_t*,
                         std::int64_t, int, std::int64_t*, std::int64_t*);
template bool count_bins(const Cellwise<float>&, const std::int64_t*, std::int64_t, const std::int32_t*,
                         std::int64_t, int, std::int64_t*, std::int64_t*);

}  // namespace assay
