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
constexpr double kFirst = 0.9, kSecond = 0.999, kSmall = 1e-8;  // Adam's own

template <class T>
const LayerLeaves<T>& layer_leaves();
template <>
const LayerLeaves<float>& layer_leaves<float>() {
    return leaves().layers32;
}
template <>
const LayerLeaves<double>& layer_leaves<double>() {
    return leaves().layers64;
}

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
void read_row(const Examples& examples, std::int64_t row, T* out) {
    const std::int64_t start = row * examples.table.row_stride;
    for (const Run& run : examples.runs) {
        const double *center = examples.center + run.place, *unit = examples.unit + run.place;
        if (examples.table.f64)
            layer_leaves<T>().read_doubles(examples.table.f64 + start + run.column, center, unit,
                                           examples.limit, run.length, out + run.place);
        else
            layer_leaves<T>().read_floats(examples.table.f32 + start + run.column, center, unit,
                                          examples.limit, run.length, out + run.place);
    }
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
        if (!learns) return;
        deltas_ = values_;
        input_.resize(static_cast<std::size_t>(most * network.widths[0]));
        posterior_.resize(static_cast<std::size_t>(network.widths.back()));
        gradient_.resize(static_cast<std::size_t>(network.size()));
    }

    T* gradient() { return gradient_.data(); }

    // Scores, in room of its own.
    T* forward(T* rows, std::int64_t count) {
        T* below = rows;
        for (std::int64_t l = 0; l < network_.layers(); ++l) {
            const std::int64_t inputs = network_.widths[l], units = network_.widths[l + 1];
            T* values = values_[l].data();
            multiply(network_, below, false, weights(l), false, count, inputs, units, values);
            layer_leaves<T>().activate(l + 1 < network_.layers() ? network_.unit : Unit::linear, count, units,
                                       network_.parameters + network_.biases_before(l), values);
            below = values;
        }
        return below;
    }

    // Leaves the gradient of sum(weight loss) / batch, and returns sum(weight loss).
    double learn(const Examples& examples, Surrogate surrogate, const std::int64_t* which, std::int64_t count,
                 std::int64_t batch) {
        const std::int64_t width = network_.widths[0], classes = network_.widths.back();
        for (std::int64_t r = 0; r < count; ++r) read_row(examples, which[r], input_.data() + r * width);
        T* scores = forward(input_.data(), count);
        double lost = 0;
        for (std::int64_t r = 0; r < count; ++r) {
            const double weight = examples.weight ? examples.weight[which[r]] : 1.0;
            lost += weight * output_slopes(surrogate, classes, examples.codes[which[r]],
                                           weight / static_cast<double>(batch), scores + r * classes,
                                           posterior_.data());
        }
        backward(count, scores);
        return lost;
    }

  private:
    T* weights(std::int64_t layer) { return network_.parameters + network_.weights_before(layer); }

    void backward(std::int64_t count, T* delta) {
        for (std::int64_t l = network_.layers() - 1; l >= 0; --l) {
            const std::int64_t inputs = network_.widths[l], units = network_.widths[l + 1];
            T* below = l ? values_[l - 1].data() : input_.data();
            multiply(network_, below, true, delta, false, inputs, count, units,
                     gradient() + network_.weights_before(l));
            T* sums = gradient() + network_.biases_before(l);
            std::fill(sums, sums + units, T(0));
            for (std::int64_t r = 0; r < count; ++r)
                layer_leaves<T>().add_all(delta + r * units, units, sums);
            if (l == 0) return;
            T* next = deltas_[l - 1].data();
            multiply(network_, delta, false, weights(l), true, count, units, inputs, next);
            layer_leaves<T>().multiply_slopes(network_.unit, below, count * inputs, next);
            delta = next;
        }
    }

    const Network<T>& network_;
    std::vector<std::vector<T>> values_, deltas_;
    std::vector<T> input_, gradient_;
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
        layer_leaves<T>().add_all(pieces[p].gradient() + begin, end - begin, gradient);
    const auto make = [&](std::int64_t from, std::int64_t to) {
        T* first = descent.rule == Rule::sgd ? nullptr : descent.state + from;
        T* second = descent.rule == Rule::adam ? descent.state + size + from : nullptr;
        if (from < to)
            layer_leaves<T>().make_step(step, to - from, network.parameters + from, gradient + (from - begin),
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
double network_epoch(const Network<T>& network, const Examples& examples, Surrogate surrogate,
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

template <class T>
void network_scores(const Network<T>& network, const T* rows, std::int64_t count, int threads, T* out) {
    const std::int64_t width = network.widths[0], classes = network.widths.back(),
                       blocks = (count + kScoredRows - 1) / kScoredRows;
    parallel_for(blocks, count * network.size() < kWorth ? 1 : threads, [&](std::int64_t block, int) {
        const std::int64_t begin = block * kScoredRows, some = std::min(kScoredRows, count - begin);
        Piece<T> piece(network, some, false);
        // BLAS takes no pointers to const, but only reads its factors.
        const T* scores = piece.forward(const_cast<T*>(rows) + begin * width, some);
        std::copy(scores, scores + some * classes, out + begin * classes);
    });
}

#define ASSAY_NETWORK(T)                                                                                    \
    template std::int64_t Network<T>::weights_before(std::int64_t) const;                                   \
    template std::int64_t Network<T>::biases_before(std::int64_t) const;                                    \
    template double network_epoch(const Network<T>&, const Examples&, Surrogate, const Descent<T>&, Pause&, \
                                  int);                                                                     \
    template void network_scores(const Network<T>&, const T*, std::int64_t, int, T*);
ASSAY_NETWORK(float)
ASSAY_NETWORK(double)

}  // namespace assay
