// Rows of a grid of settings as its vector loops read them, and what is still to be found out about each of
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

namespace assay {

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

// Rows in groups of `wide`, at most 64, which are the bits of a number.
struct GridRows {
    std::int64_t count = 0, groups = 0, wide = 1;
    Lines<float> rows, lengths;       // groups x width x wide; groups x wide
    Lines<float> values, doubts;      // what the vector loops found
    std::vector<std::uint64_t> open;  // settings x groups: verdicts not found
    std::vector<std::uint64_t> any;   // groups: rows that are open under some setting

    void resize(std::int64_t rows_count, std::int64_t width, std::int64_t across) {
        count = rows_count, wide = across, groups = (count + wide - 1) / wide;
        lengths.resize(groups * wide);
        rows.assign(groups * width * wide, 0.0f);
    }

    // Number d of row r is at first(r, width)[d * wide].
    float* first(std::int64_t r, std::int64_t width) {
        return rows.data() + r / wide * width * wide + r % wide;
    }

    // The rows of a group, as bits.
    std::uint64_t there(std::int64_t g) const {
        const std::int64_t rest = std::min(wide, count - g * wide);
        return rest == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }

    // The rows that are open under some setting, in order.
    void list_open(std::vector<std::int64_t>& out) const {
        out.clear();
        for (std::int64_t g = 0; g < groups; ++g)
            for (std::uint64_t bits = any[g]; bits; bits &= bits - 1)
                out.push_back(g * wide + __builtin_ctzll(bits));
    }

    bool is_open(std::int64_t r, std::int64_t setting) const {
        return open[setting * groups + r / wide] >> (r % wide) & 1;
    }
};

}  // namespace assay
