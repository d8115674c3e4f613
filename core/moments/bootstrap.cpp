#include "moments/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "moments/packed_gram.hpp"
#include "moments/simd.hpp"
#include "simd/vector_ops.hpp"

namespace assay {
namespace {

// Replicates are taken a few at a time. Rows drawn equally often by all of these (a pattern) are summed once,
// and the sum is added to each replicate times its multiplicity: four replicates cost about as much as one
// and a half.
constexpr int kDigits = 6;  // multiplicities 0..5 make the pattern; what exceeds 5 is added row by row
constexpr int kMostJoint = 5;
constexpr std::int64_t kChunk = 256;  // rows centred at a time
constexpr std::int64_t kAhead = 16;   // rows fetched ahead

// How many replicates to take together, so that a pattern still has some rows: a multiplicity has an entropy
// of 1.3, so g replicates have about exp(1.3 g) patterns. Handing on a matrix costs as much as summing dozens
// of rows.
int joint_replicates(std::int64_t rows, std::int64_t matrices) {
    const double enough = matrices ? 64.0 * static_cast<double>(matrices) : 8.0;
    const double room = std::max(1.0, static_cast<double>(rows) / enough);
    return std::clamp(static_cast<int>(std::log(room) / 1.3), 1, kMostJoint);
}

struct Sums {
    std::vector<double> weight, rows, sum, product;  // per cell; product per matrix (packed) or per cell
};

class Job {
  public:
    Job(const Rows& table, const Cells& cells, const std::uint16_t* multiplicity, std::int64_t pool)
        : table_(table), cells_(cells), multiplicity_(multiplicity), pool_(pool), width_(table.width()) {
        matrices_ = pool ? cells.count / pool : 0;
        product_size_ = pool ? packed_gram_size(width_) : width_;
        local_.weight.resize(cells.count);
        local_.rows.resize(cells.count);
        local_.sum.resize(cells.count * width_);
        local_.product.resize(pool ? product_size_ : cells.count * width_);
        panel_.resize(pool ? kChunk * whole_lanes(width_) : 0);
        row_.resize(width_);
    }

    // Sums of replicates first..first+count-1 into out[0..count-1].
    void run(std::int64_t first, int count, std::vector<Sums>& out) {
        sort(first, count);
        for (std::int64_t begin = 0, end = 0; begin < used_; begin = end) {
            const std::int32_t key = key_[order_[begin]];
            while (end < used_ && key_[order_[end]] == key) ++end;
            for (std::int64_t at = begin; at < end; at += kChunk) add(at, std::min(kChunk, end - at), 1.0);
            std::int64_t pattern = key / std::max<std::int64_t>(1, matrices_);
            const std::int64_t matrix = matrices_ ? key % matrices_ : 0;
            for (int g = 0; g < count; ++g, pattern /= kDigits)
                if (pattern % kDigits) give(out[g], static_cast<double>(pattern % kDigits), matrix, true);
            clear();
        }
        for (int g = 0; g < count; ++g) add_excess(first + g, out[g]);
    }

    std::int64_t product_size() const { return product_size_; }

  private:
    double row_weight(std::int64_t r) const { return cells_.weight ? cells_.weight[r] : 1.0; }
    std::int64_t matrix_of(std::int64_t r) const { return pool_ ? cells_.cell[r] / pool_ : 0; }

    // Rows that count, by pattern and scatter matrix; rows drawn by none are left out.
    void sort(std::int64_t first, int count) {
        const std::int64_t rows = table_.count, groups = std::max<std::int64_t>(1, matrices_);
        std::int64_t keys = groups;
        for (int g = 0; g < count; ++g) keys *= kDigits;
        key_.assign(rows, 0);
        for (int g = count - 1; g >= 0; --g) {
            const std::uint16_t* drawn = multiplicity_ + (first + g) * rows;
            for (std::int64_t r = 0; r < rows; ++r)
                key_[r] = key_[r] * kDigits + std::min<std::int32_t>(drawn[r], kDigits - 1);
        }
        start_.assign(keys + 1, 0);
        for (std::int64_t r = 0; r < rows; ++r) {
            const bool counts = key_[r] && cells_.cell[r] >= 0 && row_weight(r) > 0.0;
            key_[r] = counts ? static_cast<std::int32_t>(key_[r] * groups + matrix_of(r)) : -1;
            if (counts) ++start_[key_[r] + 1];
        }
        for (std::int64_t k = 0; k < keys; ++k) start_[k + 1] += start_[k];
        used_ = start_[keys];
        order_.resize(used_);
        for (std::int64_t r = 0; r < rows; ++r)
            if (key_[r] >= 0) order_[start_[key_[r]]++] = static_cast<std::int32_t>(r);
    }

    const double* row(std::int64_t r) { return load_row(table_, r, row_.data()); }

    // Adds rows order_[at..at+count) to the local sums, each times `factor`.
    void add(std::int64_t at, std::int64_t count, double factor) {
        for (std::int64_t i = 0; i < count; ++i) {
            if (at + i + kAhead < static_cast<std::int64_t>(order_.size())) prefetch(order_[at + i + kAhead]);
            add_row(order_[at + i], factor, i, count);
        }
        if (pool_) add_gram(panel_.data(), count * kLanes, count, width_, local_.product.data());
    }

    // The rows of a pattern lie anywhere in the table: their addresses are known long before they are needed.
    void prefetch(std::int64_t r) const {
        if (!table_.direct()) return;
        const double* x = table_.f64 + r * table_.row_stride;
        for (std::int64_t j = 0; j < width_; j += kLanes) __builtin_prefetch(x + j);
    }

    void add_row(std::int64_t r, double factor, std::int64_t place, std::int64_t count) {
        const std::int32_t cell = cells_.cell[r];
        const double w = factor * row_weight(r);
        const double* x = row(r);
        if (!touched(cell)) cells_touched_.push_back(cell);
        local_.rows[cell] += 1.0;
        if (pool_) {
            local_.weight[cell] += w;
            moments_simd().center_row(x, cells_.center + cell * width_, width_, w, std::sqrt(w),
                                      count * kLanes, panel_.data() + place * kLanes,
                                      local_.sum.data() + cell * width_);
        } else {
            moments_simd().add_weighted_rows(x, 1, width_, &cell, &w, cells_.center, local_.weight.data(),
                                             local_.sum.data(), local_.product.data());
        }
    }

    bool touched(std::int32_t cell) const { return local_.rows[cell] > 0.0; }

    // Adds the local sums, times a multiplicity, to a replicate.
    void give(Sums& out, double times, std::int64_t matrix, bool count_rows) {
        for (const std::int32_t cell : cells_touched_) {
            out.weight[cell] += times * local_.weight[cell];
            if (count_rows) out.rows[cell] += local_.rows[cell];
            vector_ops().add_multiple(times, local_.sum.data() + cell * width_, width_,
                                      out.sum.data() + cell * width_);
            if (!pool_)
                vector_ops().add_multiple(times, local_.product.data() + cell * width_, width_,
                                          out.product.data() + cell * width_);
        }
        if (pool_)
            vector_ops().add_multiple(times, local_.product.data(), product_size_,
                                      out.product.data() + matrix * product_size_);
    }

    void clear() {
        for (const std::int32_t cell : cells_touched_) {
            local_.weight[cell] = local_.rows[cell] = 0.0;
            std::fill_n(local_.sum.data() + cell * width_, width_, 0.0);
            if (!pool_) std::fill_n(local_.product.data() + cell * width_, width_, 0.0);
        }
        if (pool_) std::fill(local_.product.begin(), local_.product.end(), 0.0);
        cells_touched_.clear();
    }

    // The part of each multiplicity above the largest digit: a handful of rows.
    void add_excess(std::int64_t replicate, Sums& out) {
        const std::uint16_t* drawn = multiplicity_ + replicate * table_.count;
        order_.resize(1);
        for (std::int64_t r = 0; r < table_.count; ++r) {
            if (drawn[r] < kDigits || cells_.cell[r] < 0 || row_weight(r) == 0.0) continue;
            order_[0] = static_cast<std::int32_t>(r);
            add(0, 1, drawn[r] - (kDigits - 1.0));
            give(out, 1.0, matrix_of(r), false);
            clear();
        }
    }

    static const double* load_row(const Rows& table, std::int64_t r, double* buffer) {
        return table.direct() ? table.f64 + r * table.row_stride : load_rows(table, &r, 0, 1, buffer);
    }

    const Rows& table_;
    const Cells& cells_;
    const std::uint16_t* multiplicity_;
    std::int64_t pool_, width_, matrices_ = 0, product_size_ = 0, used_ = 0;
    Sums local_;
    std::vector<double> panel_, row_;
    std::vector<std::int32_t> key_, order_, cells_touched_;
    std::vector<std::int64_t> start_;
};

}  // namespace

void replicate_moments(const Rows& table, const Cells& cells, const std::uint16_t* multiplicity,
                       std::int64_t replicates, std::int64_t pool, int threads, double* weight,
                       double* drawn_rows, double* sum, double* product) {
    const std::int64_t width = table.width(), matrices = pool ? cells.count / pool : 0;
    const int joint = joint_replicates(table.count, matrices);
    parallel_for((replicates + joint - 1) / joint, threads, [&](std::int64_t item, int) {
        const std::int64_t first = item * joint;
        const int count = static_cast<int>(std::min<std::int64_t>(joint, replicates - first));
        Job job(table, cells, multiplicity, pool);
        const std::int64_t products = pool ? matrices * job.product_size() : cells.count * width;
        const Sums empty{std::vector<double>(cells.count), std::vector<double>(cells.count),
                         std::vector<double>(cells.count * width), std::vector<double>(products)};
        std::vector<Sums> out(count, empty);
        job.run(first, count, out);
        for (int g = 0; g < count; ++g) {
            const std::int64_t b = first + g;
            std::copy(out[g].weight.begin(), out[g].weight.end(), weight + b * cells.count);
            std::copy(out[g].rows.begin(), out[g].rows.end(), drawn_rows + b * cells.count);
            std::copy(out[g].sum.begin(), out[g].sum.end(), sum + b * cells.count * width);
            if (!pool) std::copy(out[g].product.begin(), out[g].product.end(), product + b * products);
            for (std::int64_t m = 0; m < matrices; ++m)
                unpack_gram(out[g].product.data() + m * job.product_size(), width,
                            product + (b * matrices + m) * width * width);
        }
    });
}

}  // namespace assay
