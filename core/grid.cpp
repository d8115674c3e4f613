#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "grid_pack.hpp"
#include "parallel.hpp"

namespace assay {
namespace {

constexpr std::int64_t kBlockRows = 144;  // whole groups of every kind of processor; they stay near it
constexpr std::int64_t kMostItems = 1024;

// Numbers that begin where a line of the cache does: vectors of rows are read whole.
template <class T>
struct AtLine {
    using value_type = T;
    AtLine() = default;
    template <class U>
    AtLine(const AtLine<U>&) {}
    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(64)));
    }
    void deallocate(T* from, std::size_t) { ::operator delete(from, std::align_val_t(64)); }
    bool operator==(const AtLine&) const { return true; }
    bool operator!=(const AtLine&) const { return false; }
};
template <class T>
using Lines = std::vector<T, AtLine<T>>;

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
          leaf_(leaves().grid) {}

    // Adds the mistakes of an item to sums, (tests, slots, 2).
    void take(const Item& item, double* sums) {
        for (std::int64_t i = 0; i < item.count; i += kBlockRows) {
            load(item.cell, item.first + i, std::min(kBlockRows, item.count - i));
            for (std::int64_t t = 0; t < tests_.each; ++t) {
                const std::int32_t model = tests_.model[cells_.fold[item.cell] * tests_.each + t];
                if (model >= 0) test(packed_[model], model, sums + t * models_.slots() * 2);
            }
        }
    }

    std::int64_t unusable = 0;

  private:
    void load(std::int64_t cell, std::int64_t first, std::int64_t count) {
        const std::int64_t width = models_.width, wide = leaf_.rows32;
        own_ = cells_.own[cell], count_ = count, source_ = cells_.source + first;
        groups_ = (count + wide - 1) / wide;
        raw_.resize(count * width);
        const double* x = load_rows(table_, source_, 0, count, raw_.data());
        z_.resize(count * width), rows_.assign(groups_ * width * wide, 0.0f), lengths_.resize(groups_ * wide);
        for (std::int64_t r = 0; r < count; ++r)
            for (std::int64_t d = 0; d < width; ++d) {
                z_[r * width + d] = (x[r * width + d] - models_.center[d]) * models_.unit[d];
                rows_[(r / wide * width + d) * wide + r % wide] = static_cast<float>(z_[r * width + d]);
            }
        for (std::int64_t g = 0; g < groups_; ++g)
            leaf_.lengths(rows_.data() + g * width * wide, width, lengths_.data() + g * wide);
    }

    void test(const PackedModel& packed, std::int64_t model, double* sums) {
        for (std::int64_t b = 0; b < models_.bases; ++b) {
            squares(packed, b, sums + b * models_.most * 2);
            if (!listed_.empty()) squares_again(packed, model, b, sums + b * models_.most * 2);
        }
        if (!models_.lines) return;
        double* after = sums + models_.bases * models_.most * 2;
        lines(packed, after);
        if (!listed_.empty()) lines_again(packed, after);
    }

    void squares(const PackedModel& packed, std::int64_t b, double* sums) {
        const std::int64_t classes = models_.classes, settings = models_.settings[b], wide = leaf_.rows32;
        const std::int64_t stride = groups_ * settings * wide;
        values_.resize(classes * stride), doubts_.resize(classes * wide);
        for (std::int64_t k = 0; k < classes; ++k) {
            const Turned<float>& t = packed.floats[b * classes + k];
            leaf_.floats.squares(rows_.data(), groups_, models_.width, t.turn.data(), t.start.data(),
                                 t.panels(), t.share.data(), settings, values_.data() + k * stride);
        }
        begin(settings);
        for (std::int64_t g = 0; g < groups_; ++g) {
            const float* values = values_.data() + g * settings * wide;
            for (std::int64_t k = 0; k < classes; ++k)
                leaf_.doubts(values + k * stride, settings, lengths_.data() + g * wide,
                             packed.errors[b * classes + k], doubts_.data() + k * wide);
            for (std::int64_t s = 0; s < settings; ++s)
                verdict(g, s, values + s * wide, stride,
                        packed.bias.data() + (b * models_.most + s) * classes, -0.5f, sums);
        }
        list_doubtful();
    }

    void lines(const PackedModel& packed, double* sums) {
        const std::int64_t classes = models_.classes, wide = leaf_.rows32;
        const Turned<float>& t = packed.lines_float;
        const std::int64_t columns = static_cast<std::int64_t>(t.start.size());
        values_.resize(groups_ * columns * wide), doubts_.resize(classes * wide);
        zeros_.assign(classes, 0.0f);
        leaf_.floats.lines(rows_.data(), groups_, models_.width, t.turn.data(), t.start.data(), t.panels(),
                           values_.data());
        begin(models_.lines);
        for (std::int64_t g = 0; g < groups_; ++g)
            for (std::int64_t s = 0; s < models_.lines; ++s) {
                for (std::int64_t k = 0; k < classes; ++k) {
                    const GridError& e = packed.line_errors[s * classes + k];
                    for (std::int64_t r = 0; r < wide; ++r)
                        doubts_[k * wide + r] = e.unit * (lengths_[g * wide + r] * e.turn + e.start);
                }
                verdict(g, s, values_.data() + (g * columns + s * classes) * wide, wide, zeros_.data(), 1.0f,
                        sums);
            }
        list_doubtful();
    }

    void begin(std::int64_t settings) {
        doubtful_.assign(groups_ * settings, 0);
        any_.assign(groups_, 0);
    }

    void verdict(std::int64_t g, std::int64_t s, const float* values, std::int64_t stride, const float* bias,
                 float factor, double* sums) {
        const std::int64_t wide = leaf_.rows32, there = std::min(wide, count_ - g * wide);
        const std::uint64_t valid = (std::uint64_t{1} << there) - 1;
        std::uint64_t right, wrong;
        leaf_.judge(values, stride, bias, factor, doubts_.data(), models_.classes, own_, &right, &wrong);
        const std::uint64_t open = valid & ~(right | wrong);
        doubtful_[s * groups_ + g] = open, any_[g] |= open;
        wrong &= valid;
        if (cells_.weight) {
            for (std::uint64_t bits = wrong; bits; bits &= bits - 1)
                count(g * wide + __builtin_ctzll(bits), sums + 2 * s);
        } else {
            const double found = static_cast<double>(__builtin_popcountll(wrong));
            sums[2 * s] += found, sums[2 * s + 1] += found;
        }
    }

    void count(std::int64_t row, double* sums) const {
        const double w = cells_.weight ? cells_.weight[source_[row]] : 1.0;
        sums[0] += w, sums[1] += w * w;
    }

    // Rows in doubt under any setting, side by side in double precision.
    void list_doubtful() {
        const std::int64_t width = models_.width, wide = leaf_.rows64;
        listed_.clear();
        for (std::int64_t g = 0; g < groups_; ++g)
            for (std::uint64_t bits = any_[g]; bits; bits &= bits - 1)
                listed_.push_back(g * leaf_.rows32 + __builtin_ctzll(bits));
        again_ = (static_cast<std::int64_t>(listed_.size()) + wide - 1) / wide;
        exact_rows_.assign(again_ * width * wide, 0.0);
        for (std::size_t i = 0; i < listed_.size(); ++i) {
            const std::int64_t at = static_cast<std::int64_t>(i);
            for (std::int64_t d = 0; d < width; ++d)
                exact_rows_[(at / wide * width + d) * wide + at % wide] = z_[listed_[i] * width + d];
        }
    }

    void squares_again(const PackedModel& packed, std::int64_t model, std::int64_t b, double* sums) {
        const std::int64_t classes = models_.classes, settings = models_.settings[b], wide = leaf_.rows64;
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
        for (std::size_t i = 0; i < listed_.size(); ++i) {
            const std::int64_t row = listed_[i], g = row / leaf_.rows32;
            for (std::int64_t s = 0; s < settings; ++s) {
                if (!(doubtful_[s * groups_ + g] >> (row % leaf_.rows32) & 1)) continue;
                std::int64_t best = 0;
                double most = score(static_cast<std::int64_t>(i), s, 0);
                bool known = !std::isnan(most);
                for (std::int64_t k = 1; k < models_.classes; ++k) {
                    const double own = score(static_cast<std::int64_t>(i), s, k);
                    known &= !std::isnan(own);
                    if (own > most) best = k, most = own;
                }
                unusable += !(known && std::isfinite(most));
                if (best != own_) count(row, sums + 2 * s);
            }
        }
    }

    const Rows& table_;
    const GridCells& cells_;
    const GridTests& tests_;
    const GridModels& models_;
    const std::vector<PackedModel>& packed_;
    const GridLeaves& leaf_;

    std::int64_t own_ = 0, count_ = 0, groups_ = 0, again_ = 0;
    const std::int64_t* source_ = nullptr;
    std::vector<double> raw_, z_;
    Lines<double> exact_rows_, exact_;
    Lines<float> rows_, lengths_, values_, doubts_, zeros_;
    std::vector<std::uint64_t> doubtful_, any_;  // (settings, groups) and (groups), rows as bits
    std::vector<std::int64_t> listed_;
};

}  // namespace

std::int64_t grid_mistakes(const Rows& table, const GridCells& cells, const GridTests& tests,
                           const GridModels& models, int threads, Pause& pause, double* sums) {
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
