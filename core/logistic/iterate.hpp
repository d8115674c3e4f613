// Where a training part stands: weights, loss and gradient, and what earlier steps taught (Nocedal, 1980).
// The second derivatives of a part are old, or those of other weights; what its steps did to its gradient
// corrects them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace assay {

class Iterate {
  public:
    using Solve = std::function<void(double* right)>;

    explicit Iterate(std::int64_t size);

    // Begin at theta; nothing is known there.
    void restart(std::vector<double> theta);

    // The penalty's second derivatives have changed by so much; so has what steps do to gradients.
    void repenalise(const double* change);

    // Second derivatives are new: earlier steps teach nothing more about them.
    void forget();

    bool live() const { return !done && !stuck; }

    // The weights that come next.
    std::vector<double> tried() const;

    // Accepts a step that lowers the loss, or halves it; whether it was accepted.
    bool take(const std::vector<double>& there, double loss_there, const std::vector<double>& gradient_there,
              double norm_there, bool coarse_there);

    // The next step, gradient / H, where H is what `solve` divides by, corrected by what earlier steps
    // taught.
    void direct(const Solve& solve);

    std::vector<double> theta, gradient, step;
    double loss, norm, rate;           // objective, relative gradient, what the last step left of that
    bool done = false, stuck = false;  // near enough; or no shorter step helps

  private:
    void learn(const std::vector<double>& there, const std::vector<double>& gradient_there);

    std::int64_t size_;
    bool coarse_ = false;                         // whether loss and gradient are in single precision
    std::vector<double> moved_, bent_, inverse_;  // steps x size; steps: 1 / (moved · bent), 0: nothing
};

}  // namespace assay
