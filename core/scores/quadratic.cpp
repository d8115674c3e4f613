// Quadratic scores. Dense rows: eight side by side in the lanes, the whitener in blocks of four columns. Rows
// that are mostly zeros, as one-hot columns make them: one at a time, the whitener's rows of the other
// entries added up. Which way a row goes depends on that row alone.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/index.hpp"
#include "scores/row_blocks.hpp"
#include "scores/scores.hpp"
#include "scores/simd.hpp"
#include "simd/vector_ops.hpp"

namespace assay {
namespace {

constexpr std::int64_t kTile = 4096;        // rows a tile before it is sorted by model
constexpr std::int64_t kScores = 1 << 15;   // scores that wait in the second-level cache
constexpr std::int64_t kRows = 256;         // rows transposed at a time: they stay in the second-level cache
constexpr std::int64_t kGroups = 4;         // groups of eight rows centred at a time beside a small whitener
constexpr std::size_t kSmall = 2048;        // entries of a whitener that stay in the first-level cache
constexpr std::int64_t kBlock = kTogether;  // columns of the whitener at a time
constexpr std::int64_t kZeros = 4;          // a row is mostly zeros if at most one entry in four is none

// Columns of a whitener in blocks of four, row after row; an upper triangular whitener has no rows below the
// diagonal. Columns that fill up the last four come first, where the columns are shortest.
struct Packed {
    std::vector<double> values;
    std::int64_t width, padding, blocks;
    bool triangular;

    std::int64_t rows(std::int64_t block) const {
        return triangular ? std::min(width, (block + 1) * kBlock - padding) : width;
    }

    Packed(const double* whitener, std::int64_t width, std::int64_t inner, bool triangular)
        : width(width),
          padding((kBlock - inner % kBlock) % kBlock),
          blocks((inner + padding) / kBlock),
          triangular(triangular) {
        values.reserve(static_cast<std::size_t>(blocks * width * kBlock));
        for (std::int64_t b = 0; b < blocks; ++b)
            for (std::int64_t j = 0; j < rows(b); ++j)
                for (std::int64_t c = b * kBlock - padding; c < (b + 1) * kBlock - padding; ++c)
                    values.push_back(c < 0 ? 0.0 : whitener[j * inner + c]);
    }
};

constexpr double kMostLost = 1e4;  // units in the last place that the base 0 may cost a whitened entry

// The same whitener for rows that are mostly zeros: x W - mean W, in panels of kPanel columns, row after row.
// A column whose mean is large in units of its whitener keeps its mean as base: x W and mean W would cancel.
struct Sparse {
    std::vector<double> panels, start, base;
    std::vector<std::int32_t> centred;  // columns that keep their mean
    std::int64_t width, padding, blocks;
    bool triangular;

    Sparse(const double* whitener, const double* mean, std::int64_t width, std::int64_t inner,
           bool triangular)
        : base(static_cast<std::size_t>(width), 0.0),
          width(width),
          padding((kPanel - inner % kPanel) % kPanel),
          blocks((inner + padding) / kPanel),
          triangular(triangular) {
        panels.assign(static_cast<std::size_t>(blocks * width * kPanel), 0.0);
        start.assign(static_cast<std::size_t>(blocks * kPanel), 0.0);
        for (std::int64_t j = 0; j < width; ++j) {
            double square = 0.0;
            for (std::int64_t c = 0; c < inner; ++c) {
                const double w = whitener[j * inner + c];
                square += w * w;
                panels[((c + padding) / kPanel * width + j) * kPanel + (c + padding) % kPanel] = w;
            }
            if (std::abs(mean[j]) * std::sqrt(square) <= kMostLost) {
                for (std::int64_t c = 0; c < inner; ++c)
                    start[c + padding] -= mean[j] * whitener[j * inner + c];
            } else {
                base[j] = mean[j];
                centred.push_back(static_cast<std::int32_t>(j));
            }
        }
    }

    // Rows of the whitener that reach panel b: none below the diagonal.
    std::int32_t rows(std::int64_t b) const {
        return static_cast<std::int32_t>(triangular ? std::min(width, (b + 1) * kPanel - padding) : width);
    }
};

// One thing for each of many numbers, made by the first thread that asks for it.
template <class Thing>
class OnDemand {
  public:
    template <class Make>
    OnDemand(std::int64_t count, Make make) : make_(make), made_(count), once_(count) {}

    const Thing& operator[](std::int64_t at) const {
        std::call_once(once_[at], [&] { made_[at] = std::make_unique<Thing>(make_(at)); });
        return *made_[at];
    }

  private:
    std::function<Thing(std::int64_t)> make_;
    mutable std::vector<std::unique_ptr<Thing>> made_;
    mutable std::vector<std::once_flag> once_;
};

// Entries that are not zero, row after row.
struct Entries {
    std::vector<std::int32_t> column;
    std::vector<double> value;
    std::vector<std::int64_t> first;
};

struct Scratch {
    std::vector<double> transposed, centered, sums;
    std::vector<std::int64_t> dense, sparse;  // numbers of rows in the run
    std::vector<std::int64_t> source;         // of the dense ones
    std::vector<std::int32_t> columns;
    Entries found, entries;
};

// Sorts rows first..first+some of a run into dense ones and those that are mostly zeros, whose entries it
// keeps.
void sort_by_zeros(const double* x, const std::int64_t* source, std::int64_t first, std::int64_t some,
                   std::int64_t width, Scratch& s) {
    s.dense.clear(), s.sparse.clear(), s.source.clear();
    s.found.column.clear(), s.found.value.clear(), s.found.first.assign(1, 0);
    s.columns.resize(width);
    for (std::int64_t i = first; i < first + some; ++i) {
        const double* row = x + source[i] * width;
        const std::int64_t count = scores_simd().nonzeros(row, width, s.columns.data());
        if (count * kZeros > width) {
            s.dense.push_back(i), s.source.push_back(source[i]);
            continue;
        }
        s.sparse.push_back(i);
        s.found.column.insert(s.found.column.end(), s.columns.data(), s.columns.data() + count);
        for (std::int64_t e = 0; e < count; ++e) s.found.value.push_back(row[s.columns[e]]);
        s.found.first.push_back(static_cast<std::int64_t>(s.found.column.size()));
    }
}

// The entries with their bases taken off; columns that keep their mean have an entry in every row.
void take_bases(const double* x, const std::int64_t* source, std::int64_t width, const Sparse& w,
                Scratch& s) {
    Entries &from = s.found, &to = s.entries;
    to.column.clear(), to.value.clear(), to.first.assign(1, 0);
    for (std::size_t r = 0; r < s.sparse.size(); ++r) {
        const double* row = x + source[s.sparse[r]] * width;
        auto kept = w.centred.begin();
        const auto push = [&](std::int32_t j) {
            to.column.push_back(j), to.value.push_back(row[j] - w.base[j]);
        };
        for (std::int64_t e = from.first[r]; e < from.first[r + 1]; ++e) {
            for (; kept != w.centred.end() && *kept < from.column[e]; ++kept) push(*kept);
            if (kept != w.centred.end() && *kept == from.column[e]) ++kept;
            push(from.column[e]);
        }
        for (; kept != w.centred.end(); ++kept) push(*kept);
        to.first.push_back(static_cast<std::int64_t>(to.column.size()));
    }
}

void transpose_rows(const double* x, std::int64_t width, Scratch& s) {
    s.transposed.resize(kRows * width);
    s.centered.resize(kRows * width);
    const std::int64_t count = static_cast<std::int64_t>(s.source.size());
    vector_ops().transpose(x, s.source.data(), count, width, s.transposed.data());
}

// |(x - mean) W|^2 of the transposed rows. Beside a small whitener few groups at a time stay in the
// first-level cache; a large one is read once for all of them.
void dense_squares(const Packed& packed, const double* mean, Scratch& s) {
    const std::int64_t groups = (static_cast<std::int64_t>(s.source.size()) + kLanes - 1) / kLanes;
    s.sums.assign(groups * kLanes, 0.0);
    const std::int64_t step = packed.values.size() <= kSmall ? kGroups : std::max(kGroups, groups);
    for (std::int64_t first = 0; first < groups; first += step) {
        const std::int64_t some = std::min(step, groups - first);
        const double* rows = s.transposed.data() + first * packed.width * kLanes;
        scores_simd().subtract(rows, mean, some, packed.width, s.centered.data());
        const double* block = packed.values.data();
        for (std::int64_t b = 0; b < packed.blocks; ++b) {
            scores_simd().add_squares(s.centered.data(), some, packed.width, block, packed.rows(b),
                                      s.sums.data() + first * kLanes);
            block += packed.rows(b) * kBlock;
        }
    }
}

// The same of the rows that are mostly zeros.
void sparse_squares(const double* x, const std::int64_t* source, const Sparse& w, Scratch& s) {
    if (!w.centred.empty()) take_bases(x, source, w.width, w, s);
    const Entries& entries = w.centred.empty() ? s.found : s.entries;
    s.sums.assign(s.sparse.size(), 0.0);
    for (std::int64_t b = 0; b < w.blocks; ++b)
        scores_simd().add_sparse_squares(entries.column.data(), entries.value.data(), entries.first.data(),
                                         static_cast<std::int64_t>(s.sparse.size()),
                                         w.panels.data() + b * w.width * kPanel, w.rows(b),
                                         w.start.data() + b * kPanel, s.sums.data());
}

// Rows a tile: those of its table within 16 MiB, and where its scores wait to be put elsewhere, those within
// the second-level cache as long as every model has some rows.
std::int64_t tile_rows(const Shape& shape, bool plain) {
    const std::int64_t most = (std::int64_t{1} << 21) / std::max<std::int64_t>(1, shape.width);
    const std::int64_t near = plain ? kTile : std::max(kScores / shape.classes, 64 * shape.models);
    return std::max<std::int64_t>(64, std::min({kTile, most, near}));
}

}  // namespace

void quadratic_scores(const Rows& table, const Pairs& pairs, const Shape& shape, std::int64_t inner,
                      bool triangular, const double* mean, const double* whitener, const double* bias,
                      int threads, const Sheets& out) {
    const std::int64_t width = shape.width, classes = shape.classes;
    const std::int64_t matrices = shape.models * classes;
    const OnDemand<Packed> packed(matrices, [&](std::int64_t at) {
        return Packed(whitener + at * width * inner, width, inner, triangular);
    });
    const OnDemand<Sparse> sparse(matrices, [&](std::int64_t at) {
        return Sparse(whitener + at * width * inner, mean + at * width, width, inner, triangular);
    });
    std::vector<Scratch> scratch(std::max(1, threads));
    const std::int64_t tile = tile_rows(shape, out.plain());
    over_runs(table, pairs, shape, tile, threads, out,
              [&](std::int64_t m, const std::int64_t* source, const std::int32_t* place, std::int64_t count,
                  const double* x, double* to, int worker) {
                  Scratch& s = scratch[worker];
                  for (std::int64_t first = 0; first < count; first += kRows) {
                      sort_by_zeros(x, source, first, std::min(kRows, count - first), width, s);
                      const auto write = [&](const std::vector<std::int64_t>& rows, std::int64_t k) {
                          for (std::size_t i = 0; i < rows.size(); ++i)
                              to[place[rows[i]] * classes + k] = bias[m * classes + k] - 0.5 * s.sums[i];
                      };
                      const std::int64_t dense = static_cast<std::int64_t>(s.dense.size());
                      if (dense) transpose_rows(x, width, s);
                      for (std::int64_t k = 0; k < classes; ++k) {
                          const std::int64_t at = m * classes + k;
                          if (dense) {
                              dense_squares(packed[at], mean + at * width, s);
                              write(s.dense, k);
                          }
                          if (!s.sparse.empty()) {
                              sparse_squares(x, source, sparse[at], s);
                              write(s.sparse, k);
                          }
                      }
                  }
              });
}

}  // namespace assay
