// Rows and the groups they are in, with bounds that tell which of them to look at again.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/distance_bounds.hpp"
#include "cluster/exact_sums.hpp"
#include "cluster/kmeans.hpp"

namespace assay {

// Where the centres are, and how far they came: of every one its own drift, the largest drift of the others,
// and half the distance to the nearest other one, in units of the frame and rounded to be safe.
struct Centers {
    const double* at;
    std::vector<float> drift, others, half;
};

class Assignment {
  public:
    Assignment(const Grouping& grouping, int threads, InterruptCheck& pause, std::int32_t* labels);

    const Frame& frame() const { return frame_; }
    double weight(std::int64_t i) const { return weight_ ? weight_[i] : 1.0; }
    double total_weight() const { return total_weight_; }

    // Every row to the first of its nearest centres. `gained`: by how much the weighted sum of squared
    // distances fell; in the first pass there is none to begin with, and it is the sum with its sign turned.
    struct Passed {
        std::int64_t changed = 0;
        double gained = 0.0;
    };
    Passed assign(const Centers& centers);

    // Weight of a group; its mean, where that is not 0.
    double weight_of(std::int64_t group) const { return total_.value(group, width_); }
    void mean_of(std::int64_t group, double* out) const;

    // Weighted sum of the squared distances to the own centres, and the farthest row of some weight (-1:
    // all lie on their centres).
    struct Measured {
        double sum = 0.0, most = 0.0;
        std::int64_t farthest = -1;
    };
    Measured measure(const double* centers);

    // A row to a group; its bounds are forgotten.
    void give(std::int64_t i, std::int32_t group);

  private:
    // What one thread works with.
    struct Room {
        Room(std::int64_t depth, std::int64_t groups);
        std::vector<std::int32_t> listed, own, where;
        std::vector<double> squares, buffer, to_centers, cut;
        std::vector<float> columns, norm, best, second;
        GroupSums sums;
    };

    template <class Work>
    void each_block(std::int64_t cost, Work work);
    std::int64_t list_open(const Centers& centers, std::int64_t first, std::int64_t count, Room& room);
    void decide(const Centers& centers, std::int64_t open, Room& room, Passed& passed);
    void move(std::int64_t i, std::int32_t group, GroupSums& sums, Room& room);
    void squares_to_own(const std::int32_t* source, const std::int32_t* labels, std::int64_t count,
                        const double* centers, double* out) const;
    std::vector<double> largest();

    const RowMatrix rows_;
    const double* weight_;
    const std::int64_t groups_, width_, blocks_;
    const int threads_;
    InterruptCheck& pause_;
    std::int32_t* labels_;
    Frame frame_;
    CenterPanels panels_;
    double total_weight_ = 0.0, negligible_ = 0.0;  // squared distance of a row from itself as a mean
    Cuts cuts_;
    GroupSums total_;
    std::vector<Room> rooms_;
    std::vector<float> x_, upper_, lower_;
    bool begun_ = false;
};

}  // namespace assay
