// Rows of a table that Python gave, with the arrays that they lie in.
#pragma once

#include "logistic/fold_rows.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

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
    assay::FoldOrderedRows ordered;
    assay::FoldRows rows;
};

// Ctrl-C is heard in the passes over these rows as long as this lives.
struct Heeded {
    explicit Heeded(BoundRows& bound) : pause(check_interrupt), rows(bound.rows) { rows.heed(&pause); }
    ~Heeded() { rows.heed(nullptr); }

    assay::InterruptCheck pause;
    assay::FoldRows& rows;
};
