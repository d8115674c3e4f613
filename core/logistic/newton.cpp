#include "logistic/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

namespace assay {
namespace {

constexpr double kSlow =
    0.8;  // a step leaves at most this share, or the part gets second derivatives of its own
constexpr double kNear = 1e-3;  // a pilot that only leads the way need not come nearer
constexpr int kFew = 3;  // passes, at least, that the parts may need at a penalty before H counts as old
constexpr double kReady = 0.5;        // of the gradient that is asked for: where the next step should end
constexpr double kFloor = 1e-6;       // relative gradient down to which single precision can be trusted
constexpr double kLeastScale = 1e-8;  // gradient without features that later ones are measured by, at least
constexpr int kMostPasses = 200;
constexpr std::size_t kTrial = 6;  // first passes that do without second derivatives, where these are dear
constexpr double kDear = 12.0;     // passes for gradients that one for second derivatives costs
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double largest(const std::vector<double>& numbers) {
    double most = 0.0;
    for (const double each : numbers) most = std::abs(each) > most || each != each ? std::abs(each) : most;
    return most;
}

// Passes until the gradient is small enough, at the rate of the last one.
double passes_left(double norm, double rate, double tol) {
    return norm > tol && rate > 0.0 && rate < 1.0 ? std::log(norm / tol) / -std::log(rate) : kInfinite;
}

// Mean second derivative of the classes by a column of deviation 1 in the model without features.
double plain_curvature(const LogisticObjective& pilot) {
    double sum = pilot.classes == 1 ? 1.0 : 0.0, squares = sum;
    for (std::int64_t k = 0; k < pilot.classes; ++k) {
        const double each = std::exp(pilot.start[(k + 1) * pilot.width - 1]);
        sum += each, squares += each * each;
    }
    const double spread = 1.0 - squares / (sum * sum);  // sum of p (1 - p) over all classes
    return std::max(spread / static_cast<double>(std::max<std::int64_t>(2, pilot.classes)), 1e-8);
}

double median(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    const std::size_t half = numbers.size() / 2;
    return numbers.size() % 2 ? numbers[half] : 0.5 * (numbers[half - 1] + numbers[half]);
}

}  // namespace

FoldNewton::FoldNewton(RowSums& rows, const LogisticObjective& parts, const LogisticObjective* pilot,
                       double tol, int threads, InterruptCheck& pause)
    : rows_(rows),
      parts_(parts),
      pilot_(pilot ? *pilot : parts),
      tol_(tol),
      pool_(threads),
      pause_(pause),
      lead_(parts.size()),
      lead_factor_(pilot_),
      factors_(alone() ? LogisticObjective{} : parts),
      coarse_(rows.coarse()),
      hessian_cost_(static_cast<double>(parts.pairs() * parts.columns) /
                    static_cast<double>(4 * parts.classes)),
      patience_(std::max<std::int64_t>(kFew, std::lround(hessian_cost_ / static_cast<double>(parts.count)))) {
    if (!alone()) points_.assign(static_cast<std::size_t>(parts.count), Iterate(parts.size()));
    const Numbers none(static_cast<std::size_t>(parts.size()), 0.0);
    correction_.assign(static_cast<std::size_t>(parts.count), none);
    summed_.resize(static_cast<std::size_t>(parts.count));
    renewed_.assign(static_cast<std::size_t>(parts.count), 0);
    plain_ = plain_curvature(pilot_);
}

void FoldNewton::path(const double* l2, std::int64_t count, const double* given, const PathFound& found) {
    Which order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return l2[a] > l2[b]; });
    if (!alone() || given) measure();
    if (alone() && given) lead_scale_ = scale_[0];
    if (!given) given = pilot_.start;
    Numbers begin(given, given + pilot_.size());
    std::vector<Numbers> behind;  // the pilot's last two solutions, for a guess at the next one
    for (const std::int64_t at : order) {
        if (!behind.empty()) begin = behind.back();
        if (behind.size() == 2)
            for (std::size_t i = 0; i < begin.size(); ++i) begin[i] = 2.0 * begin[i] - behind[0][i];
        repenalise(l2[at]);
        solve_pilot(begin, l2[at]);
        if (behind.size() == 2) behind.erase(behind.begin());
        behind.push_back(lead_.done ? lead_.tried() : lead_.theta);
        if (!alone()) solve_training_sets(l2[at]);
        keep(l2[at], at, found);
    }
    for (std::int64_t g = 0; g < parts_.count; ++g) {
        std::copy(own(g).theta.begin(), own(g).theta.end(), found.theta + g * parts_.size());
        found.renewed[g] = renewed_[g] != 0;
    }
}

// The solutions for one penalty.
void FoldNewton::keep(double l2, std::int64_t at, const PathFound& found) {
    for (std::int64_t g = 0; g < parts_.count; ++g) {
        const Iterate& point = own(g);
        const std::int64_t to = at * parts_.count + g;
        parts_.to_columns(g, point.theta.data(), found.B + to * parts_.spread());
        found.gradient[to] = point.norm, found.converged[to] = point.done;
        found.loss[to] = point.loss - parts_.penalised(g, point.theta.data(), l2);
    }
}

// The largest gradient of each part without features.
void FoldNewton::measure() {
    Which all(static_cast<std::size_t>(parts_.count));
    std::iota(all.begin(), all.end(), 0);
    std::vector<Numbers> start;
    for (const std::int64_t g : all)
        start.emplace_back(parts_.start + g * parts_.size(), parts_.start + (g + 1) * parts_.size());
    sum_gradients(all, start, false);
    Numbers gradient(static_cast<std::size_t>(parts_.size()));
    for (const std::int64_t g : all) {
        parts_.gradient(g, start[g].data(), summed_[g].data(), 0.0, gradient.data());
        scale_.push_back(std::max(largest(gradient), kLeastScale));
    }
}

// Another penalty: what earlier steps taught stays true of the losses, and is corrected for it.
void FoldNewton::repenalise(double l2) {
    const double change = l2 - std::exchange(l2_, l2);
    Numbers each(static_cast<std::size_t>(parts_.size()));
    pilot_.diagonal(0, change, each.data());
    lead_.repenalise(each.data());
    for (std::size_t g = 0; g < points_.size(); ++g) {
        parts_.diagonal(static_cast<std::int64_t>(g), change, each.data());
        points_[g].repenalise(each.data());
    }
}

// Newton steps of the pilot from theta; second derivatives only when the old ones no longer serve.
void FoldNewton::solve_pilot(Numbers theta, double l2) {
    const double tol = alone() ? tol_ : std::max(tol_, kNear);
    lead_.restart(std::move(theta));
    bool exact = !coarse_, factored = false, fresh = false;
    const std::size_t first = history.size();
    for (int turn = 0; turn < kMostPasses; ++turn) {
        const bool taken = lead_pass(l2, exact), near = lead_.norm <= tol;
        const bool slow = taken && factored && lead_.norm > tol &&
                          passes_left(lead_.norm, lead_.rate, tol) > kFew + hessian_cost_;
        if (!exact && (lead_.stuck || (slow && fresh) || lead_factor_.lifted())) {
            exact = true, coarse_ = false, has_hessian_ = false;  // single precision does not serve here
            lead_.restart(lead_.theta);
            continue;
        }
        if (lead_.stuck) break;
        if (!taken && has_hessian_) continue;
        lead_.done = near && (exact || !alone());
        if (lead_.done && alone()) break;
        fresh = (!has_hessian_ && !(taken && patient(history.size() - first))) || (near && hessian_stale_) ||
                slow;
        if (fresh) compute_hessian(exact);
        if (fresh || (has_hessian_ && !factored)) lead_factor_.factorise(0, l2), factored = true;
        lead_.direct([&](double* right) {
            if (has_hessian_)
                lead_factor_.solve(0, right);
            else
                plain(l2, right);
        });
        if (lead_.done) break;
        exact = exact || (alone() && ready(lead_.norm, lead_.rate));
    }
}

// Whether second derivatives can wait after so many passes: those of a model that still moves much serve it
// badly later on, and remembered steps do for a beginning.
bool FoldNewton::patient(std::size_t made) const {
    return alone() && hessian_cost_ > kDear && made <= kTrial;
}

// Divided by the second derivatives of columns that have nothing to do with each other.
void FoldNewton::plain(double l2, double* right) const {
    Numbers diagonal(static_cast<std::size_t>(pilot_.size()));
    pilot_.diagonal(0, l2, diagonal.data());
    for (std::int64_t i = 0; i < pilot_.size(); ++i) right[i] /= diagonal[i] + plain_;
}

// Loss and gradient of the pilot where it wants to go; whether it goes there.
bool FoldNewton::lead_pass(double l2, bool exact) {
    const std::int64_t folds = pilot_.folds, each = pilot_.spread();
    const Numbers theta = lead_.tried();
    Numbers models(static_cast<std::size_t>(folds * each)), sums(models.size());
    Numbers losses(static_cast<std::size_t>(folds)), summed(static_cast<std::size_t>(each), 0.0);
    Which first;
    for (std::int64_t f = 0; f < folds; ++f) {
        pilot_.to_columns(0, theta.data(), models.data() + f * each);
        first.push_back(f);
    }
    first.push_back(folds);
    rows_.gradients({models.data(), first.data(), folds, pilot_.classes}, exact, pool_, sums.data(),
                    losses.data());
    made_pass(1);
    double lost = 0.0;
    for (std::int64_t f = 0; f < folds; ++f) {
        for (std::int64_t i = 0; i < each; ++i) summed[i] += pilot_.of_fold(0, f) * sums[f * each + i];
        lost += pilot_.of_fold(0, f) * losses[f];
    }
    Numbers gradient(theta.size());
    pilot_.gradient(0, theta.data(), summed.data(), l2, gradient.data());
    const double loss = lost / pilot_.weight[0] + pilot_.penalised(0, theta.data(), l2);
    if (lead_scale_ == 0.0) lead_scale_ = std::max(largest(gradient), kLeastScale);
    const double norm = largest(gradient) / lead_scale_;
    if (!lead_.take(theta, loss, gradient, norm, !exact)) return false;
    fold_sums_ = std::move(sums);
    history.push_back({l2, loss, norm});
    return true;
}

// Second derivatives where the pilot is.
void FoldNewton::compute_hessian(bool exact) {
    const Numbers grams = grams_of(pilot_, 0, lead_.theta, exact);
    lead_factor_.renew(grams, pool_);
    if (!alone()) factors_.renew(grams, pool_);
    has_hessian_ = true, hessian_stale_ = false;
    lead_.forget();
    for (Iterate& point : points_) point.forget();
    for (Numbers& each : correction_) std::fill(each.begin(), each.end(), 0.0);
}

// All parts from the pilot to their own solutions.
void FoldNewton::solve_training_sets(double l2) {
    std::vector<Numbers> first(points_.size());
    pool_.run(parts_.count, [&](std::int64_t g, int) {
        Numbers theta = first[g] = begin(g, l2);
        for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += correction_[g][i];
        points_[g].restart(std::move(theta));
    });
    std::fill(renewed_.begin(), renewed_.end(), 0);
    bool exact = !coarse_;
    int turns = 0;
    for (; turns < kMostPasses; ++turns) {
        Which live, slow;
        for (std::int64_t g = 0; g < parts_.count; ++g)
            if (points_[g].live()) live.push_back(g);
        if (live.empty()) break;
        const Which taken = pass(live, l2, exact);
        bool stuck = false;
        for (const Iterate& point : points_) stuck = stuck || point.stuck;
        Numbers rates;
        for (const std::int64_t g : live) rates.push_back(points_[g].rate);
        if (turns == 1) guess_ = median(rates);
        for (const std::int64_t g : taken)
            if (points_[g].rate > kSlow && points_[g].rate < kInfinite) slow.push_back(g);
        if (!exact && (!slow.empty() || stuck)) {
            exact = true;
            for (Iterate& point : points_) point.stuck = false;
        } else {
            renew(slow, l2);
        }
        pool_.run(static_cast<std::int64_t>(taken.size()), [&](std::int64_t i, int) {
            const std::int64_t g = taken[i];
            points_[g].direct([&](double* right) { factors_.solve(g, right); });
            // Second derivatives of a pilot that knows more classes would move those of the part together,
            // and the way back along that direction, where the penalty alone bends, takes many steps.
            if (parts_.lacks_class(g)) parts_.balance(g, points_[g].step.data());
        });
        const auto near = std::count_if(live.begin(), live.end(), [&](std::int64_t g) {
            return ready(points_[g].norm, points_[g].rate);
        });
        exact = exact || 2 * near > static_cast<std::int64_t>(live.size());
    }
    hessian_stale_ = turns > patience_;
    for (std::int64_t g = 0; g < parts_.count; ++g)
        for (std::size_t i = 0; i < first[g].size(); ++i)
            correction_[g][i] = points_[g].theta[i] - first[g][i];
}

// Losses and gradients of parts where they want to go; those that go there and are not at their end.
FoldNewton::Which FoldNewton::pass(const Which& live, double l2, bool exact) {
    std::vector<Numbers> theta;
    for (const std::int64_t g : live) theta.push_back(points_[g].tried());
    sum_gradients(live, theta, exact);
    std::vector<char> goes(live.size(), 0);
    pool_.run(static_cast<std::int64_t>(live.size()), [&](std::int64_t i, int) {
        const std::int64_t g = live[i];
        Numbers gradient(theta[i].size());
        parts_.gradient(g, theta[i].data(), summed_[g].data(), l2, gradient.data());
        const double norm = largest(gradient) / scale_[g];
        const double loss = summed_[g].back() / parts_.weight[g] + parts_.penalised(g, theta[i].data(), l2);
        if (!points_[g].take(theta[i], loss, gradient, norm, !exact)) return;
        points_[g].done = exact && norm <= tol_;
        goes[i] = !points_[g].done;
    });
    Which taken;
    for (std::size_t i = 0; i < live.size(); ++i)
        if (goes[i]) taken.push_back(live[i]);
    return taken;
}

// Sums of the gradients by B of some parts, each over the folds it is trained on, and of the losses.
void FoldNewton::sum_gradients(const Which& some, const std::vector<Numbers>& theta, bool exact) {
    const std::int64_t each = parts_.spread();
    Numbers models;
    Which first{0}, part;
    std::vector<Numbers> B(some.size(), Numbers(static_cast<std::size_t>(each)));
    for (std::size_t i = 0; i < some.size(); ++i) {
        parts_.to_columns(some[i], theta[i].data(), B[i].data());
        summed_[some[i]].assign(static_cast<std::size_t>(each + 1), 0.0);
    }
    for (std::int64_t f = 0; f < parts_.folds; ++f) {
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (!parts_.trained_on(some[i], f)) continue;
            models.insert(models.end(), B[i].begin(), B[i].end());
            part.push_back(some[i]);
        }
        first.push_back(static_cast<std::int64_t>(part.size()));
    }
    Numbers gradient(models.size()), loss(part.size());
    rows_.gradients({models.data(), first.data(), parts_.folds, parts_.classes}, exact, pool_,
                    gradient.data(), loss.data());
    made_pass(static_cast<std::int64_t>(some.size()));
    for (std::int64_t f = 0; f < parts_.folds; ++f)
        for (std::int64_t m = first[f]; m < first[f + 1]; ++m) {
            const double share = parts_.of_fold(part[m], f);
            Numbers& sum = summed_[part[m]];
            for (std::int64_t i = 0; i < each; ++i) sum[i] += share * gradient[m * each + i];
            sum[each] += share * loss[m];
        }
}

// One Newton step of a part from the pilot's solution: its sums are known fold by fold, no pass is needed.
FoldNewton::Numbers FoldNewton::begin(std::int64_t part, double l2) {
    const double* start = parts_.start + part * parts_.size();
    const bool* free = parts_.free + part * parts_.size();
    Numbers theta(lead_.theta), summed(static_cast<std::size_t>(parts_.spread()), 0.0), step(theta.size());
    for (std::size_t i = 0; i < theta.size(); ++i)
        theta[i] = start[i] == kAbsent ? kAbsent : (free[i] ? theta[i] : 0.0);
    for (std::int64_t f = 0; f < parts_.folds; ++f)
        if (parts_.trained_on(part, f))
            for (std::size_t i = 0; i < summed.size(); ++i)
                summed[i] += parts_.of_fold(part, f) * fold_sums_[f * summed.size() + i];
    parts_.gradient(part, theta.data(), summed.data(), l2, step.data());
    factors_.factorise(part, l2);
    factors_.solve(part, step.data());
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= step[i];
    // The pilot may know a class that a part does not, whose weights are then missing in the sum.
    parts_.balance(part, theta.data());
    return theta;
}

// Second derivatives at a part's own weights, for parts that the pilot's serve badly.
void FoldNewton::renew(const Which& slow, double l2) {
    for (const std::int64_t g : slow) {
        factors_.renew_part(g, grams_of(parts_, g, points_[g].theta, true));
        factors_.factorise(g, l2);
        points_[g].forget();
        renewed_[g] = 1;
    }
}

// Second derivatives at weights theta in every fold that the part is trained on.
FoldNewton::Numbers FoldNewton::grams_of(const LogisticObjective& parts, std::int64_t part,
                                         const Numbers& theta, bool exact) {
    Numbers model(static_cast<std::size_t>(parts.spread()));
    parts.to_columns(part, theta.data(), model.data());
    const auto wanted = std::make_unique<bool[]>(static_cast<std::size_t>(parts.folds));
    for (std::int64_t f = 0; f < parts.folds; ++f) wanted[f] = parts.trained_on(part, f);
    Numbers grams(static_cast<std::size_t>(parts.folds * parts.pairs() * parts.columns * parts.columns));
    rows_.grams(model.data(), parts.classes, parts.folds, wanted.get(), exact, pool_, grams.data());
    made_pass(parts.columns);
    return grams;
}

// Whether a part should be at its end with the next step.
bool FoldNewton::ready(double norm, double rate) const {
    return norm * std::min(rate < kInfinite ? rate : guess_, 1.0) <= kReady * std::max(tol_, kFloor);
}

void FoldNewton::made_pass(std::int64_t models) {
    ++passes;
    pause_.after(rows_.rows() * parts_.spread() * models);
}

}  // namespace assay
