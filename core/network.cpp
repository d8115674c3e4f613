#include "network.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"
#include "team.hpp"

namespace assay {
namespace {

constexpr std::int64_t kPieceRows = 100, kMostPieces = 8;
constexpr std::int64_t kRange = 1024;      // parameters of one step: they stay in the first-level cache
constexpr std::int64_t kWorth = 1 << 20;   // multiplications of a batch from which it is worth two threads
constexpr std::int64_t kScoredRows = 256;  // rows scored at a time
constexpr std::int64_t kAhead = 4;  // rows by which entries, shuffled, are fetched before they are used
constexpr double kFirst = 0.9, kSecond = 0.999, kSmall = 1e-8;  // Adam's own

// out (rows x columns) = left right, of matrices whose rows lie one after another; either may be transposed.
// Read by columns, as BLAS does, they are their own transposes: out' = right' left'.
template <class T>
void multiply(const Network<T>& network, T* left, bool left_turned, T* right, bool right_turned,
              std::int64_t rows, std::int64_t inner, std::int64_t columns, T* out) {
    char first = right_turned ? 'T' : 'N', second = left_turned ? 'T' : 'N';
    int m = static_cast<int>(columns), n = static_cast<int>(rows), k = static_cast<int>(inner);
    int right_stride = std::max(1, right_turned ? k : m), left_stride = std::max(1, left_turned ? n : k),
        out_stride = std::max(1, m);
    T one = 1, zero = 0;
    if (n > 0)
        network.product(&first, &second, &m, &n, &k, &one, right, &right_stride, left, &left_stride, &zero,
                        out, &out_stride);
}

template <class T>
void read_row(const Standard& source, std::int64_t row, T* out) {
    const std::int64_t start = row * source.table.row_stride;
    if (source.table.f64)
        read_numbers(source, source.table.f64 + start, out);
    else
        read_numbers(source, source.table.f32 + start, out);
}

// The scores of a row become the slopes of its loss, times a factor; the loss is returned. With posteriors y
// and targets t the slopes are y_k - t_k (cross-entropy) or y_k [(y_k - t_k) - sum_j (y_j - t_j) y_j].
template <class T>
double output_slopes(Surrogate surrogate, std::int64_t classes, std::int32_t code, double factor, T* scores,
                     double* y) {
    const double most = *std::max_element(scores, scores + classes), own = scores[code] - most;
    double total = 0, loss = 0, inner = 0;
    for (std::int64_t k = 0; k < classes; ++k) total += y[k] = std::exp(scores[k] - most);
    for (std::int64_t k = 0; k < classes; ++k) y[k] /= total;
    if (surrogate == Surrogate::cross_entropy) {
        for (std::int64_t k = 0; k < classes; ++k) scores[k] = static_cast<T>(factor * (y[k] - (k == code)));
        return std::log(total) - own;
    }
    for (std::int64_t k = 0; k < classes; ++k) {
        const double miss = y[k] - (k == code);
        loss += 0.5 * miss * miss;
        inner += miss * y[k];
    }
    for (std::int64_t k = 0; k < classes; ++k)
        scores[k] = static_cast<T>(factor * y[k] * ((y[k] - (k == code)) - inner));
    return loss;
}

// Some rows on their way through the layers and back.
template <class T>
class Piece {
  public:
    Piece(const Network<T>& network, std::int64_t most, bool learns) : network_(network) {
        for (std::int64_t l = 0; l < network.layers(); ++l)
            values_.emplace_back(static_cast<std::size_t>(most * network.widths[l + 1]));
        start_.resize(static_cast<std::size_t>(network.widths[1]));
        if (!learns) return;
        deltas_ = values_;
        input_.resize(static_cast<std::size_t>(most * network.widths[0]));
        posterior_.resize(static_cast<std::size_t>(network.widths.back()));
        gradient_.resize(static_cast<std::size_t>(network.size()));
    }

    T* gradient() { return gradient_.data(); }

    // Scores, in room of its own.
    T* forward(T* rows, std::int64_t count) {
        multiply(network_, rows, false, weights(0), false, count, network_.widths[0], network_.widths[1],
                 values_[0].data());
        return upward(count);
    }

    T* forward(const Filled<T>& filled, const std::int64_t* which, std::int64_t count) {
        const std::int64_t units = network_.widths[1];
        const auto sums = [&](const T* start, const std::int32_t* column, const T* value,
                              std::int64_t entries, T* out) {
            layers<T>().line_sums(start, column, value, entries, weights(0), units, out);
        };
        std::fill(start_.begin(), start_.end(), T(0));
        sums(start_.data(), filled.every.data(), filled.base.data(), filled.width, start_.data());
        for (std::int64_t r = 0; r < count; ++r) {
            const std::int64_t at = filled.first[which[r]];
            if (r + kAhead < count) filled.prefetch(which[r + kAhead]);
            sums(start_.data(), filled.column.data() + at, filled.value.data() + at, filled.entries(which[r]),
                 values_[0].data() + r * units);
        }
        return upward(count);
    }

    // Leaves the gradient of sum(weight loss) / batch, and returns sum(weight loss).
    double learn(const Examples<T>& examples, Surrogate surrogate, const std::int64_t* which,
                 std::int64_t count, std::int64_t batch) {
        const std::int64_t width = network_.widths[0], classes = network_.widths.back();
        if (!examples.filled)
            for (std::int64_t r = 0; r < count; ++r)
                read_row(*examples.source, which[r], input_.data() + r * width);
        T* scores = examples.filled ? forward(*examples.filled, which, count) : forward(input_.data(), count);
        double lost = 0;
        for (std::int64_t r = 0; r < count; ++r) {
            const double weight = examples.weight ? examples.weight[which[r]] : 1.0;
            lost += weight * output_slopes(surrogate, classes, examples.codes[which[r]],
                                           weight / static_cast<double>(batch), scores + r * classes,
                                           posterior_.data());
        }
        T* delta = downward(count, scores);
        if (examples.filled)
            first_gradient(*examples.filled, which, count, delta);
        else
            multiply(network_, input_.data(), true, delta, false, width, count, network_.widths[1],
                     gradient());
        return lost;
    }

  private:
    T* weights(std::int64_t layer) { return network_.parameters + network_.weights_before(layer); }

    // From the sums of the first layer to the scores.
    T* upward(std::int64_t count) {
        for (std::int64_t l = 0;; ++l) {
            const std::int64_t units = network_.widths[l + 1];
            T* values = values_[l].data();
            const bool last = l + 1 == network_.layers();
            layers<T>().activate(last ? Unit::linear : network_.unit, count, units,
                                 network_.parameters + network_.biases_before(l), values);
            if (last) return values;
            multiply(network_, values, false, weights(l + 1), false, count, units, network_.widths[l + 2],
                     values_[l + 1].data());
        }
    }

    // Leaves the gradient of all but the weights of the first layer, and returns the slopes of that.
    T* downward(std::int64_t count, T* delta) {
        for (std::int64_t l = network_.layers() - 1;; --l) {
            const std::int64_t inputs = network_.widths[l], units = network_.widths[l + 1];
            T* sums = gradient() + network_.biases_before(l);
            std::fill(sums, sums + units, T(0));
            for (std::int64_t r = 0; r < count; ++r) layers<T>().add_all(delta + r * units, units, sums);
            if (l == 0) return delta;
            T *below = values_[l - 1].data(), *next = deltas_[l - 1].data();
            multiply(network_, below, true, delta, false, inputs, count, units,
                     gradient() + network_.weights_before(l));
            multiply(network_, delta, false, weights(l), true, count, units, inputs, next);
            layers<T>().multiply_slopes(network_.unit, below, count * inputs, next);
            delta = next;
        }
    }

    void first_gradient(const Filled<T>& filled, const std::int64_t* which, std::int64_t count,
                        const T* delta) {
        const std::int64_t units = network_.widths[1];
        std::fill(gradient(), gradient() + filled.width * units, T(0));
        for (std::int64_t r = 0; r < count; ++r) {
            const std::int64_t at = filled.first[which[r]];
            layers<T>().spread_row(filled.column.data() + at, filled.value.data() + at,
                                   filled.entries(which[r]), delta + r * units, units, gradient());
        }
        layers<T>().spread_row(filled.every.data(), filled.base.data(), filled.width,
                               gradient() + network_.biases_before(0), units, gradient());
    }

    const Network<T>& network_;
    std::vector<std::vector<T>> values_, deltas_;
    std::vector<T> start_, input_, gradient_;
    std::vector<double> posterior_;
};

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
    T gradient[kRange];
    std::copy(pieces[0].gradient() + begin, pieces[0].gradient() + end, gradient);
    for (std::int64_t p = 1; p < used; ++p)
        layers<T>().add_all(pieces[p].gradient() + begin, end - begin, gradient);
    const auto make = [&](std::int64_t from, std::int64_t to) {
        T* first = descent.rule == Rule::sgd ? nullptr : descent.state + from;
        T* second = descent.rule == Rule::adam ? descent.state + size + from : nullptr;
        if (from < to)
            layers<T>().make_step(step, to - from, network.parameters + from, gradient + (from - begin),
                                  first, second);
    };
    make(begin, std::min(end, weights));
    step.l2 = 0;  // biases are free
    make(std::max(begin, weights), end);
}

std::int64_t piece_count(std::int64_t rows) {
    return std::clamp<std::int64_t>(rows / kPieceRows, 1, kMostPieces);
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
                     const Descent<T>& descent, Pause& pause, int threads) {
    const std::int64_t size = network.size(), ranges = (size + kRange - 1) / kRange;
    std::int64_t longest = 0, most = 0;  // rows of a batch, of a piece
    for (std::int64_t b = 0; b < examples.batches; ++b) {
        const std::int64_t rows = examples.ends[b + 1] - examples.ends[b], count = piece_count(rows);
        longest = std::max(longest, rows), most = std::max(most, (rows + count - 1) / count);
    }
    std::vector<Piece<T>> pieces;
    for (std::int64_t p = 0; p < piece_count(longest); ++p) pieces.emplace_back(network, most, true);
    std::vector<double> lost(pieces.size());
    Team team(longest * size < kWorth ? 1 : std::min<int>(threads, static_cast<int>(pieces.size())));
    double total = 0;
    for (std::int64_t b = 0; b < examples.batches; ++b) {
        const std::int64_t begin = examples.ends[b], rows = examples.ends[b + 1] - begin,
                           count = piece_count(rows);
        team.run(count, [&](std::int64_t p, int) {
            const std::int64_t from = p * rows / count, to = (p + 1) * rows / count;
            lost[p] = pieces[p].learn(examples, surrogate, examples.order + begin + from, to - from, rows);
        });
        const Step<T> step = step_number(descent, descent.steps + b + 1);
        team.run(ranges, [&](std::int64_t r, int) {
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
    parallel_for(blocks, count * network.size() < kWorth ? 1 : threads, [&](std::int64_t block, int) {
        const std::int64_t begin = block * kScoredRows, some = std::min(kScoredRows, count - begin);
        Piece<T> piece(network, some, false);
        const T* scores = scored(piece, begin, some);
        std::copy(scores, scores + some * classes, out + begin * classes);
    });
}

}  // namespace

template <class T>
void network_scores(const Network<T>& network, const T* rows, std::int64_t count, int threads, T* out) {
    scores_of_blocks(network, count, threads, out,
                     [&](Piece<T>& piece, std::int64_t begin, std::int64_t some) {
                         // BLAS takes no pointers to const, but only reads its factors.
                         return piece.forward(const_cast<T*>(rows) + begin * network.widths[0], some);
                     });
}

template <class T>
void network_scores(const Network<T>& network, const Filled<T>& filled, const std::int64_t* which,
                    std::int64_t count, int threads, T* out) {
    scores_of_blocks(network, count, threads, out,
                     [&](Piece<T>& piece, std::int64_t begin, std::int64_t some) {
                         return piece.forward(filled, which + begin, some);
                     });
}

#define ASSAY_NETWORK(T)                                                                                 \
    template std::int64_t Network<T>::weights_before(std::int64_t) const;                                \
    template std::int64_t Network<T>::biases_before(std::int64_t) const;                                 \
    template double network_epoch(const Network<T>&, const Examples<T>&, Surrogate, const Descent<T>&,   \
                                  Pause&, int);                                                          \
    template void network_scores(const Network<T>&, const T*, std::int64_t, int, T*);                    \
    template void network_scores(const Network<T>&, const Filled<T>&, const std::int64_t*, std::int64_t, \
                                 int, T*);
ASSAY_NETWORK(float)
ASSAY_NETWORK(double)

}  // namespace assay
