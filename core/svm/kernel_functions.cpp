#include "svm/kernel_functions.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/index.hpp"
#include "base/threads.hpp"
#include "network/simd.hpp"
#include "svm/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kTileRows = 48, kTileColumns = 1024;  // of kernel values, made in one go
constexpr std::int64_t kChunk = std::int64_t{1} << 25;       // bytes of rows that are asked for together
constexpr std::int64_t kTurn = std::int64_t{1} << 30;        // multiplications between two looks at the clock
constexpr std::int64_t kMapCost = 16;                        // of a kernel's map, in multiplications
constexpr std::int64_t kNarrow =
    96;  // columns up to which our own products beat BLAS, which packs every tile

// Products of a tile's rows become kernel values, in place.
template <class T>
void map_row(const KernelMap<T>& map, T self, const T* squares, std::int64_t count, T* row) {
    const T gamma = static_cast<T>(map.gamma), coef0 = static_cast<T>(map.coef0);
    if (map.kind == Kernel::gaussian) kernel_loops_of<T>().gaussians(row, self, squares, -gamma, count, row);
    if (map.kind == Kernel::polynomial)
        for (std::int64_t c = 0; c < count; ++c) {
            const T base = gamma * row[c] + coef0;
            T power = 1;
            for (int d = 0; d < map.degree; ++d) power *= base;
            row[c] = power;
        }
    if (map.kind == Kernel::sigmoid) {
        T shift[kTileColumns];
        for (std::int64_t c = 0; c < count; ++c) row[c] *= gamma, shift[c] = coef0;
        layer_loops_of<T>().activate(Unit::tanh, 1, count, shift, row);
    }
}

// out[r * kTileColumns + c] = k(rows[r], right first + c).
template <class T>
void tile(const KernelMap<T>& map, const T* rows, const T* squares, std::int64_t count,
          const Points<T>& right, std::int64_t first, std::int64_t columns, T* out) {
    if (!right.panels.empty()) {
        const std::int64_t lanes = kPanelBytes / static_cast<std::int64_t>(sizeof(T));
        kernel_loops_of<T>().products(rows, count, right.panels.data() + first * right.width,
                                      (columns + lanes - 1) / lanes, right.width, kTileColumns, out);
    } else {
        char t = 'T', n = 'N';
        int m = static_cast<int>(columns), k = static_cast<int>(count), d = static_cast<int>(right.width),
            ld = std::max(1, d), ldc = static_cast<int>(kTileColumns);
        T one = 1, zero = 0;
        map.product(&t, &n, &m, &k, &d, &one, const_cast<T*>(right.x + first * right.width), &ld,
                    const_cast<T*>(rows), &ld, &zero, out, &ldc);
    }
    for (std::int64_t r = 0; r < count; ++r)
        map_row(map, squares[r], right.squares.data() + first, columns, out + r * kTileColumns);
}

// Every item in turns, each short enough that a signal is answered after it.
template <class Work>
void in_turns(std::int64_t items, std::int64_t cost, int threads, InterruptCheck& pause, const Work& work) {
    const std::int64_t turn =
        std::max<std::int64_t>(std::max(1, threads), kTurn / std::max<std::int64_t>(1, cost));
    for (std::int64_t first = 0; first < items; first += turn) {
        const std::int64_t some = std::min(turn, items - first);
        parallel_for(some, threads, [&](std::int64_t item, int worker) { work(first + item, worker); });
        pause.after(some * cost);
    }
}

std::int64_t tiles(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }

// Memory for so many numbers, its pages made all at once: made one by one, at the first write to each, they
// cost nearly as much as the values, and large ones cost more than that until the system has gathered them.
template <class T>
T* left_as_it_is(std::int64_t numbers) {
    constexpr std::size_t kPage = std::size_t{1} << 12;
    const std::size_t bytes = (static_cast<std::size_t>(numbers) * sizeof(T) + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, bytes);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_POPULATE_WRITE
    madvise(memory, bytes, MADV_POPULATE_WRITE);  // where the system cannot, pages come one by one
#endif
    return static_cast<T*>(memory);
}

template <class T>
bool finite(const T* values, std::int64_t count) {
    T sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += values[i] * T(0);  // NaN where one is not finite
    return sum == T(0);
}

}  // namespace

template <class T>
Points<T>::Points(const T* at, std::int64_t points, std::int64_t columns, bool compared)
    : x(at), count(points), width(columns), squares(points) {
    for (std::int64_t r = 0; r < count; ++r) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < width; ++j) sum += double(x[r * width + j]) * x[r * width + j];
        squares[r] = static_cast<T>(sum);
    }
    if (!compared || width > kNarrow) return;
    const std::int64_t lanes = kPanelBytes / static_cast<std::int64_t>(sizeof(T));
    panels.assign(static_cast<std::size_t>(tiles(count, lanes) * lanes * width), T(0));
    for (std::int64_t r = 0; r < count; ++r)
        for (std::int64_t j = 0; j < width; ++j)
            panels[(r / lanes * width + j) * lanes + r % lanes] = x[r * width + j];
}

template <class T>
void kernel_block(const KernelMap<T>& map, const Points<T>& left, const Points<T>& right, int threads,
                  InterruptCheck& pause, T* out) {
    const std::int64_t wide = tiles(right.count, kTileColumns);
    std::vector<std::vector<T>> room(std::max(1, threads));
    const std::int64_t cost = kTileRows * kTileColumns * (right.width + kMapCost);
    in_turns(tiles(left.count, kTileRows) * wide, cost, threads, pause, [&](std::int64_t item, int worker) {
        auto& values = room[worker];
        values.resize(kTileRows * kTileColumns);
        const std::int64_t first = item / wide * kTileRows, rows = std::min(kTileRows, left.count - first),
                           c = item % wide * kTileColumns, columns = std::min(kTileColumns, right.count - c);
        tile(map, left.x + first * left.width, left.squares.data() + first, rows, right, c, columns,
             values.data());
        for (std::int64_t r = 0; r < rows; ++r)
            std::copy_n(values.data() + r * kTileColumns, columns, out + (first + r) * right.count + c);
    });
}

template <class T>
void kernel_sums(const KernelMap<T>& map, const Points<T>& points, const Points<T>& vectors,
                 const double* factor, std::int64_t count, int threads, InterruptCheck& pause, double* out) {
    const int workers = std::max(1, threads);
    std::vector<std::vector<T>> room(workers);
    const std::int64_t cost = kTileRows * vectors.count * (vectors.width + kMapCost + count);
    in_turns(tiles(points.count, kTileRows), cost, workers, pause, [&](std::int64_t item, int worker) {
        auto& values = room[worker];
        values.resize(kTileRows * kTileColumns);
        const std::int64_t first = item * kTileRows, rows = std::min(kTileRows, points.count - first);
        std::fill(out + first * count, out + (first + rows) * count, 0.0);
        for (std::int64_t c = 0; c < vectors.count; c += kTileColumns) {
            const std::int64_t columns = std::min(kTileColumns, vectors.count - c);
            tile(map, points.x + first * points.width, points.squares.data() + first, rows, vectors, c,
                 columns, values.data());
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t p = 0; p < count; ++p)
                    out[(first + r) * count + p] += kernel_loops_of<T>().product(
                        values.data() + r * kTileColumns, factor + p * vectors.count + c, columns);
        }
    });
}

template <class T>
KernelRows<T>::KernelRows(const KernelMap<T>& map, const Points<T>& points, std::int64_t most, int threads)
    : map_(map),
      points_(points),
      most_(std::min(std::max<std::int64_t>(4, most), points.count)),
      threads_(threads),
      a_chunk_(std::max<std::int64_t>(1, std::min(most_, kChunk / static_cast<std::int64_t>(sizeof(T)) /
                                                             std::max<std::int64_t>(1, points.count)))),
      slot_of_(points.count, -1) {}

template <class T>
bool KernelRows<T>::fetch(const std::int64_t* wanted, std::int64_t count, InterruptCheck& pause,
                          const T** rows) {
    ++round_;
    oldest_.clear();
    std::vector<std::int64_t> missing;
    for (std::int64_t k = 0; k < count; ++k) {
        if (slot_of_[wanted[k]] < 0)
            missing.push_back(wanted[k]);
        else
            used_[slot_of_[wanted[k]]] = round_;
    }
    for (const std::int64_t row : missing) {
        const std::int64_t slot = free_slot();
        slot_of_[row] = slot, row_in_[slot] = row, used_[slot] = round_;
    }
    const bool sound = fill(missing, pause);
    for (std::int64_t k = 0; k < count; ++k) rows[k] = row_at(slot_of_[wanted[k]]);
    return sound;
}

// A new place, or that of the row which was not used for longest.
template <class T>
std::int64_t KernelRows<T>::free_slot() {
    const auto filled = static_cast<std::int64_t>(row_in_.size());
    if (filled < most_) {
        if (filled % a_chunk_ == 0) chunks_.emplace_back(left_as_it_is<T>(a_chunk_ * points_.count));
        row_in_.push_back(-1), used_.push_back(0);
        return filled;
    }
    if (oldest_.empty()) {
        for (std::int64_t slot = 0; slot < filled; ++slot)
            if (used_[slot] != round_) oldest_.push_back(slot);
        std::sort(oldest_.begin(), oldest_.end(), [&](std::int64_t a, std::int64_t b) {
            return used_[a] != used_[b] ? used_[a] > used_[b] : a > b;
        });
    }
    const std::int64_t slot = oldest_.back();
    oldest_.pop_back();
    slot_of_[row_in_[slot]] = -1;
    return slot;
}

template <class T>
bool KernelRows<T>::fill(const std::vector<std::int64_t>& missing, InterruptCheck& pause) {
    const auto count = static_cast<std::int64_t>(missing.size());
    const std::int64_t width = points_.width, wide = tiles(points_.count, kTileColumns);
    std::vector<T> x(static_cast<std::size_t>(count * width)), squares(missing.size());
    for (std::int64_t k = 0; k < count; ++k) {
        std::copy_n(points_.x + missing[k] * width, width, x.data() + k * width);
        squares[k] = points_.squares[missing[k]];
    }
    std::vector<std::vector<T>> room(std::max(1, threads_));
    std::atomic<bool> sound{true};
    const std::int64_t cost = kTileRows * kTileColumns * (width + kMapCost);
    in_turns(tiles(count, kTileRows) * wide, cost, threads_, pause, [&](std::int64_t item, int worker) {
        auto& values = room[worker];
        values.resize(kTileRows * kTileColumns);
        const std::int64_t first = item / wide * kTileRows, rows = std::min(kTileRows, count - first),
                           c = item % wide * kTileColumns,
                           columns = std::min(kTileColumns, points_.count - c);
        tile(map_, x.data() + first * width, squares.data() + first, rows, points_, c, columns,
             values.data());
        for (std::int64_t r = 0; r < rows; ++r) {
            if (!finite(values.data() + r * kTileColumns, columns)) sound = false;
            std::copy_n(values.data() + r * kTileColumns, columns, row_at(slot_of_[missing[first + r]]) + c);
        }
    });
    return sound;
}

template struct Points<float>;
template struct Points<double>;
template void kernel_block<float>(const KernelMap<float>&, const Points<float>&, const Points<float>&, int,
                                  InterruptCheck&, float*);
template void kernel_block<double>(const KernelMap<double>&, const Points<double>&, const Points<double>&,
                                   int, InterruptCheck&, double*);
template void kernel_sums<float>(const KernelMap<float>&, const Points<float>&, const Points<float>&,
                                 const double*, std::int64_t, int, InterruptCheck&, double*);
template void kernel_sums<double>(const KernelMap<double>&, const Points<double>&, const Points<double>&,
                                  const double*, std::int64_t, int, InterruptCheck&, double*);
template class KernelRows<float>;
template class KernelRows<double>;

}  // namespace assay
