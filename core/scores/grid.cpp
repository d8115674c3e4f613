#include "scores/grid.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.hpp"
#include "scores/grid_models.hpp"
#include "scores/grid_rows.hpp"
#include "scores/simd.hpp"

namespace assay {
namespace {

constexpr std::int64_t kBlockRows = 144;  // whole groups of every kind of processor; they stay near it
constexpr std::int64_t kMostItems = 1024;
constexpr std::int64_t kAhead = 8;  // rows fetched at a time

// Rows of one cell that are added up by themselves: sums in the same order for any number of threads.
struct Item {
    std::int64_t cell, first, count;
};

std::vector<Item> items_of(const GridCells& cells) {
    const std::int64_t rows = cells.count ? cells.first[cells.count] : 0;
    const std::int64_t size = (rows / kMostItems / kBlockRows + 1) * kBlockRows;
    std::vector<Item> items;
    for (std::int64_t c = 0; c < cells.count; ++c)
        for (std::int64_t i = cells.first[c]; i < cells.first[c + 1]; i += size)
            items.push_back({c, i, std::min(size, cells.first[c + 1] - i)});
    return items;
}

// The work of one thread: blocks of rows of a cell, and what is found out about them.
class Judge {
  public:
    Judge(const Rows& table, const GridCells& cells, const GridTests& tests, const GridModels& models,
          const std::vector<PackedModel>& packed)
        : table_(table),
          cells_(cells),
          tests_(tests),
          models_(models),
          packed_(packed),
          leaf_(scores_simd().grid) {}

    // Adds the mistakes of an item to sums, (tests, slots, 2).
    void take(const Item& item, double* sums) {
        for (std::int64_t i = 0; i < item.count; i += kBlockRows) {
            load(item.cell, item.first + i, std::min(kBlockRows, item.count - i));
            ahead_ = item.first + i + kBlockRows;
            for (std::int64_t t = 0; t < tests_.each; ++t) {
                const std::int32_t model = tests_.model[cells_.fold[item.cell] * tests_.each + t];
                if (model >= 0) test(packed_[model], model, sums + t * models_.slots() * 2);
            }
        }
    }

    std::int64_t unusable = 0;

  private:
    // Rows of a cell lie apart in the table: a few of the next block at a time come from memory while the
    // rows of this one are turned.
    void fetch_some() {
        if (!table_.direct()) return;
        const std::int64_t last = std::min(ahead_ + kAhead, cells_.first[cells_.count]);
        for (; ahead_ < last; ++ahead_)
            for (std::int64_t d = 0; d < table_.columns; d += 8)
                __builtin_prefetch(table_.f64 + cells_.source[ahead_] * table_.columns + d, 0, 2);
    }

    void load(std::int64_t cell, std::int64_t first, std::int64_t count) {
        const std::int64_t width = models_.width, wide = leaf_.rows32;
        own_ = cells_.own[cell], source_ = cells_.source + first;
        raw_.resize(count * width), z_.resize(count * width);
        const double* x = load_rows(table_, source_, 0, count, raw_.data());
        block_.resize(count, width, wide);
        for (std::int64_t r = 0; r < count; ++r) {
            double* z = z_.data() + r * width;
            float* to = block_.first(r, width);
            for (std::int64_t d = 0; d < width; ++d) {
                z[d] = (x[r * width + d] - models_.center[d]) * models_.unit[d];
                to[d * wide] = static_cast<float>(z[d]);
            }
        }
        for (std::int64_t g = 0; g < block_.groups; ++g)
            leaf_.lengths(block_.rows.data() + g * width * wide, width, block_.lengths.data() + g * wide);
    }

    void test(const PackedModel& packed, std::int64_t model, double* sums) {
        const auto sums_of = [&](std::int64_t b) { return sums + b * models_.most * 2; };
        for (std::int64_t b = 0; b < models_.bases; ++b) squares(packed, model, b, sums_of(b));
        if (models_.lines) lines(packed, sums_of(models_.bases));
    }

    const float* bias_of(const PackedModel& packed, std::int64_t b, std::int64_t s) const {
        return packed.bias.data() + (b * models_.most + s) * models_.classes;
    }

    void squares(const PackedModel& packed, std::int64_t model, std::int64_t b, double* sums) {
        const std::int64_t classes = models_.classes, settings = models_.settings[b], wide = block_.wide;
        const std::int64_t stride = block_.groups * settings * wide;
        block_.values.resize(classes * stride), block_.doubts.resize(classes * wide);
        for (std::int64_t k = 0; k < classes; ++k) {
            const Turned<float>& t = packed.floats[b * classes + k];
            fetch_some();
            leaf_.floats.squares(block_.rows.data(), block_.groups, models_.width, t.turn.data(),
                                 t.start.data(), t.panels(), t.share.data(), settings,
                                 block_.values.data() + k * stride);
        }
        begin(settings);
        for (std::int64_t g = 0; g < block_.groups; ++g) {
            const float* values = block_.values.data() + g * settings * wide;
            for (std::int64_t k = 0; k < classes; ++k)
                leaf_.doubts(values + k * stride, settings, block_.lengths.data() + g * wide,
                             packed.errors[b * classes + k], block_.doubts.data() + k * wide);
            for (std::int64_t s = 0; s < settings; ++s) {
                std::uint64_t right, wrong;
                leaf_.judge(values + s * wide, stride, bias_of(packed, b, s), -0.5f, block_.doubts.data(),
                            classes, own_, &right, &wrong);
                settle(g, s, right, wrong, sums);
            }
        }
        block_.list_open(listed_);
        if (!listed_.empty()) squares_again(packed, model, b, sums);
    }

    void lines(const PackedModel& packed, double* sums) {
        const std::int64_t classes = models_.classes, wide = block_.wide;
        const Turned<float>& t = packed.lines_float;
        const std::int64_t columns = static_cast<std::int64_t>(t.start.size());
        line_values_.resize(block_.groups * columns * wide), line_doubts_.resize(classes * wide);
        zeros_.assign(classes, 0.0f);
        leaf_.floats.lines(block_.rows.data(), block_.groups, models_.width, t.turn.data(), t.start.data(),
                           t.panels(), line_values_.data());
        begin(models_.lines);
        for (std::int64_t g = 0; g < block_.groups; ++g)
            for (std::int64_t s = 0; s < models_.lines; ++s) {
                for (std::int64_t k = 0; k < classes; ++k) {
                    const GridError& e = packed.line_errors[s * classes + k];
                    for (std::int64_t r = 0; r < wide; ++r)
                        line_doubts_[k * wide + r] =
                            e.unit * (block_.lengths[g * wide + r] * e.turn + e.start);
                }
                std::uint64_t right, wrong;
                leaf_.judge(line_values_.data() + (g * columns + s * classes) * wide, wide, zeros_.data(),
                            1.0f, line_doubts_.data(), classes, own_, &right, &wrong);
                settle(g, s, right, wrong, sums);
            }
        block_.list_open(listed_);
        if (!listed_.empty()) lines_again(packed, sums);
    }

    void begin(std::int64_t settings) {
        block_.open.assign(settings * block_.groups, 0);
        block_.any.assign(block_.groups, 0);
    }

    // Counts the rows of a group that are wrong for certain, and notes those that are still open.
    void settle(std::int64_t g, std::int64_t s, std::uint64_t right, std::uint64_t wrong, double* sums) {
        const std::uint64_t there = block_.there(g), open = there & ~(right | wrong);
        block_.open[s * block_.groups + g] = open, block_.any[g] |= open;
        wrong &= there;
        if (cells_.weight) {
            for (std::uint64_t bits = wrong; bits; bits &= bits - 1)
                count(g * block_.wide + __builtin_ctzll(bits), sums + 2 * s);
        } else {
            const double found = static_cast<double>(__builtin_popcountll(wrong));
            sums[2 * s] += found, sums[2 * s + 1] += found;
        }
    }

    void count(std::int64_t row, double* sums) const {
        const double w = cells_.weight ? cells_.weight[source_[row]] : 1.0;
        sums[0] += w, sums[1] += w * w;
    }

    // The listed rows side by side in double precision.
    void take_exact() {
        const std::int64_t width = models_.width, wide = leaf_.rows64;
        again_ = (static_cast<std::int64_t>(listed_.size()) + wide - 1) / wide;
        exact_rows_.assign(again_ * width * wide, 0.0);
        for (std::size_t i = 0; i < listed_.size(); ++i) {
            const std::int64_t at = static_cast<std::int64_t>(i);
            const double* z = z_.data() + listed_[i] * width;
            for (std::int64_t d = 0; d < width; ++d)
                exact_rows_[(at / wide * width + d) * wide + at % wide] = z[d];
        }
    }

    void squares_again(const PackedModel& packed, std::int64_t model, std::int64_t b, double* sums) {
        const std::int64_t classes = models_.classes, settings = models_.settings[b], wide = leaf_.rows64;
        take_exact();
        const std::int64_t stride = again_ * settings * wide;
        exact_.resize(classes * stride);
        for (std::int64_t k = 0; k < classes; ++k) {
            const Turned<double>& t = packed.doubles[b * classes + k];
            leaf_.doubles.squares(exact_rows_.data(), again_, models_.width, t.turn.data(), t.start.data(),
                                  t.panels(), t.share.data(), settings, exact_.data() + k * stride);
        }
        const double* bias = models_.bias + (model * models_.bases + b) * models_.most * classes;
        decide(settings, sums, [&](std::int64_t i, std::int64_t s, std::int64_t k) {
            const double q = exact_[k * stride + (i / wide * settings + s) * wide + i % wide];
            return bias[s * classes + k] - 0.5 * q;
        });
    }

    void lines_again(const PackedModel& packed, double* sums) {
        const Turned<double>& t = packed.lines_double;
        const std::int64_t wide = leaf_.rows64, columns = static_cast<std::int64_t>(t.start.size());
        take_exact();
        exact_.resize(again_ * columns * wide);
        leaf_.doubles.lines(exact_rows_.data(), again_, models_.width, t.turn.data(), t.start.data(),
                            t.panels(), exact_.data());
        decide(models_.lines, sums, [&](std::int64_t i, std::int64_t s, std::int64_t k) {
            return exact_[(i / wide * columns + s * models_.classes + k) * wide + i % wide];
        });
    }

    // The first of the classes with the largest score wins.
    template <class Score>
    void decide(std::int64_t settings, double* sums, Score score) {
        for (std::size_t i = 0; i < listed_.size(); ++i)
            for (std::int64_t s = 0; s < settings; ++s) {
                if (!block_.is_open(listed_[i], s)) continue;
                std::int64_t best = 0;
                double most = score(static_cast<std::int64_t>(i), s, 0);
                bool known = !std::isnan(most);
                for (std::int64_t k = 1; k < models_.classes; ++k) {
                    const double own = score(static_cast<std::int64_t>(i), s, k);
                    known &= !std::isnan(own);
                    if (own > most) best = k, most = own;
                }
                unusable += !(known && std::isfinite(most));
                if (best != own_) count(listed_[i], sums + 2 * s);
            }
    }

    const Rows& table_;
    const GridCells& cells_;
    const GridTests& tests_;
    const GridModels& models_;
    const std::vector<PackedModel>& packed_;
    const GridLoops& leaf_;

    std::int64_t own_ = 0, again_ = 0, ahead_ = 0;
    const std::int64_t* source_ = nullptr;
    std::vector<double> raw_, z_;
    GridRows block_;
    Lines<double> exact_rows_, exact_;
    Lines<float> line_values_, line_doubts_, zeros_;
    std::vector<std::int64_t> listed_;
};

}  // namespace

std::int64_t grid_mistakes(const Rows& table, const GridCells& cells, const GridTests& tests,
                           const GridModels& models, int threads, InterruptCheck& pause, double* sums) {
    std::vector<PackedModel> packed(static_cast<std::size_t>(models.models));
    parallel_for(models.models, threads, [&](std::int64_t m, int) { packed[m] = PackedModel(models, m); });
    const std::vector<Item> items = items_of(cells);
    const std::int64_t each = tests.each * models.slots() * 2;
    std::vector<double> found(items.size() * static_cast<std::size_t>(each), 0.0);
    std::vector<Judge> judges(static_cast<std::size_t>(std::max(1, threads)),
                              Judge(table, cells, tests, models, packed));
    const std::int64_t work =
        models.width * models.classes * (models.inner * models.bases + models.lines) * tests.each;
    parallel_for(static_cast<std::int64_t>(items.size()), threads, [&](std::int64_t i, int worker) {
        judges[worker].take(items[i], found.data() + i * each);
        if (worker == 0) pause.after(items[i].count * work);
    });
    std::fill(sums, sums + tests.folds * models.classes * each, 0.0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::int64_t fold = cells.fold[items[i].cell], own = cells.own[items[i].cell];
        for (std::int64_t t = 0; t < tests.each; ++t)
            for (std::int64_t s = 0; s < 2 * models.slots(); ++s)
                sums[((fold * tests.each + t) * models.classes + own) * 2 * models.slots() + s] +=
                    found[i * each + t * 2 * models.slots() + s];
    }
    std::int64_t unusable = 0;
    for (const Judge& judge : judges) unusable += judge.unusable;
    return unusable;
}

}  // namespace assay
