// Some rows on their way through the layers of a network and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/network.hpp"
#include "network/simd.hpp"

namespace assay {

// out (rows x columns) = left right + keep out, of matrices whose rows lie one after another; either may be
// transposed. Read by columns, as BLAS does, they are their own transposes: out' = right' left'.
template <class T>
void multiply(Product<T> product, T* left, bool left_turned, T* right, bool right_turned, std::int64_t rows,
              std::int64_t inner, std::int64_t columns, T keep, T* out) {
    char first = right_turned ? 'T' : 'N', second = left_turned ? 'T' : 'N';
    int m = static_cast<int>(columns), n = static_cast<int>(rows), k = static_cast<int>(inner);
    int right_stride = std::max(1, right_turned ? k : m), left_stride = std::max(1, left_turned ? n : k),
        out_stride = std::max(1, m);
    T one = 1;
    if (n > 0)
        product(&first, &second, &m, &n, &k, &one, right, &right_stride, left, &left_stride, &keep, out,
                &out_stride);
}

template <class T>
void read_row(const Standard& source, std::int64_t row, T* out) {
    const std::int64_t start = row * source.table.row_stride;
    if (source.table.f64)
        read_numbers(source, source.table.f64 + start, out);
    else
        read_numbers(source, source.table.f32 + start, out);
}

template <class T>
class Piece {
  public:
    // To score at most so many rows at a time.
    Piece(const Network<T>& network, std::int64_t most) : network_(network) {
        for (std::int64_t l = 0; l < network.layers(); ++l)
            values_.emplace_back(static_cast<std::size_t>(most * network.widths[l + 1]));
        start_.resize(static_cast<std::size_t>(network.widths[1]));
        turned_.resize(static_cast<std::size_t>(
            narrow(network.layers() - 1) ? *(network.widths.end() - 2) * network.widths.back() : 0));
    }

    // To learn from pieces of at most so many rows; whole ones are multiplied by BLAS, all in one.
    Piece(const Network<T>& network, std::int64_t most, bool whole, Surrogate surrogate)
        : Piece(network, whole ? most : std::min(most, kBlockRows)) {
        block_ = whole ? most : std::min(most, kBlockRows);
        outputs_.emplace_back(surrogate, network.widths.back(), block_);
        deltas_ = values_;
        input_.resize(static_cast<std::size_t>(whole ? most * network.widths[0] : 0));
        gradient_.resize(static_cast<std::size_t>(network.size()));
    }

    T* gradient() { return gradient_.data(); }

    // Scores, in room of its own.
    T* forward(T* rows, std::int64_t count) {
        turn();
        return forward_whole(rows, count);
    }

    T* forward(const OffsetCsr<T>& filled, const std::int64_t* which, std::int64_t count) {
        turn();
        find_start(filled);
        return forward_filled(filled, which, count, count);
    }

    // Rows begin .. end - 1 of the order. Leaves the gradient of sum(weight loss) / batch, and returns
    // sum(weight loss).
    double learn(const Examples<T>& examples, std::int64_t begin, std::int64_t end, std::int64_t batch) {
        const std::int64_t width = network_.widths[0], units = network_.widths[1];
        turn();
        // BLAS writes over what was there, and all else adds to it.
        const std::int64_t added = examples.filled ? 0 : network_.weights_before(network_.layers() - 1);
        std::fill(gradient_.begin() + added, gradient_.end(), T(0));
        if (examples.filled) find_start(*examples.filled);
        double lost = 0;
        for (std::int64_t at = begin; at < end; at += block_) {
            const std::int64_t some = std::min(block_, end - at), *which = examples.order + at;
            T* scores = examples.filled ? forward_filled(*examples.filled, which, some,
                                                         examples.ends[examples.batches] - at)
                                        : forward_whole(read(*examples.source, which, some), some);
            lost += outputs_[0].slopes(which, some, examples.codes, examples.weight, batch, scores);
            T* delta = downward(some, scores, at == begin ? T(0) : T(1));
            if (examples.filled)
                layer_loops_of<T>().spread_rows(examples.filled->view(), which, some, delta, units,
                                                gradient());
            else
                multiply(network_.product, input_.data(), true, delta, false, width, some, units, T(0),
                         gradient());
        }
        if (examples.filled) spread_base(*examples.filled);
        return lost;
    }

  private:
    static constexpr std::int64_t kBlockRows = 48;  // their values and slopes stay in the first-level cache
    static constexpr std::int64_t kNarrow = 8;      // units up to which a layer is not left to BLAS

    bool narrow(std::int64_t layer) const {
        return layer > 0 && layer + 1 == network_.layers() && network_.widths[layer + 1] <= kNarrow;
    }

    T* weights(std::int64_t layer) { return network_.parameters + network_.weights_before(layer); }

    // The weights of a narrow last layer, unit by unit.
    void turn() {
        const std::int64_t last = network_.layers() - 1;
        if (!narrow(last)) return;
        const std::int64_t inputs = network_.widths[last], units = network_.widths[last + 1];
        const T* from = weights(last);
        for (std::int64_t j = 0; j < inputs; ++j)
            for (std::int64_t k = 0; k < units; ++k) turned_[k * inputs + j] = from[j * units + k];
    }

    T* read(const Standard& source, const std::int64_t* which, std::int64_t count) {
        for (std::int64_t r = 0; r < count; ++r)
            read_row(source, which[r], input_.data() + r * network_.widths[0]);
        return input_.data();
    }

    // What the first layer makes of a row without entries.
    void find_start(const OffsetCsr<T>& filled) {
        const std::int64_t row[] = {0}, first[] = {0, filled.width};
        const std::vector<T> nothing(start_.size());
        layer_loops_of<T>().line_sums({first, filled.every.data(), filled.base.data()}, row, 1, 1,
                                      nothing.data(), weights(0), network_.widths[1], start_.data());
    }

    // The part of the gradient that all rows share: base (sum d)'.
    void spread_base(const OffsetCsr<T>& filled) {
        const std::int64_t row[] = {0}, first[] = {0, filled.width};
        layer_loops_of<T>().spread_rows({first, filled.every.data(), filled.base.data()}, row, 1,
                                        gradient() + network_.biases_before(0), network_.widths[1],
                                        gradient());
    }

    T* forward_whole(T* rows, std::int64_t count) {
        multiply(network_.product, rows, false, weights(0), false, count, network_.widths[0],
                 network_.widths[1], T(0), values_[0].data());
        return upward(count);
    }

    T* forward_filled(const OffsetCsr<T>& filled, const std::int64_t* which, std::int64_t count,
                      std::int64_t known) {
        layer_loops_of<T>().line_sums(filled.view(), which, count, known, start_.data(), weights(0),
                                      network_.widths[1], values_[0].data());
        return upward(count);
    }

    // From the sums of the first layer to the scores.
    T* upward(std::int64_t count) {
        for (std::int64_t l = 0;; ++l) {
            const std::int64_t units = network_.widths[l + 1];
            T* values = values_[l].data();
            const bool last = l + 1 == network_.layers();
            layer_loops_of<T>().activate(last ? Unit::linear : network_.unit, count, units,
                                         network_.parameters + network_.biases_before(l), values);
            if (last) return values;
            const std::int64_t next = network_.widths[l + 2];
            if (narrow(l + 1))
                layer_loops_of<T>().narrow_scores(values, count, units, turned_.data(), next,
                                                  values_[l + 1].data());
            else
                multiply(network_.product, values, false, weights(l + 1), false, count, units, next, T(0),
                         values_[l + 1].data());
        }
    }

    // Adds the gradient of all but the weights of the first layer to `keep` times what is there, and returns
    // the slopes of that layer.
    T* downward(std::int64_t count, T* delta, T keep) {
        for (std::int64_t l = network_.layers() - 1;; --l) {
            const std::int64_t inputs = network_.widths[l], units = network_.widths[l + 1];
            layer_loops_of<T>().add_columns(delta, count, units, gradient() + network_.biases_before(l));
            if (l == 0) return delta;
            T *below = values_[l - 1].data(), *next = deltas_[l - 1].data(),
              *slopes = gradient() + network_.weights_before(l);
            if (narrow(l)) {
                layer_loops_of<T>().narrow_slopes(below, delta, count, inputs, units, slopes);
                layer_loops_of<T>().narrow_back(delta, count, inputs, turned_.data(), units, next);
            } else {
                multiply(network_.product, below, true, delta, false, inputs, count, units, keep, slopes);
                multiply(network_.product, delta, false, weights(l), true, count, units, inputs, T(0), next);
            }
            layer_loops_of<T>().multiply_slopes(network_.unit, below, count * inputs, next);
            delta = next;
        }
    }

    const Network<T>& network_;
    std::int64_t block_ = 0;
    std::vector<std::vector<T>> values_, deltas_;
    std::vector<T> start_, turned_, input_, gradient_;
    std::vector<Outputs<T>> outputs_;
};

}  // namespace assay
