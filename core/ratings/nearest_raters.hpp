// What critics say of one item: the nearest of them, and means of their ratings.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "ratings/ratings.hpp"

namespace assay {

// Sums of one query, critics coming nearest first, or in order where all are heard.
struct Voices {
    double weight = 0.0, sum = 0.0, standard = 0.0, closest = -1.0, nearest = 0.0;
    std::int32_t used = 0;

    void add(double similarity, double code, double mean, double inverse) {
        weight += similarity;
        sum += similarity * code;
        standard += similarity * ((code - mean) * inverse);
        if (similarity > closest) closest = similarity, nearest = code;
        ++used;
    }
    void write(const Heard& heard, int which, std::int64_t queries, std::int64_t query) const {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        double* out = heard.out + which * 3 * queries + query;
        out[0] = used ? sum / weight : kNone;
        out[queries] = used ? standard / weight : kNone;
        out[2 * queries] = used ? nearest : kNone;
        heard.used[which * queries + query] = used;
    }
};

// A critic who rated the item, by similarity; equals by their number.
struct Critic {
    double similarity, code;
    std::int32_t number;
    bool operator<(const Critic& other) const {
        return similarity > other.similarity || (similarity == other.similarity && number < other.number);
    }
};

// The `most` nearest critics seen so far (0: all), critics coming in ascending order.
class Nearest {
  public:
    explicit Nearest(std::int64_t most) : most_(static_cast<std::size_t>(most)) {}

    void begin() { kept_.clear(), limit_ = 0.0; }
    void add(double similarity, double code, std::int32_t number) {
        if (!(similarity > limit_)) return;  // no evidence, or a later critic who loses against equals
        kept_.push_back({similarity, code, number});
        if (most_ && kept_.size() >= 2 * most_ + 64) shrink();
    }
    Voices voices(const Critics& critics) {
        if (most_) {
            if (kept_.size() > most_) shrink();
            std::sort(kept_.begin(), kept_.end());
        }
        Voices voices;
        for (const Critic& one : kept_)
            voices.add(one.similarity, one.code, critics.mean[one.number], critics.inverse[one.number]);
        return voices;
    }

  private:
    void shrink() {
        const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(most_) - 1;
        std::nth_element(kept_.begin(), last, kept_.end());
        limit_ = last->similarity;
        kept_.resize(most_);
    }
    std::size_t most_;
    double limit_ = 0.0;
    std::vector<Critic> kept_;
};

}  // namespace assay
