// Drawing of folds, test parts and bootstrap samples. Every draw is a pure function of a key and a row id,
// so the result depends neither on threads nor on the order in which rows arrive.
#pragma once

#include <cstdint>

namespace assay {

// One step of SplitMix64: absorbs `value` into `state`. For a fixed state it is a bijection of `value`
// (odd multiplier, invertible finaliser), so two rows never share a hash and ranks are free of ties.
inline std::uint64_t absorb(std::uint64_t state, std::uint64_t value) {
    std::uint64_t z = state + (value + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// IN key; OUT out[n]: the hash of rows 0..n-1.
void row_hashes(std::uint64_t key, std::int64_t n, std::uint64_t* out);

// Folds by rank of the row hash within the class.
// IN codes[n] in 0..n_classes-1, n_folds >= 1; OUT out[n] in 0..n_folds-1.
// Fold sizes differ by at most one, and so do the counts of every class. False if a code is out of range.
bool assign_folds(const std::int32_t* codes, std::int64_t n, std::int32_t n_classes, std::uint64_t key,
                  std::int32_t n_folds, std::int32_t* out);

// A test part of exactly n_test rows, each class within one row of its proportional share.
// IN codes[n] in 0..n_classes-1, 0 <= n_test <= n; OUT out[n]: 0 tested, -1 trained on.
// False if a code is out of range.
bool assign_test(const std::int32_t* codes, std::int64_t n, std::int32_t n_classes, std::uint64_t key,
                 std::int64_t n_test, std::int32_t* out);

// Whole groups to folds: large groups first, each to the fold that keeps sizes and class shares most even.
// IN codes[n], groups[n] in 0..n_groups-1, every group with at least one row; OUT out[n] in 0..n_folds-1.
// With n_groups >= n_folds no fold stays empty. False if a code or group is out of range.
bool assign_group_folds(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n,
                        std::int32_t n_classes, std::int32_t n_groups, std::uint64_t key,
                        std::int32_t n_folds, std::int32_t* out);

// Whole groups to one test part of about n_test rows; at least one group on either side (n_groups >= 2).
// OUT out[n]: 0 tested, -1 trained on. False if a code or group is out of range.
bool assign_group_test(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n,
                       std::int32_t n_classes, std::int32_t n_groups, std::uint64_t key, std::int64_t n_test,
                       std::int32_t* out);

// An order whose every beginning holds the classes in proportion, the first row of each class at once; the
// rows of a class come from one group after the other (groups null: as they are). Of equals, earlier rows
// come first. IN codes[n] in 0..n_classes-1, groups[n] in 0..n_groups-1; OUT out[n]: numbers of rows. False
// if a code or group is out of range.
bool proportional_order(const std::int32_t* codes, const std::int32_t* groups, std::int64_t n,
                        std::int32_t n_classes, std::int32_t n_groups, std::int64_t* out);

// How often each of n rows is drawn in replicates first..first+n_replicates-1, n draws with replacement each.
// IN key, first >= 0, 1 <= n < 2^32; OUT out[n_replicates * n], row-major.
void bootstrap_counts(std::uint64_t key, std::int64_t first, std::int64_t n_replicates, std::int64_t n,
                      int threads, std::uint16_t* out);

}  // namespace assay
