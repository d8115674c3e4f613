// Quadratic scores: eight rows side by side in the lanes, the whitener in blocks of four columns.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "leaves.hpp"
#include "scores.hpp"
#include "tiles.hpp"

namespace assay {
namespace {

constexpr std::int64_t kTile = 4096;        // rows a tile before it is sorted by model
constexpr std::int64_t kRows = 256;         // rows centred at a time: they stay in the second-level cache
constexpr std::int64_t kBlock = kTogether;  // columns of the whitener at a time

// Columns of every whitener in blocks of four, row after row; an upper triangular whitener has no rows below
// the diagonal. Columns that fill up the last four come first, where the columns are shortest.
struct Packed {
    std::vector<double> values;
    std::int64_t width, inner, padding, blocks, each = 0;
    bool triangular;

    std::int64_t rows(std::int64_t block) const {
        return triangular ? std::min(width, (block + 1) * kBlock - padding) : width;
    }

    Packed(const double* whitener, std::int64_t matrices, std::int64_t width, std::int64_t inner,
           bool triangular)
        : width(width),
          inner(inner),
          padding((kBlock - inner % kBlock) % kBlock),
          blocks((inner + padding) / kBlock),
          triangular(triangular) {
        for (std::int64_t b = 0; b < blocks; ++b) each += rows(b) * kBlock;
        values.reserve(static_cast<std::size_t>(matrices * each));
        for (std::int64_t m = 0; m < matrices; ++m)
            for (std::int64_t b = 0; b < blocks; ++b)
                for (std::int64_t j = 0; j < rows(b); ++j)
                    for (std::int64_t c = b * kBlock - padding; c < (b + 1) * kBlock - padding; ++c)
                        values.push_back(c < 0 ? 0.0 : whitener[(m * width + j) * inner + c]);
    }
};

struct Scratch {
    std::vector<double> transposed, centered, sums;
};

}  // namespace

void quadratic_scores(const Rows& table, const Pairs& pairs, const Shape& shape, std::int64_t inner,
                      bool triangular, const double* mean, const double* whitener, const double* bias,
                      int threads, double* out) {
    const std::int64_t width = shape.width, classes = shape.classes;
    const Packed packed(whitener, shape.models * classes, width, inner, triangular);
    std::vector<Scratch> scratch(std::max(1, threads));
    const std::int64_t tile = std::max<std::int64_t>(
        64, std::min(kTile, (std::int64_t{1} << 21) / std::max<std::int64_t>(1, width)));
    over_runs(table, pairs, shape, tile, threads, out,
              [&](std::int64_t m, const std::int64_t* source, const std::int32_t* place, std::int64_t count,
                  const double* x, double* to, int worker) {
                  Scratch& s = scratch[worker];
                  s.transposed.resize(kRows * width);
                  s.centered.resize(kRows * width);
                  for (std::int64_t first = 0; first < count; first += kRows) {
                      const std::int64_t some = std::min(kRows, count - first),
                                         groups = (some + kLanes - 1) / kLanes;
                      leaves().transpose(x, source + first, some, width, s.transposed.data());
                      for (std::int64_t k = 0; k < classes; ++k) {
                          const std::int64_t at = m * classes + k;
                          leaves().subtract(s.transposed.data(), mean + at * width, groups, width,
                                            s.centered.data());
                          s.sums.assign(groups * kLanes, 0.0);
                          const double* block = packed.values.data() + at * packed.each;
                          for (std::int64_t b = 0; b < packed.blocks; ++b) {
                              const std::int64_t rows = packed.rows(b);
                              leaves().add_squares(s.centered.data(), groups, width, block, rows,
                                                   s.sums.data());
                              block += rows * kBlock;
                          }
                          for (std::int64_t i = 0; i < some; ++i)
                              to[place[first + i] * classes + k] = bias[at] - 0.5 * s.sums[i];
                      }
                  }
              });
}

}  // namespace assay
