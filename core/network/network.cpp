#include "network/network.hpp"

#include <algorithm>
#include <cmath>

#include "base/threads.hpp"
#include "network/backprop.hpp"
#include "network/simd.hpp"

namespace assay {
namespace {

constexpr std::int64_t kPieceRows = 100, kMostPieces = 8;
constexpr std::int64_t kRange = 1024;      // parameters of one step: they stay in the first-level cache
constexpr std::int64_t kWorth = 1 << 20;   // multiplications of a batch from which it is worth two threads
constexpr std::int64_t kScoredRows = 256;  // rows scored at a time
constexpr double kFirst = 0.9, kSecond = 0.999, kSmall = 1e-8;  // Adam's own

// Step number t of a rule. Adam's p -= rate m' / (sqrt(s') + small) has m' = m (1 - b) / (1 - b^t), and s'
// alike: sqrt(s') = root sqrt(s).
template <class T>
Step<T> step_number(const Descent<T>& descent, std::int64_t t) {
    if (descent.rule != Rule::adam)
        return {descent.rule, T(descent.rate), T(descent.momentum), T(0), T(0), T(descent.l2)};
    const double at = static_cast<double>(t),
                 root = std::sqrt((1.0 - kSecond) / (1.0 - std::pow(kSecond, at)));
    const double rate = descent.rate * (1.0 - kFirst) / (1.0 - std::pow(kFirst, at)) / root;
    return {descent.rule, T(rate), T(kFirst), T(kSecond), T(kSmall / root), T(descent.l2)};
}

// Adds the gradients of all pieces and makes the step, for parameters begin .. end.
template <class T>
void step_range(const Network<T>& network, const Descent<T>& descent, Step<T> step,
                std::vector<Piece<T>>& pieces, std::int64_t used, std::int64_t begin, std::int64_t end) {
    const std::int64_t size = network.size(), weights = network.weights_before(network.layers());
    T* gradient = pieces[0].gradient() + begin;
    for (std::int64_t p = 1; p < used; ++p)
        layer_loops_of<T>().add_all(pieces[p].gradient() + begin, end - begin, gradient);
    const auto make = [&](std::int64_t from, std::int64_t to) {
        T* first = descent.rule == Rule::sgd ? nullptr : descent.state + from;
        T* second = descent.rule == Rule::adam ? descent.state + size + from : nullptr;
        if (from < to)
            layer_loops_of<T>().make_step(step, to - from, network.parameters + from,
                                          gradient + (from - begin), first, second);
    };
    make(begin, std::min(end, weights));
    step.l2 = 0;  // biases are free
    make(std::max(begin, weights), end);
}

// By the batch alone, not by the threads.
std::int64_t piece_count(std::int64_t rows, std::int64_t size) {
    return rows * size < kWorth ? 1 : std::clamp<std::int64_t>(rows / kPieceRows, 1, kMostPieces);
}

}  // namespace

template <class T>
std::int64_t Network<T>::weights_before(std::int64_t layer) const {
    std::int64_t sum = 0;
    for (std::int64_t l = 0; l < layer; ++l) sum += widths[l] * widths[l + 1];
    return sum;
}

template <class T>
std::int64_t Network<T>::biases_before(std::int64_t layer) const {
    std::int64_t sum = weights_before(layers());
    for (std::int64_t l = 0; l < layer; ++l) sum += widths[l + 1];
    return sum;
}

template <class T>
double network_epoch(const Network<T>& network, const Examples<T>& examples, Surrogate surrogate,
                     const Descent<T>& descent, InterruptCheck& pause, int threads) {
    const std::int64_t size = network.size(), ranges = (size + kRange - 1) / kRange;
    std::int64_t longest = 0, most = 0;  // rows of a batch, of a piece
    for (std::int64_t b = 0; b < examples.batches; ++b) {
        const std::int64_t rows = examples.ends[b + 1] - examples.ends[b], count = piece_count(rows, size);
        longest = std::max(longest, rows), most = std::max(most, (rows + count - 1) / count);
    }
    std::vector<Piece<T>> pieces;
    for (std::int64_t p = 0; p < piece_count(longest, size); ++p)
        pieces.emplace_back(network, most, examples.filled == nullptr, surrogate);
    std::vector<double> lost(pieces.size());
    ThreadPool pool(longest * size < kWorth ? 1 : std::min<int>(threads, static_cast<int>(pieces.size())));
    double total = 0;
    for (std::int64_t b = 0; b < examples.batches; ++b) {
        const std::int64_t begin = examples.ends[b], rows = examples.ends[b + 1] - begin,
                           count = piece_count(rows, size);
        pool.run(count, [&](std::int64_t p, int) {
            const std::int64_t from = p * rows / count, to = (p + 1) * rows / count;
            lost[p] = pieces[p].learn(examples, begin + from, begin + to, rows);
        });
        const Step<T> step = step_number(descent, descent.steps + b + 1);
        pool.run(ranges, [&](std::int64_t r, int) {
            step_range(network, descent, step, pieces, count, r * kRange, std::min(size, (r + 1) * kRange));
        });
        double sum = 0;
        for (std::int64_t p = 0; p < count; ++p) sum += lost[p];
        total += sum;
        pause.after(rows * size);
    }
    return total;
}

namespace {

// `scored` gives the scores of some rows, from one on, as a piece finds them.
template <class T, class Scored>
void scores_of_blocks(const Network<T>& network, std::int64_t count, int threads, T* out, Scored scored) {
    const std::int64_t classes = network.widths.back(), blocks = (count + kScoredRows - 1) / kScoredRows;
    parallel_for(blocks, threads, [&](std::int64_t block, int) {
        const std::int64_t begin = block * kScoredRows, some = std::min(kScoredRows, count - begin);
        Piece<T> piece(network, some);
        const T* scores = scored(piece, begin, some);
        std::copy(scores, scores + some * classes, out + begin * classes);
    });
}

}  // namespace

template <class T>
void network_scores(const Network<T>& network, const T* rows, std::int64_t count, int threads, T* out) {
    scores_of_blocks(network, count, count * network.size() < kWorth ? 1 : threads, out,
                     [&](Piece<T>& piece, std::int64_t begin, std::int64_t some) {
                         // BLAS takes no pointers to const, but only reads its factors.
                         return piece.forward(const_cast<T*>(rows) + begin * network.widths[0], some);
                     });
}

template <class T>
void network_scores(const Network<T>& network, const OffsetCsr<T>& filled, const std::int64_t* which,
                    std::int64_t count, int threads, T* out) {
    const std::int64_t entries = filled.first.back() / std::max<std::int64_t>(1, filled.rows()),
                       work = count * (network.size() - (filled.width - entries) * network.widths[1]);
    scores_of_blocks(network, count, work < 4 * kWorth ? 1 : threads, out,
                     [&](Piece<T>& piece, std::int64_t begin, std::int64_t some) {
                         return piece.forward(filled, which + begin, some);
                     });
}

#define ASSAY_NETWORK(T)                                                                                    \
    template std::int64_t Network<T>::weights_before(std::int64_t) const;                                   \
    template std::int64_t Network<T>::biases_before(std::int64_t) const;                                    \
    template double network_epoch(const Network<T>&, const Examples<T>&, Surrogate, const Descent<T>&,      \
                                  InterruptCheck&, int);                                                    \
    template void network_scores(const Network<T>&, const T*, std::int64_t, int, T*);                       \
    template void network_scores(const Network<T>&, const OffsetCsr<T>&, const std::int64_t*, std::int64_t, \
                                 int, T*);
ASSAY_NETWORK(float)
ASSAY_NETWORK(double)

}  // namespace assay
