// The objective of logistic regression for training parts made of folds of rows:
//
//     (1/N_g) sum over the rows of part g of w_n loss(y_n, theta z_n) + (l2 / 2) sum_j penalty_gj |theta_j|^2
//
// Sums over rows come from passes, by weights B of the columns; here they become values and derivatives by
// theta. B = maps theta where coordinates are not the columns themselves.
#pragma once

#include <cstdint>

namespace assay {

constexpr double kAbsent = -1e4;  // score of a class without rows: its posterior is 0

struct LogisticObjective {
    std::int64_t count = 0, folds = 0, classes = 0;
    std::int64_t columns = 0;         // numbers of B a class, the intercept last
    std::int64_t width = 0;           // numbers of theta a class, the intercept last
    const double* share = nullptr;    // count x folds: what the rows of a fold count in a part; 0: nothing
    const double* penalty = nullptr;  // count x (width - 1)
    const bool* free = nullptr;       // count x classes x width: what may move
    const double* start = nullptr;    // the same: the model without features
    const double* weight = nullptr;   // count: N_g
    const double* maps = nullptr;     // null, or count x columns x width

    std::int64_t size() const { return classes * width; }
    std::int64_t spread() const { return classes * columns; }
    std::int64_t pairs() const { return classes == 1 ? 1 : classes * (classes - 1) / 2; }
    double of_fold(std::int64_t part, std::int64_t fold) const { return share[part * folds + fold]; }
    bool trained_on(std::int64_t part, std::int64_t fold) const { return of_fold(part, fold) != 0.0; }

    // Whether a part has no row of some class.
    bool lacks_class(std::int64_t part) const;

    // theta (classes x width) of a part as B (classes x columns).
    void to_columns(std::int64_t part, const double* theta, double* B) const;

    // The gradient by theta from the summed gradients by B.
    void gradient(std::int64_t part, const double* theta, const double* summed, double l2, double* out) const;

    // Half the penalty on theta: (l2 / 2) sum of penalty |theta|^2.
    double penalised(std::int64_t part, const double* theta, double l2) const;

    // Second derivatives of the mean loss (size x size), from summed ones by B (pairs x columns x columns).
    // They can be inverted once they are penalised: what may not move, and adding the same to all classes,
    // are pinned. `sums` is written to.
    void hessian(std::int64_t part, double* sums, double* out) const;

    // Adds l2 * penalty as it stands on the diagonal of the second derivatives.
    void diagonal(std::int64_t part, double l2, double* out) const;

    // The same posteriors by weights that sum to 0 over the classes that are there.
    void balance(std::int64_t part, double* theta) const;
};

}  // namespace assay
