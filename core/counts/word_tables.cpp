#include "counts/word_tables.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.hpp"
#include "counts/simd.hpp"
#include "simd/vector_ops.hpp"

namespace assay {
namespace {

constexpr std::int64_t kWords = 4096;   // words a thread takes at a time
constexpr std::int64_t kRows = 128;     // rows a thread takes at a time
constexpr int kAhead = 16;              // entries whose words are asked for before they are needed
constexpr std::int64_t kNear = 8;       // doubles of a cache line
constexpr std::int64_t kTogether = 16;  // differences whose product is taken before its logarithm

std::int64_t parts(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }

// Sums of one part of the words: a product of up to sixteen differences stays within the range of a double
// and costs one logarithm.
void sum_part(const WordTable& table, const std::uint8_t* chosen, const double* base, std::int64_t begin,
              std::int64_t end, double* product, double* totals, double* logs) {
    const std::int64_t classes = table.classes;
    std::int64_t held = 0;
    const auto take_logs = [&] {
        for (std::int64_t k = 0; k < classes; ++k) {
            logs[k] += std::log(product[k]);
            product[k] = 1.0;
        }
        held = 0;
    };
    std::fill_n(product, classes, 1.0);
    for (std::int64_t word = begin; word < end; ++word) {
        if (!chosen[word]) continue;
        const double* line = table.counts + word * classes;
        for (std::int64_t k = 0; k < classes; ++k) totals[k] += line[k];
        if (!base) continue;
        for (std::int64_t k = 0; k < classes; ++k) product[k] *= base[k] - line[k];
        if (++held == kTogether) take_logs();
    }
    if (held) take_logs();
}

}  // namespace

template <class Index>
void add_rows(const Compressed<Index>& matrix, const std::int64_t* rows, std::int64_t count,
              const std::int32_t* code, const double* weight, double factor, std::int64_t classes,
              double* table) {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t r = rows[i];
        if (code[r] < 0) continue;
        const double times = weight ? factor * weight[r] : factor;
        double* column = table + code[r];
        const auto at = [&](Index e) {
            return column + static_cast<std::int64_t>(matrix.column[e]) * classes;
        };
        for (Index e = matrix.first[r]; e < matrix.first[r + 1]; ++e) {
            if (matrix.first[r + 1] - e > kAhead) __builtin_prefetch(at(e + kAhead), 1);
            *at(e) += times * matrix.value[e];
        }
    }
}

void vocabulary_sums(const WordTable& table, const std::uint8_t* chosen, const double* base, int threads,
                     double* totals, double* logs) {
    const std::int64_t classes = table.classes, count = parts(table.words, kWords);
    std::vector<double> room(static_cast<std::size_t>(3 * count * classes), 0.0);
    parallel_for(count, threads, [&](std::int64_t part, int) {
        double* own = room.data() + 3 * part * classes;
        const std::int64_t begin = part * kWords, end = std::min(begin + kWords, table.words);
        sum_part(table, chosen, base, begin, end, own, own + classes, own + 2 * classes);
    });
    std::fill_n(totals, classes, 0.0);
    std::fill_n(logs, classes, 0.0);
    for (std::int64_t part = 0; part < count; ++part)
        for (std::int64_t k = 0; k < classes; ++k) {
            totals[k] += room[(3 * part + 1) * classes + k];
            logs[k] += room[(3 * part + 2) * classes + k];
        }
}

void word_logs(const WordTable& table, const std::int64_t* words, std::int64_t count, const double* base,
               double sign, bool others, std::int64_t stride, int threads, double* out) {
    const std::int64_t classes = table.classes;
    parallel_for(parts(count, kWords), threads, [&](std::int64_t part, int) {
        const std::int64_t begin = part * kWords, end = std::min(begin + kWords, count);
        for (std::int64_t i = begin; i < end; ++i) {
            const double* line = table.counts + words[i] * classes;
            double* to = out + i * stride;
            double all = 0.0;
            if (others)
                for (std::int64_t k = 0; k < classes; ++k) all += line[k];
            for (std::int64_t k = 0; k < classes; ++k)
                to[k] = base[k] + sign * (others ? all - line[k] : line[k]);
            std::fill(to + classes, to + stride, 1.0);
        }
        vector_ops().log_all(out + begin * stride, (end - begin) * stride, out + begin * stride);
    });
}

template <class Index>
void word_scores(const Compressed<Index>& matrix, const std::int64_t* rows, std::int64_t count,
                 const std::int32_t* place, const double* weights, std::int64_t stride, const double* bias,
                 std::int64_t classes, int threads, double* out) {
    parallel_for(parts(count, kRows), threads, [&](std::int64_t part, int) {
        const std::int64_t begin = part * kRows, end = std::min(begin + kRows, count);
        std::vector<double> sum(static_cast<std::size_t>(stride)), value;
        std::vector<std::int32_t> line;
        for (std::int64_t i = begin; i < end; ++i) {
            line.clear();
            value.clear();
            for (Index e = matrix.first[rows[i]]; e < matrix.first[rows[i] + 1]; ++e) {
                const std::int32_t at = place[matrix.column[e]];
                if (at < 0) continue;
                for (std::int64_t k = 0; k < stride; k += kNear)
                    __builtin_prefetch(weights + at * stride + k);
                line.push_back(at);
                value.push_back(matrix.value[e]);
            }
            counts_simd().add_lines(line.data(), value.data(), static_cast<std::int64_t>(line.size()),
                                    weights, stride, sum.data());
            for (std::int64_t k = 0; k < classes; ++k) out[i * classes + k] = bias[k] + sum[k];
        }
    });
}

#define ASSAY_WORDS(Index)                                                                                   \
    template void add_rows(const Compressed<Index>&, const std::int64_t*, std::int64_t, const std::int32_t*, \
                           const double*, double, std::int64_t, double*);                                    \
    template void word_scores(const Compressed<Index>&, const std::int64_t*, std::int64_t,                   \
                              const std::int32_t*, const double*, std::int64_t, const double*, std::int64_t, \
                              int, double*);
ASSAY_WORDS(std::int32_t)
ASSAY_WORDS(std::int64_t)
#undef ASSAY_WORDS

}  // namespace assay
