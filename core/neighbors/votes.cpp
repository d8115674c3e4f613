#include "neighbors/votes.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/threads.hpp"

namespace assay {

namespace {

constexpr std::int64_t kQueries = 1024;
constexpr double kRounding = 1e-12;  // sums of weights that differ by less are taken for equal

// How loud a neighbour is, given the nearest one's distance.
double voice(double nearest, double distance) {
    if (nearest == 0.0) return distance == 0.0 ? 1.0 : 0.0;
    return nearest / distance;
}

// How often the model of a query sees a row.
class Copies {
  public:
    Copies(const Asking& asking, const Voters& voters, std::int64_t query) {
        if (!asking.copies) return;
        const std::int64_t model = asking.model[query];
        cell_ = asking.cell + asking.layer[model] * voters.rows;
        copies_ = asking.copies + model * asking.cells;
    }
    int of(std::int32_t row) const { return !copies_ ? 1 : cell_[row] < 0 ? 0 : copies_[cell_[row]]; }

  private:
    const std::int32_t* cell_ = nullptr;
    const std::uint16_t* copies_ = nullptr;
};

// The votes of one query, size by size.
class Count {
  public:
    Count(std::int64_t classes, const double* k, std::int64_t sizes)
        : votes_(static_cast<std::size_t>(classes)), k_(k), sizes_(sizes) {}

    // `out`: of the first size; that of the next one lies `step` behind it.
    void begin(double* out, std::int64_t step) {
        std::fill(votes_.begin(), votes_.end(), 0.0);
        mass_ = total_ = 0.0, s_ = 0, out_ = out, step_ = step;
    }
    bool done() const { return s_ == sizes_; }
    void add(std::int32_t code, double weight, double loud) {
        while (!done() && k_[s_] < (mass_ + weight) * (1.0 - kRounding)) write(code, (k_[s_] - mass_) * loud);
        mass_ += weight;
        total_ += weight * loud;
        votes_[static_cast<std::size_t>(code)] += weight * loud;
        while (!done() && k_[s_] <= mass_ * (1.0 + kRounding)) write(code, 0.0);
    }
    void finish() {
        while (!done()) write(0, 0.0);
    }

  private:
    void write(std::int32_t code, double part) {  // and `part` of one more vote
        double* to = out_ + s_ * step_;
        const double whole = total_ + part;
        for (std::size_t c = 0; c < votes_.size(); ++c) to[c] = votes_[c] / whole;
        if (part > 0.0) to[code] = (votes_[static_cast<std::size_t>(code)] + part) / whole;
        ++s_;
    }

    std::vector<double> votes_;
    const double* k_;
    std::int64_t sizes_, s_ = 0, step_ = 0;
    double* out_ = nullptr;
    double mass_ = 0.0, total_ = 0.0;
};

}  // namespace

std::int64_t vote(const Neighbors& near, const Voters& voters, const Asking& asking, const double* k,
                  std::int64_t sizes, bool by_distance, bool last, int threads, std::uint8_t* too_short,
                  double* out) {
    std::atomic<std::int64_t> unfinished{0};
    const std::int64_t classes = voters.classes, step = asking.count * classes;
    parallel_for((asking.count + kQueries - 1) / kQueries, threads, [&](std::int64_t block, int) {
        Count count(classes, k, sizes);
        const std::int64_t end = std::min((block + 1) * kQueries, asking.count);
        for (std::int64_t i = block * kQueries; i < end; ++i) {
            const Copies copies(asking, voters, i);
            const double unit = asking.unit ? asking.unit[asking.model[i]] : 1.0;
            const std::int64_t list = (asking.place ? asking.place[i] : i) * near.length;
            const std::int32_t* rows = near.rows + list;
            const double* distances = near.distances + list;
            std::int64_t n = 0, first = -1;
            count.begin(out + i * classes, step);
            for (; n < near.length && !count.done() && rows[n] >= 0; ++n) {
                const int often = copies.of(rows[n]);
                if (often && first < 0) first = n;
                const double weight = voters.weight ? voters.weight[rows[n]] * unit : 1.0;
                const double loud = by_distance && often ? voice(distances[first], distances[n]) : 1.0;
                for (int c = 0; c < often && !count.done(); ++c)
                    count.add(voters.code[rows[n]], weight, loud);
            }
            too_short[i] = !count.done() && !last && n == near.length;
            unfinished += too_short[i];
            if (!too_short[i]) count.finish();
        }
    });
    return unfinished;
}

}  // namespace assay
