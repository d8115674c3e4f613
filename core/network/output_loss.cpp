#include "network/output_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logistic/simd.hpp"

namespace assay {
namespace {

constexpr std::int64_t kJudged = 256;  // rows judged at a time

}  // namespace

template <class T>
Outputs<T>::Outputs(Surrogate surrogate, std::int64_t classes, std::int64_t most)
    : surrogate_(surrogate),
      classes_(classes),
      code_(static_cast<std::size_t>(most)),
      weight_(static_cast<std::size_t>(most)),
      posterior_(static_cast<std::size_t>(most * classes)),
      room_(static_cast<std::size_t>(8 * classes)) {}

template <class T>
double Outputs<T>::slopes(const std::int64_t* which, std::int64_t count, const std::int32_t* codes,
                          const double* weight, std::int64_t batch, T* scores) {
    for (std::int64_t r = 0; r < count; ++r) code_[r] = codes[which[r]];
    if (weight)
        for (std::int64_t r = 0; r < count; ++r) weight_[r] = weight[which[r]];
    const double factor = 1.0 / static_cast<double>(batch), *own = weight ? weight_.data() : nullptr;
    return surrogate_ == Surrogate::cross_entropy ? entropies(count, own, factor, scores)
                                                  : squares(count, own, factor, scores);
}

// Classes side by side, as the passes over rows take them; of two classes the difference of the scores is
// enough.
template <class T>
double Outputs<T>::entropies(std::int64_t count, const double* weight, double factor, T* scores) {
    double* p = posterior_.data();
    if (classes_ == 2) {
        for (std::int64_t r = 0; r < count; ++r)
            p[r] = static_cast<double>(scores[2 * r + 1]) - static_cast<double>(scores[2 * r]);
        const double lost = row_loops_of<double>().sigmoid(p, count, code_.data(), weight, room_.data());
        for (std::int64_t r = 0; r < count; ++r) {
            scores[2 * r + 1] = static_cast<T>(factor * p[r]);
            scores[2 * r] = -scores[2 * r + 1];
        }
        return lost;
    }
    double sum = 0;  // finite where all scores are
    for (std::int64_t r = 0; r < count; ++r)
        for (std::int64_t k = 0; k < classes_; ++k) sum += p[k * count + r] = scores[r * classes_ + k];
    const double lost =
        row_loops_of<double>().softmax(p, classes_, count, count, -1, code_.data(), weight, room_.data());
    for (std::int64_t r = 0; r < count; ++r)
        for (std::int64_t k = 0; k < classes_; ++k)
            scores[r * classes_ + k] = static_cast<T>(factor * p[k * count + r]);
    return std::isfinite(sum) ? lost : std::numeric_limits<double>::quiet_NaN();
}

template <class T>
double Outputs<T>::squares(std::int64_t count, const double* weight, double factor, T* scores) {
    double* y = posterior_.data();
    double lost = 0;
    for (std::int64_t r = 0; r < count; ++r, scores += classes_) {
        const double most = *std::max_element(scores, scores + classes_), own = weight ? weight[r] : 1.0;
        double total = 0, loss = 0, inner = 0;
        for (std::int64_t k = 0; k < classes_; ++k) total += y[k] = std::exp(scores[k] - most);
        for (std::int64_t k = 0; k < classes_; ++k) {
            y[k] /= total;
            const double miss = y[k] - (k == code_[r]);
            loss += 0.5 * miss * miss;
            inner += miss * y[k];
        }
        for (std::int64_t k = 0; k < classes_; ++k)
            scores[k] = static_cast<T>(own * factor * y[k] * ((y[k] - (k == code_[r])) - inner));
        lost += own * loss;
    }
    return lost;
}

template <class T>
Judgement judge(Surrogate surrogate, std::int64_t classes, const std::int64_t* which, std::int64_t count,
                const std::int32_t* codes, const double* weight, T* scores) {
    Judgement found;
    Outputs<T> outputs(surrogate, classes, std::min(count, kJudged));
    for (std::int64_t begin = 0; begin < count; begin += kJudged) {
        const std::int64_t some = std::min(kJudged, count - begin);
        T* block = scores + begin * classes;
        for (std::int64_t r = 0; r < some; ++r) {
            const T* own = block + r * classes;
            const std::int64_t row = which[begin + r];
            const bool right = std::max_element(own, own + classes) - own == codes[row];
            const double heavy = weight ? weight[row] : 1.0;
            found.total += heavy;
            found.wrong += right ? 0.0 : heavy;
        }
        found.lost += outputs.slopes(which + begin, some, codes, weight, 1, block);
    }
    return found;
}

#define ASSAY_OUTPUTS(T)                                                                 \
    template class Outputs<T>;                                                           \
    template Judgement judge(Surrogate, std::int64_t, const std::int64_t*, std::int64_t, \
                             const std::int32_t*, const double*, T*);
ASSAY_OUTPUTS(float)
ASSAY_OUTPUTS(double)
#undef ASSAY_OUTPUTS

}  // namespace assay
