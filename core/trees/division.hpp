// The best division of the rows of a node by one column.
#pragma once

#include <cstdint>
#include <vector>

#include "trees/trees.hpp"

namespace assay {

struct Division {
    std::int32_t feature = -1;  // -1: there is none
    double threshold = 0.0;
    bool missing_left = false;
    double purity = 0.0;  // sum over both sides of (squares of the class weights) / weight
};

// Finds divisions; it keeps the room that it needs from node to node.
class DivisionSearch {
  public:
    DivisionSearch(const TreeRows& rows, double min_weight);

    // Tries a column on rows of a node whose class weights are `counts`, and keeps it if it is better.
    // Returns whether the column varies among them.
    bool attempt(std::int64_t feature, const std::int32_t* row, std::int64_t count, const double* weight,
                 const double* counts, Division& best);

  private:
    struct Entry {
        double value;
        std::int32_t row;
    };

    // One side of a division: class weights and the sum of their squares, kept up to date.
    struct Side {
        std::vector<double> counts;
        double weight = 0.0, squares = 0.0;

        void clear();
        void add(std::int32_t k, double w);
        double purity() const { return weight > 0.0 ? squares / weight : 0.0; }
    };

    void sweep(std::int64_t feature, const double* weight, bool missing_left, Division& best);

    const TreeRows& rows_;
    const double min_weight_;
    std::vector<Entry> entries_, missing_;
    Side left_, right_;
};

}  // namespace assay
