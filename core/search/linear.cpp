#include <algorithm>
#include <vector>

#include "search/blocks.hpp"
#include "search/search.hpp"
#include "search/simd.hpp"
#include "simd/vector_ops.hpp"

namespace assay {

namespace {

// One block of rows: the move, then every unit.
class MovedBlock {
  public:
    MovedBlock(const SortedRows& rows, const Block& block, const Move* move, double* x, double* margin)
        : rows_(rows), block_(block), move_(move), x_(x + block.first), margin_(margin + block.first) {}

    void make_move() {
        if (!move_) return;
        double* column = x_ + move_->feature * rows_.count;
        std::copy_n(column, block_.count, moved_);
        search_simd().linear_add(moved_, block_.count, terms(move_->slope, move_->center, block_.cell),
                                 margin_, rows_.count);
        const double factor = this->factor(move_->feature);
        for (std::int64_t i = 0; i < block_.count; ++i) column[i] = moved_[i] * factor;
    }

    void follow(std::int64_t feature) {
        if (!move_ || feature == move_->feature) return;
        vector_ops().add_multiple(factor(feature), moved_, block_.count, x_ + feature * rows_.count);
    }

    void expect_feature(std::int64_t feature) const { expect(x_ + feature * rows_.count, block_.count); }

    // Hits with one more feature, which follows the move on the way.
    double try_feature(std::int64_t feature, const LinearTerms& terms) {
        const bool follows = move_ && feature != move_->feature;
        return search_simd().linear_hits(x_ + feature * rows_.count, follows ? moved_ : nullptr,
                                         follows ? factor(feature) : 0.0, block_.count, terms, margin_,
                                         rows_.count, weight());
    }

    double try_unit(const Units& units, std::int64_t unit, const double* slope, const double* center,
                    Margins& scratch) {
        scratch.copy(margin_, rows_.count, block_.count);
        for (std::int64_t i = units.start[unit]; i < units.start[unit + 1]; ++i) {
            follow(units.feature[i]);
            search_simd().linear_add(x_ + units.feature[i] * rows_.count, block_.count,
                                     terms(slope, center, block_.cell * units.start[units.count] + i),
                                     scratch.data(), scratch.stride());
        }
        return search_simd().sum_hits(scratch.data(), nullptr, block_.count, rows_.rivals(),
                                      rows_.own[block_.cell], scratch.stride(), weight());
    }

    LinearTerms terms(const double* slope, const double* center, std::int64_t place) const {
        const std::int64_t at = place * rows_.rivals();
        return {rows_.rivals(), rows_.own[block_.cell], slope + at, center + at};
    }

  private:
    const double* weight() const { return rows_.weight ? rows_.weight + block_.first : nullptr; }
    double factor(std::int64_t feature) const {
        return move_->factor[rows_.split[block_.cell] * rows_.features + feature];
    }

    const SortedRows& rows_;
    const Block& block_;
    const Move* move_;
    double *x_, *margin_;
    double moved_[kBlockRows];
};

}  // namespace

void try_moves(const SortedRows& rows, const Move* move, const Units& units, const double* slope,
               const double* center, const std::int32_t* others, std::int64_t other_count, int threads,
               InterruptCheck& pause, double* x, double* margin, double* hits) {
    const Blocks blocks(rows);
    HitTable table(blocks.count(), units.count);
    const std::int64_t listed = units.start[units.count];
    parallel_for(blocks.count(), threads, [&](std::int64_t b, int worker) {
        MovedBlock block(rows, blocks[b], move, x, margin);
        Margins scratch(rows.rivals());
        block.make_move();
        for (std::int64_t u = 0; u < units.count; ++u) {
            const std::int64_t first = units.start[u];
            if (u + 1 < units.count && units.start[u + 1] < units.start[u + 2])
                block.expect_feature(units.feature[units.start[u + 1]]);
            table.at(b, u) =
                units.start[u + 1] == first + 1
                    ? block.try_feature(units.feature[first],
                                        block.terms(slope, center, blocks[b].cell * listed + first))
                    : block.try_unit(units, u, slope, center, scratch);
        }
        for (std::int64_t i = 0; i < other_count; ++i) block.follow(others[i]);
        if (worker == 0) pause.after(blocks[b].count * (listed * rows.classes + other_count));
    });
    if (units.count) table.sum(hits);
}

}  // namespace assay
