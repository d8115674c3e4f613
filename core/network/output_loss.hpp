// Losses of softmax outputs, and their slopes by the scores.
//
// With posteriors y and targets t the slopes are y_k - t_k (cross-entropy), or of the squared error
// y_k [(y_k - t_k) - sum_j (y_j - t_j) y_j].
#pragma once

#include <cstdint>
#include <vector>

namespace assay {

enum class Surrogate { cross_entropy, squared_error };

template <class T>
class Outputs {
  public:
    Outputs(Surrogate surrogate, std::int64_t classes, std::int64_t most);

    // The scores (count x classes) of at most `most` rows become the slopes of their losses, times weight /
    // batch; returns the weighted sum of the losses, NaN where scores are not finite. Row r of the scores is
    // row which[r] of the codes and weights (null: all one).
    double slopes(const std::int64_t* which, std::int64_t count, const std::int32_t* codes,
                  const double* weight, std::int64_t batch, T* scores);

  private:
    double entropies(std::int64_t count, const double* weight, double factor, T* scores);
    double squares(std::int64_t count, const double* weight, double factor, T* scores);

    Surrogate surrogate_;
    std::int64_t classes_;
    std::vector<std::int32_t> code_;  // of the rows at hand
    std::vector<double> weight_, posterior_, room_;
};

// Of rows and their scores: weights of those whose own score is not the highest (the first of several),
// weighted losses, and weights.
struct Judgement {
    double wrong = 0, lost = 0, total = 0;
};

template <class T>
Judgement judge(Surrogate surrogate, std::int64_t classes, const std::int64_t* which, std::int64_t count,
                const std::int32_t* codes, const double* weight, T* scores);

}  // namespace assay
