// Kernel machines by sequential minimal optimisation. With signed coefficients b, y = +-1, and bounds
// low <= b <= high (0 and C for y = 1, -C and 0 for y = -1; rows of C = 0 take no part),
//
//     maximise  y b - b' K b / 2,  sum b = 0;      gradient v = y - K b
//
// A solution has max of v over b < high (up) <= min of v over b > low (down): their difference is the
// violation. A step moves b along one pair, up at i and down at j, where i has the largest v and j promises
// the largest rise by second order (Fan, Chen, Lin, 2005).
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"

namespace assay {

// Rows of a symmetric matrix by number, all in memory or made when they are asked for.
template <class T>
class GramRows {
  public:
    virtual ~GramRows() = default;
    // rows[k] points to row wanted[k]; pointers of one call are good until the next. Returns whether the rows
    // are finite numbers, where that has not been seen before.
    virtual bool fetch(const std::int64_t* wanted, std::int64_t count, InterruptCheck& pause,
                       const T** rows) = 0;
    virtual std::int64_t most() const = 0;  // rows that can be had at a time
};

template <class T>
class WholeGram : public GramRows<T> {
  public:
    WholeGram(const T* gram, std::int64_t count) : gram_(gram), count_(count) {}
    bool fetch(const std::int64_t* wanted, std::int64_t count, InterruptCheck&, const T** rows) override {
        for (std::int64_t k = 0; k < count; ++k) rows[k] = gram_ + wanted[k] * count_;
        return true;
    }
    std::int64_t most() const override { return count_; }

  private:
    const T* gram_;
    std::int64_t count_;
};

// The problem, and the point it has come to: b and v are read and written.
struct SmoState {
    std::int64_t count;
    const double *low, *high;
    double *b, *v;
};

// Where a working set began: pairs moved so far, the violation, and the values of the dual and of the primal
// problem, |f|^2 / 2 + sum of C max(0, 1 - y f).
struct Round {
    double steps, violation, dual, primal;
};

struct SmoResult {
    std::int64_t steps = 0;
    double violation = 0.0, shift = 0.0;  // f = K b + shift
    bool bends_down = false;              // a pair had negative curvature: K is not positive semidefinite
};

struct SmoStopping {
    double tolerance;
    std::int64_t most_steps;
};

// Steps of pairs on a matrix that lies in memory, rows `stride` apart; stride is a whole number of kLanes,
// and numbers beyond `count` are never used.
template <class T>
SmoResult smo_pairs(const T* gram, std::int64_t stride, const SmoState& dual, const SmoStopping& stop,
                    InterruptCheck& pause);

// Working sets: the newest half of the last one stays, the largest violations of both sides come in; each is
// solved by pairs on its own Gram matrix, then all of v follows. Sets grow where much is between the bounds.
template <class T>
SmoResult smo_blocks(GramRows<T>& gram, const SmoState& dual, const SmoStopping& stop, int threads,
                     InterruptCheck& pause, std::vector<Round>& history);

}  // namespace assay
