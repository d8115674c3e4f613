// Rows of a table that Python gave, with the arrays that they lie in.
#pragma once

#include "arrays.hpp"
#include "row_sums.hpp"
#include "signals.hpp"

struct BoundRows {
    BoundRows(Table x, Maybe<double> fill, Maybe<std::int32_t> indicators, In<std::int64_t> order,
              In<double> center, In<double> unit, In<std::int32_t> codes, Maybe<double> weight,
              In<std::int64_t> start, In<std::int32_t> fold, bool coarse, bool keep);
    BoundRows(const BoundRows&) = delete;

    void require_names(std::int64_t classes, std::int64_t folds) const;

    Table x;
    Maybe<double> fill;
    Maybe<std::int32_t> indicators;
    In<std::int64_t> order;
    In<double> center, unit;
    In<std::int32_t> codes;
    Maybe<double> weight;
    In<std::int64_t> start;
    In<std::int32_t> fold;
    assay::Ordered ordered;
    assay::FoldRows rows;
};

// Ctrl-C is heard in the passes over these rows as long as this lives.
struct Heeded {
    explicit Heeded(BoundRows& bound) : pause(check_signals), rows(bound.rows) { rows.heed(&pause); }
    ~Heeded() { rows.heed(nullptr); }

    assay::Pause pause;
    assay::FoldRows& rows;
};
