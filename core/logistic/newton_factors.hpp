// Newton steps of many training parts: their second derivatives, factorised for one penalty after the other.
// Second derivatives without a penalty are put together once and kept; a new penalty changes their diagonal.
#pragma once

#include <cstdint>
#include <vector>

#include "base/threads.hpp"
#include "logistic/objective.hpp"

namespace assay {

class PartFactors {
  public:
    explicit PartFactors(const LogisticObjective& parts);

    // Second derivatives of all parts from sums of each fold (folds x pairs x columns x columns).
    void renew(const std::vector<double>& grams, ThreadPool& pool);

    // Those of one part.
    void renew_part(std::int64_t part, const std::vector<double>& grams);

    // The factor of a part for a penalty; a matrix that is singular to rounding is lifted, which only
    // shortens the step. Throws std::domain_error where there is none.
    void factorise(std::int64_t part, double l2);

    // A right-hand side replaced by the solution.
    void solve(std::int64_t part, double* right) const;

    // Whether a matrix of any part was singular to rounding.
    bool lifted() const;

  private:
    LogisticObjective parts_;
    std::vector<double> hessian_, factor_;
    std::vector<char> lifted_;
};

}  // namespace assay
