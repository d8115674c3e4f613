#include "folds/folds.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/threads.hpp"

namespace assay {
namespace {

struct ClassCounts {
    std::vector<std::int64_t> count;
    std::vector<std::int32_t> order;  // classes that have rows, see count_classes
};

// Classes are ordered by the hash of their first row: renaming them changes no fold, and rows that are alone
// in their class are dealt at random.
bool count_classes(const std::int32_t* codes, std::int64_t n, std::int32_t n_classes, std::uint64_t key,
                   ClassCounts& out) {
    std::vector<std::uint64_t> first(static_cast<std::size_t>(n_classes));
    out.count.assign(static_cast<std::size_t>(n_classes), 0);
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int32_t k = codes[i];
        if (k < 0 || k >= n_classes) return false;
        if (out.count[k]++ == 0) {
            first[k] = absorb(key, static_cast<std::uint64_t>(i));
            out.order.push_back(k);
        }
    }
    std::sort(out.order.begin(), out.order.end(),
              [&](std::int32_t a, std::int32_t b) { return first[a] < first[b]; });
    return true;
}

// Buckets of a class: the top bits of the hash, eight to sixteen rows each and at most 4096 of them, so that
// the histogram of a few classes stays in the second-level cache.
struct Buckets {
    std::vector<std::int64_t> start;  // first bucket of each class; the last entry is the total
    std::vector<int> shift;

    explicit Buckets(const std::vector<std::int64_t>& count) : start{0} {
        for (std::size_t k = 0; k < count.size(); ++k) {
            int bits = 0;
            while (bits < 12 && (count[k] >> (bits + 4)) > 0) ++bits;
            shift.push_back(63 - bits);
            start.push_back(start[k] + (std::int64_t{1} << bits));
        }
    }
    std::int64_t of(std::int32_t k, std::uint64_t hash) const {
        return start[k] + static_cast<std::int64_t>((hash >> 1) >> shift[k]);
    }
};

struct Entry {
    std::int64_t bucket;
    std::uint64_t hash;
    std::int64_t row;
    bool operator<(const Entry& other) const {
        return bucket != other.bucket ? bucket < other.bucket : hash < other.hash;
    }
};

constexpr std::int32_t kMixed = -2147483647;

// out[i] = label(class, rank of the row's hash within its class), for labels that are constant on few runs of
// ranks. Only buckets in which the label changes are sorted, so the cost is two passes over the codes.
template <class Label>
void label_by_rank(const std::int32_t* codes, std::int64_t n, const ClassCounts& classes, std::uint64_t key,
                   const Label& label, std::int32_t* out) {
    const Buckets buckets(classes.count);
    const auto n_buckets = static_cast<std::size_t>(buckets.start.back());
    std::vector<std::int64_t> rank(n_buckets, 0);
    for (std::int64_t i = 0; i < n; ++i) ++rank[buckets.of(codes[i], absorb(key, i))];

    std::vector<std::int32_t> table(n_buckets, kMixed);
    for (std::int32_t k : classes.order) {
        std::int64_t before = 0;
        for (std::int64_t b = buckets.start[k]; b < buckets.start[k + 1]; ++b) {
            const std::int64_t size = rank[b];
            rank[b] = before;
            if (size > 0) {
                const std::int32_t low = label(k, before);
                if (low == label(k, before + size - 1)) table[b] = low;
            }
            before += size;
        }
    }

    std::vector<Entry> mixed;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::uint64_t hash = absorb(key, i);
        const std::int64_t b = buckets.of(codes[i], hash);
        out[i] = table[b];
        if (table[b] == kMixed) mixed.push_back({b, hash, i});
    }
    std::sort(mixed.begin(), mixed.end());
    for (const Entry& entry : mixed) out[entry.row] = label(codes[entry.row], rank[entry.bucket]++);
}

// Rows of each group, in row order.
struct GroupRows {
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> rows;

    std::int64_t size(std::int32_t g) const { return start[g + 1] - start[g]; }
    std::int64_t first(std::int32_t g) const { return rows[start[g]]; }
};

bool gather_groups(const std::int32_t* groups, std::int64_t n, std::int32_t n_groups, GroupRows& out) {
    out.start.assign(static_cast<std::size_t>(n_groups) + 1, 0);
    out.rows.resize(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        if (groups[i] < 0 || groups[i] >= n_groups) return false;
        ++out.start[groups[i] + 1];
    }
    for (std::int32_t g = 0; g < n_groups; ++g) {
        if (out.start[g + 1] == 0) return false;
        out.start[g + 1] += out.start[g];
    }
    std::vector<std::int64_t> next(out.start.begin(), out.start.end() - 1);
    for (std::int64_t i = 0; i < n; ++i) out.rows[next[groups[i]]++] = i;
    return true;
}

int octave(std::int64_t size) {
    int result = 0;
    while (size >>= 1) ++result;
    return result;
}

// Groups by the hash of their first row; with `large_first`, by size rounded down to a power of two before
// that: nearly as even as an exact order by size, and repeats still differ when all sizes are distinct.
std::vector<std::int32_t> order_groups(const GroupRows& groups, std::int32_t n_groups, std::uint64_t key,
                                       bool large_first) {
    struct Item {
        int octave;
        std::uint64_t hash;
        std::int32_t group;
    };
    std::vector<Item> items;
    items.reserve(static_cast<std::size_t>(n_groups));
    for (std::int32_t g = 0; g < n_groups; ++g) {
        items.push_back({large_first ? octave(groups.size(g)) : 0,
                         absorb(key, static_cast<std::uint64_t>(groups.first(g))), g});
    }
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return a.octave != b.octave ? a.octave > b.octave : a.hash < b.hash;
    });
    std::vector<std::int32_t> order;
    order.reserve(items.size());
    for (const Item& item : items) order.push_back(item.group);
    return order;
}

// The class counts of one group at a time; classes are listed in order of appearance inside the group.
class GroupClasses {
  public:
    GroupClasses(const std::int32_t* codes, const GroupRows& groups, const std::vector<std::int64_t>& totals)
        : codes_(codes), groups_(groups), count_(totals.size(), 0) {
        for (std::int64_t total : totals) {
            const auto t = static_cast<double>(total);
            weight_.push_back(total > 0 ? 1.0 / (t * t) : 0.0);
        }
    }
    void load(std::int32_t g) {
        for (std::int32_t k : present) count_[k] = 0;
        present.clear();
        for (std::int64_t j = groups_.start[g]; j < groups_.start[g + 1]; ++j) {
            const std::int32_t k = codes_[groups_.rows[j]];
            if (count_[k]++ == 0) present.push_back(k);
        }
    }
    double count(std::int32_t k) const { return static_cast<double>(count_[k]); }
    double weight(std::int32_t k) const { return weight_[k]; }

    std::vector<std::int32_t> present;

  private:
    const std::int32_t* codes_;
    const GroupRows& groups_;
    std::vector<std::int64_t> count_;
    std::vector<double> weight_;  // 1 / n_k^2: every class counts by its share
};

void label_group(const GroupRows& groups, std::int32_t g, std::int32_t label, std::int32_t* out) {
    for (std::int64_t j = groups.start[g]; j < groups.start[g + 1]; ++j) out[groups.rows[j]] = label;
}

}  // namespace

void row_hashes(std::uint64_t key, std::int64_t n, std::uint64_t* out) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = absorb(key, static_cast<std::uint64_t>(i));
}

bool assign_folds(const std::int32_t* codes, std::int64_t n, std::int32_t n_classes, std::uint64_t key,
                  std::int32_t n_folds, std::int32_t* out) {
    ClassCounts classes;
    if (!count_classes(codes, n, n_classes, key, classes)) return false;
    // Part p of a class goes to fold (offset + p) mod F and the longer parts come first; each class starts
    // where the extra rows of the class before it ended, so the extra rows are dealt round robin.
    std::vector<std::int64_t> offset(classes.count.size(), 0);
    std::int64_t dealt = 0;
    for (std::int32_t k : classes.order) {
        offset[k] = dealt % n_folds;
        dealt += classes.count[k] % n_folds;
    }
    const auto label = [&](std::int32_t k, std::int64_t rank) {
        const std::int64_t quotient = classes.count[k] / n_folds;
        const std::int64_t remainder = classes.count[k] % n_folds;
        const std::int64_t in_long = remainder * (quotient + 1);
        const std::int64_t part =
            rank < in_long ? rank / (quotient + 1) : remainder + (rank - in_long) / quotient;
        return static_cast<std::int32_t>((offset[k] + part) % n_folds);
    };
    label_by_rank(codes, n, classes, key, label, out);
    return true;
}

bool assign_test(const std::int32_t* codes, std::int64_t n, std::int32_t n_classes, std::uint64_t key,
                 std::int64_t n_test, std::int32_t* out) {
    ClassCounts classes;
    if (!count_classes(codes, n, n_classes, key, classes)) return false;
    // Largest remainders: whole shares first, then one row each to the largest fractions; equal fractions are
    // ordered by hash, so that no class is favoured in every repeat.
    std::vector<std::int64_t> quota(classes.count.size(), 0);
    std::int64_t left = n_test;
    for (std::int32_t k : classes.order) {
        quota[k] = classes.count[k] * n_test / n;
        left -= quota[k];
    }
    const auto fraction = [&](std::int32_t k) { return classes.count[k] * n_test % n; };
    std::stable_sort(classes.order.begin(), classes.order.end(),
                     [&](std::int32_t a, std::int32_t b) { return fraction(a) > fraction(b); });
    for (std::int64_t j = 0; j < left; ++j) ++quota[classes.order[j]];
    const auto label = [&](std::int32_t k, std::int64_t rank) { return rank < quota[k] ? 0 : -1; };
    label_by_rank(codes, n, classes, key, label, out);
    return true;
}

bool assign_group_folds(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n,
                        std::int32_t n_classes, std::int32_t n_groups, std::uint64_t key,
                        std::int32_t n_folds, std::int32_t* out) {
    ClassCounts classes;
    GroupRows rows;
    if (!count_classes(codes, n, n_classes, key, classes) || !gather_groups(groups, n, n_groups, rows))
        return false;
    GroupClasses group(codes, rows, classes.count);
    const double total_weight = 1.0 / (static_cast<double>(n) * static_cast<double>(n));
    std::vector<double> in_fold(static_cast<std::size_t>(n_folds) * n_classes, 0.0);
    std::vector<double> fold_size(static_cast<std::size_t>(n_folds), 0.0);
    for (std::int32_t g : order_groups(rows, n_groups, key, true)) {
        group.load(g);
        const auto size = static_cast<double>(rows.size(g));
        std::int32_t best = 0;
        double best_cost = 0.0;
        // The growth of sum_f sum_k share(f, k)^2, plus the same for whole folds, less what all folds have in
        // common. An empty fold costs nothing and any other something, so empty folds are filled first.
        for (std::int32_t f = 0; f < n_folds; ++f) {
            const double* counts = in_fold.data() + static_cast<std::size_t>(f) * n_classes;
            double cost = fold_size[f] * size * total_weight;
            for (std::int32_t k : group.present) cost += counts[k] * group.count(k) * group.weight(k);
            if (f == 0 || cost < best_cost) {
                best = f;
                best_cost = cost;
            }
        }
        double* counts = in_fold.data() + static_cast<std::size_t>(best) * n_classes;
        for (std::int32_t k : group.present) counts[k] += group.count(k);
        fold_size[best] += size;
        label_group(rows, g, best, out);
    }
    return true;
}

bool assign_group_test(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n,
                       std::int32_t n_classes, std::int32_t n_groups, std::uint64_t key, std::int64_t n_test,
                       std::int32_t* out) {
    ClassCounts classes;
    GroupRows rows;
    if (!count_classes(codes, n, n_classes, key, classes) || !gather_groups(groups, n, n_groups, rows))
        return false;
    GroupClasses group(codes, rows, classes.count);
    const double total_weight = 1.0 / (static_cast<double>(n) * static_cast<double>(n));
    const double share = static_cast<double>(n_test) / static_cast<double>(n);
    std::vector<double> excess(static_cast<std::size_t>(n_classes));  // tested rows less wanted rows
    for (std::int32_t k = 0; k < n_classes; ++k) excess[k] = -share * static_cast<double>(classes.count[k]);
    double total_excess = -static_cast<double>(n_test);

    std::fill(out, out + n, -1);
    std::int32_t taken = 0;
    std::int32_t least = -1;
    double least_change = 0.0;
    for (std::int32_t g : order_groups(rows, n_groups, key, false)) {
        group.load(g);
        const auto size = static_cast<double>(rows.size(g));
        // How the squared deviation from the wanted shares changes if the group is tested.
        double change = (2.0 * total_excess + size) * size * total_weight;
        for (std::int32_t k : group.present)
            change += (2.0 * excess[k] + group.count(k)) * group.count(k) * group.weight(k);
        if (least < 0 || change < least_change) {
            least = g;
            least_change = change;
        }
        if (change >= 0.0 || taken == n_groups - 1) continue;
        for (std::int32_t k : group.present) excess[k] += group.count(k);
        total_excess += size;
        label_group(rows, g, 0, out);
        ++taken;
    }
    if (taken == 0) label_group(rows, least, 0, out);
    return true;
}

void bootstrap_counts(std::uint64_t key, std::int64_t first, std::int64_t n_replicates, std::int64_t n,
                      int threads, std::uint16_t* out) {
    const auto size = static_cast<std::uint64_t>(n);
    parallel_for(n_replicates, threads, [&](std::int64_t b, int) {
        const std::uint64_t replicate = absorb(key, static_cast<std::uint64_t>(first + b));
        std::uint16_t* counts = out + b * n;
        std::fill(counts, counts + n, std::uint16_t{0});
        for (std::uint64_t draw = 0; draw < size; ++draw) {
            const std::uint64_t hash = absorb(replicate, draw);
            // floor(hash * n / 2^64) in two halves, exact for n < 2^32.
            ++counts[((hash >> 32) * size + (((hash & 0xFFFFFFFFULL) * size) >> 32)) >> 32];
        }
    });
}

}  // namespace assay
