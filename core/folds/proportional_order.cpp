// An order whose every beginning holds the classes in proportion, and the groups of a class in turn.
#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "folds/folds.hpp"

namespace assay {
namespace {

// Rows of each class, those of the first turn before those of the second, each in their order: `first` has
// one entry more than there are classes.
struct Queues {
    std::vector<std::int64_t> rows, first;
};

bool in_range(const std::int32_t* values, std::int64_t n, std::int32_t end) {
    return std::all_of(values, values + n, [&](std::int32_t v) { return v >= 0 && v < end; });
}

Queues line_up(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n, std::int32_t n_classes,
               std::int32_t n_groups) {
    Queues out{std::vector<std::int64_t>(n), std::vector<std::int64_t>(n_classes + 1, 0)};
    std::vector<std::int64_t> seen(static_cast<std::size_t>(n_classes) * n_groups, 0), turn(n);
    std::vector<std::int64_t> turns(n_classes, 0);
    for (std::int64_t i = 0; i < n; ++i) {
        turn[i] = seen[static_cast<std::int64_t>(codes[i]) * n_groups + (groups ? groups[i] : 0)]++;
        turns[codes[i]] = std::max(turns[codes[i]], turn[i] + 1);
        ++out.first[codes[i] + 1];
    }
    for (std::int32_t k = 0; k < n_classes; ++k) out.first[k + 1] += out.first[k];
    // Without groups every row is a turn of its own; a class has no more turns than rows.
    std::vector<std::int64_t> next(n + 1, 0);
    for (std::int64_t i = 0; i < n; ++i) ++next[out.first[codes[i]] + turn[i]];
    for (std::int32_t k = 0; k < n_classes; ++k) {
        std::int64_t place = out.first[k];
        for (std::int64_t t = out.first[k]; t < out.first[k] + turns[k]; ++t) {
            const std::int64_t count = next[t];
            next[t] = place;
            place += count;
        }
    }
    for (std::int64_t i = 0; i < n; ++i) out.rows[next[out.first[codes[i]] + turn[i]]++] = i;
    return out;
}

}  // namespace

bool proportional_order(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n,
                        std::int32_t n_classes, std::int32_t n_groups, std::int64_t* out) {
    if (!in_range(codes, n, n_classes) || (groups && !in_range(groups, n, n_groups))) return false;
    const Queues queues = line_up(codes, groups, n, n_classes, groups ? n_groups : 1);
    std::vector<std::int64_t> taken(n_classes, 0);
    const auto size = [&](std::int32_t k) { return queues.first[k + 1] - queues.first[k]; };
    const auto head = [&](std::int32_t k) { return queues.rows[queues.first[k] + taken[k]]; };
    // Whether class a comes after class b: by the share that was taken of it, then by the place of its next
    // row.
    const auto after = [&](std::int32_t a, std::int32_t b) {
        const std::int64_t left = taken[a] * size(b), right = taken[b] * size(a);
        return left != right ? left > right : head(a) > head(b);
    };
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, decltype(after)> waiting(after);
    for (std::int32_t k = 0; k < n_classes; ++k)
        if (size(k) > 0) waiting.push(k);
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int32_t k = waiting.top();
        waiting.pop();
        out[i] = head(k);
        if (++taken[k] < size(k)) waiting.push(k);
    }
    return true;
}

}  // namespace assay
