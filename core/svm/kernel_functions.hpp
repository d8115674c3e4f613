// Kernel functions of rows: blocks by a matrix product and a map of its numbers, rows that are kept for
// later, and sums over support vectors.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "network/network.hpp"
#include "svm/smo.hpp"

namespace assay {

//     linear x z,  polynomial (gamma x z + coef0)^degree,  gaussian exp(-gamma |x - z|^2),
//     sigmoid tanh(gamma x z + coef0)
enum class Kernel { linear, polynomial, gaussian, sigmoid };

template <class T>
struct KernelMap {
    Kernel kind;
    double gamma, coef0;
    int degree;
    Product<T> product;
};

// Rows side by side, with their squared lengths; narrow ones that others are compared with also as panels.
template <class T>
struct Points {
    Points(const T* at, std::int64_t points, std::int64_t columns, bool compared = false);
    const T* x;
    std::int64_t count, width;
    std::vector<T> squares, panels;
};

// out (left x right) = k(left, right).
template <class T>
void kernel_block(const KernelMap<T>& map, const Points<T>& left, const Points<T>& right, int threads,
                  InterruptCheck& pause, T* out);

// out (points x machines) = sum over support vectors of factor (machines x vectors) * k.
template <class T>
void kernel_sums(const KernelMap<T>& map, const Points<T>& points, const Points<T>& vectors,
                 const double* factor, std::int64_t machines, int threads, InterruptCheck& pause,
                 double* out);

// Rows of the Gram matrix of some points, made when they are asked for; the `most` that were used last stay.
template <class T>
class KernelRows : public GramRows<T> {
  public:
    KernelRows(const KernelMap<T>& map, const Points<T>& points, std::int64_t most, int threads);
    bool fetch(const std::int64_t* wanted, std::int64_t count, InterruptCheck& pause,
               const T** rows) override;
    std::int64_t most() const override { return most_; }

  private:
    std::int64_t free_slot();
    bool fill(const std::vector<std::int64_t>& missing, InterruptCheck& pause);

    const KernelMap<T>& map_;
    const Points<T>& points_;
    std::int64_t most_, round_ = 0;
    int threads_;
    T* row_at(std::int64_t slot) const {
        return chunks_[slot / a_chunk_].get() + slot % a_chunk_ * points_.count;
    }

    struct Release {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::vector<std::unique_ptr<T[], Release>>
        chunks_;  // of so many rows each, which are not made all at once
    std::int64_t a_chunk_;
    std::vector<std::int64_t> slot_of_, row_in_, used_, oldest_;
};

}  // namespace assay
