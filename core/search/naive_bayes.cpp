#include <algorithm>
#include <vector>

#include "search/blocks.hpp"
#include "search/search.hpp"
#include "search/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kKept = 1 << 15;  // numbers that stay near the processor

// Parameters of features as the rows of one cell need them.
class Terms {
  public:
    Terms(const SortedRows& rows, const NormalModels& models)
        : rows_(rows), models_(models), values_(static_cast<std::size_t>(3 * rows.rivals())) {}

    NormalTerms of(std::int64_t cell, std::int64_t feature) {
        const std::int64_t own = rows_.own[cell], rivals = rows_.rivals();
        const std::int64_t at = (rows_.split[cell] * rows_.features + feature) * rows_.classes;
        const double *mean = models_.mean + at, *half = models_.half + at, *constant = models_.constant + at;
        double *means = values_.data(), *halves = means + rivals, *constants = halves + rivals;
        for (std::int64_t k = 0, to = 0; k < rows_.classes; ++k) {
            if (k == own) continue;
            means[to] = mean[k], halves[to] = half[k], constants[to++] = constant[own] - constant[k];
        }
        return {mean[own], half[own], rivals, own, means, halves, constants};
    }

  private:
    const SortedRows& rows_;
    const NormalModels& models_;
    std::vector<double> values_;
};

// Adds a unit's features to margins of a block.
void add_unit(Terms& terms, const Block& block, const Units& units, std::int64_t unit, const double* x,
              std::int64_t stride_x, double* margin, std::int64_t stride) {
    for (std::int64_t i = units.start[unit]; i < units.start[unit + 1]; ++i) {
        const std::int64_t j = units.feature[i];
        search_simd().normal_add(x + j * stride_x + block.first, block.count, terms.of(block.cell, j), margin,
                                 stride);
    }
}

}  // namespace

void add_normals(const SortedRows& rows, const double* x, const NormalModels& models,
                 const std::int32_t* feature, std::int64_t listed, int threads, InterruptCheck& pause,
                 double* margin) {
    const std::int64_t start[] = {0, listed};
    const Units all{1, start, feature};
    const Blocks blocks(rows);
    parallel_for(blocks.count(), threads, [&](std::int64_t b, int worker) {
        Terms terms(rows, models);
        const Block block = blocks[b];
        add_unit(terms, block, all, 0, x, rows.count, margin + block.first, rows.count);
        if (worker == 0) pause.after(block.count * listed * rows.classes);
    });
}

void try_normals(const SortedRows& rows, const double* x, const NormalModels& models, const Units& units,
                 const double* margin, int threads, InterruptCheck& pause, double* hits) {
    const Blocks blocks(rows);
    HitTable table(blocks.count(), units.count);
    const SearchSimd& leaf = search_simd();
    parallel_for(blocks.count(), threads, [&](std::int64_t b, int worker) {
        Terms terms(rows, models);
        Margins scratch(rows.rivals());
        const Block block = blocks[b];
        const double* weight = rows.weight ? rows.weight + block.first : nullptr;
        for (std::int64_t u = 0; u < units.count; ++u) {
            const std::int64_t first = units.start[u];
            if (u + 1 < units.count && units.start[u + 1] < units.start[u + 2])
                expect(x + units.feature[units.start[u + 1]] * rows.count + block.first, block.count);
            if (units.start[u + 1] == first + 1) {
                const std::int64_t j = units.feature[first];
                table.at(b, u) =
                    leaf.normal_hits(x + j * rows.count + block.first, block.count, terms.of(block.cell, j),
                                     margin + block.first, rows.count, weight);
                continue;
            }
            scratch.copy(margin + block.first, rows.count, block.count);
            add_unit(terms, block, units, u, x, rows.count, scratch.data(), scratch.stride());
            table.at(b, u) = leaf.sum_hits(scratch.data(), nullptr, block.count, rows.rivals(),
                                           rows.own[block.cell], scratch.stride(), weight);
        }
        if (worker == 0) pause.after(block.count * units.start[units.count] * rows.classes);
    });
    table.sum(hits);
}

void leave_normals(const SortedRows& rows, const double* x, const NormalModels& models, const Units& units,
                   const double* margin, int threads, InterruptCheck& pause, double* hits) {
    // Sums of all units are kept at once: fewer rows at a time where there are many.
    const std::int64_t fits = kKept / ((units.count + 1) * rows.rivals()) / kSearchRows * kSearchRows;
    const std::int64_t size = std::clamp(fits, kSearchRows, kBlockRows), each = rows.rivals() * size;
    const Blocks blocks(rows, size);
    HitTable table(blocks.count(), units.count);
    const SearchSimd& leaf = search_simd();
    parallel_for(blocks.count(), threads, [&](std::int64_t b, int worker) {
        Terms terms(rows, models);
        const Block block = blocks[b];
        const double* weight = rows.weight ? rows.weight + block.first : nullptr;
        std::vector<double> kept(static_cast<std::size_t>((units.count + 2) * each), 0.0);
        double *before = kept.data(), *behind = before + each;  // the last of those behind stays 0
        for (std::int64_t u = units.count - 1; u > 0; --u) {
            double* here = behind + u * each;
            std::copy_n(here + each, each, here);
            add_unit(terms, block, units, u, x, rows.count, here, size);
        }
        for (std::int64_t k = 0; k < rows.rivals(); ++k)
            std::copy_n(margin + k * rows.count + block.first, block.count, before + k * size);
        for (std::int64_t u = 0; u < units.count; ++u) {
            table.at(b, u) = leaf.sum_hits(before, behind + (u + 1) * each, block.count, rows.rivals(),
                                           rows.own[block.cell], size, weight);
            add_unit(terms, block, units, u, x, rows.count, before, size);
        }
        if (worker == 0) pause.after(3 * block.count * units.start[units.count] * rows.classes);
    });
    table.sum(hits);
}

}  // namespace assay
