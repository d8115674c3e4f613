// Networks of layers: scores of rows, and training by back-propagation over mini-batches.
//
//     A_0 = rows,  A_l = g(A_{l-1} W_l + b_l),  scores = A_{L-1} W_L + b_L
//     d_L = slope of the loss by the scores,  d_l = (d_{l+1} W_{l+1}') g',  dW_l = A_{l-1}' d_l,  db_l = sum
//     d_l
//
// Of rows given by their filled entries (base/offset_csr.hpp) the first layer takes A_0 W = base' W + sum
// over entries of value W_column, and its gradient base (sum d)' + sum over entries of value d, a row at a
// time.
//
// A batch is cut into pieces of rows, by its length alone. Threads take pieces through all layers and back;
// their gradients are added in the order of the pieces, so that bits do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "base/offset_csr.hpp"
#include "network/output_loss.hpp"

namespace assay {

// BLAS's matrix product, as Fortran calls it; columns lie one after another.
template <class T>
using Product = void (*)(char*, char*, int*, int*, int*, T*, T*, int*, T*, int*, T*, T*, int*);

// Parameters in one vector: the weights (inputs x units) of all layers, then their biases.
template <class T>
struct Network {
    std::vector<std::int64_t> widths;  // inputs, hidden layers, classes
    Unit unit = Unit::tanh;
    T* parameters = nullptr;
    Product<T> product = nullptr;

    std::int64_t layers() const { return static_cast<std::int64_t>(widths.size()) - 1; }
    std::int64_t weights_before(std::int64_t layer) const;
    std::int64_t biases_before(std::int64_t layer) const;
    std::int64_t size() const { return biases_before(layers()); }
};

// Inputs are read from a table, whose rows lie each in one piece, or are there as filled entries.
template <class T>
struct Examples {
    const Standard* source;
    const OffsetCsr<T>* filled;  // null: from the source
    const std::int32_t* codes = nullptr;
    const double* weight = nullptr;       // null: all one
    const std::int64_t* order = nullptr;  // the rows of batch b are order[ends[b]] .. order[ends[b + 1] - 1]
    const std::int64_t* ends = nullptr;
    std::int64_t batches = 0;
};

// How gradients become steps; `state` holds a vector for momentum, two for adam, `steps` those made before.
template <class T>
struct Descent {
    Rule rule;
    double rate, momentum, l2;
    T* state;
    std::int64_t steps;
};

// A step for every batch, along the gradient of its mean weighted loss + l2/2 |W|^2; returns the weighted sum
// of the losses of all rows, each as its batch found it.
template <class T>
double network_epoch(const Network<T>& network, const Examples<T>& examples, Surrogate surrogate,
                     const Descent<T>& descent, InterruptCheck& pause, int threads);

// Scores, rows x classes.
template <class T>
void network_scores(const Network<T>& network, const T* rows, std::int64_t count, int threads, T* out);
template <class T>
void network_scores(const Network<T>& network, const OffsetCsr<T>& filled, const std::int64_t* which,
                    std::int64_t count, int threads, T* out);

}  // namespace assay
