// Logistic regression of many training parts and a whole path of penalties, solved together by Newton's
// method.
//
// The training parts have most rows in common, so one model of all rows, the pilot, leads the way. Its second
// derivatives are kept fold by fold; those of a part are the sum over its folds, each times what its rows
// count, and stay good while the weights move little (the chord method). The gradients of all parts come from
// one pass, their models stacked in one matrix product. Every part goes on until its own gradient vanishes:
// the sharing changes the way, not the end.
//
// On the way single precision serves as well as double and is quicker; the end is always seen in double
// precision.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "base/threads.hpp"
#include "logistic/fold_rows.hpp"
#include "logistic/iterate.hpp"
#include "logistic/newton_factors.hpp"
#include "logistic/objective.hpp"

namespace assay {

// Solutions for each penalty and part, penalties in the order given.
struct PathFound {
    double* B;         // penalties x parts x classes x columns
    double* gradient;  // penalties x parts: relative gradient
    double* loss;      // the same: mean loss without penalty
    bool* converged;
    double* theta;  // parts x classes x width: the weights at the smallest penalty
    bool* renewed;  // parts: whether they needed second derivatives of their own there
};

// A pass of the model of all rows.
struct Turn {
    double l2, objective, gradient;
};

class FoldNewton {
  public:
    // `pilot` is a single part of all rows; null: the parts are a single one of all rows, and lead
    // themselves.
    FoldNewton(RowSums& rows, const LogisticObjective& parts, const LogisticObjective* pilot, double tol,
               int threads, InterruptCheck& pause);

    // Solves for every penalty, the largest first. The steps begin at weights `given` (classes x width) of
    // the model that leads; null: at the model without features.
    void path(const double* l2, std::int64_t count, const double* given, const PathFound& found);

    std::vector<Turn> history;
    std::int64_t passes = 0;

  private:
    using Which = std::vector<std::int64_t>;
    using Numbers = std::vector<double>;

    bool alone() const { return &pilot_ == &parts_; }
    Iterate& own(std::int64_t part) { return alone() ? lead_ : points_[part]; }

    void repenalise(double l2);
    void solve_pilot(Numbers theta, double l2);
    bool lead_pass(double l2, bool exact);
    bool patient(std::size_t made) const;
    void plain(double l2, double* right) const;
    void compute_hessian(bool exact);
    void solve_training_sets(double l2);
    Which pass(const Which& live, double l2, bool exact);
    void sum_gradients(const Which& some, const std::vector<Numbers>& theta, bool exact);
    Numbers begin(std::int64_t part, double l2);
    void renew(const Which& slow, double l2);
    Numbers grams_of(const LogisticObjective& parts, std::int64_t part, const Numbers& theta, bool exact);
    bool ready(double norm, double rate) const;
    void measure();
    void keep(double l2, std::int64_t at, const PathFound& found);
    void made_pass(std::int64_t models);

    RowSums& rows_;
    const LogisticObjective &parts_, &pilot_;
    double tol_;
    ThreadPool pool_;
    InterruptCheck& pause_;
    Iterate lead_;
    std::vector<Iterate> points_;  // of the parts; none if they are alone
    PartFactors lead_factor_, factors_;
    bool coarse_;                 // whether single precision still serves
    bool has_hessian_ = false;    // whether there are second derivatives
    bool hessian_stale_ = false;  // whether they have served too long
    double hessian_cost_;         // a pass for second derivatives, in passes for gradients of the pilot
    std::int64_t patience_;       // passes of all parts at a penalty before second derivatives count as old
    double plain_;             // second derivative by a column of deviation 1 in the model without features
    double l2_ = 0.0;          // that earlier steps were taken under
    double guess_ = 0.1;       // what a first step leaves of the parts' gradients
    double lead_scale_ = 0.0;  // largest gradient of the pilot without features; 0: not known yet
    Numbers scale_;            // the same of each part
    Numbers fold_sums_;        // gradients of the pilot, folds x classes x columns
    std::vector<Numbers> summed_;      // of each part: gradient, then loss
    std::vector<Numbers> correction_;  // of the parts' first steps: it changes little along the path
    std::vector<char> renewed_;
};

}  // namespace assay
