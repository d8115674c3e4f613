// Votes of neighbours: class shares among the nearest, for several numbers of them at once.
#pragma once

#include <cstdint>

namespace assay {

// Lists of neighbours, `length` each, nearest first; -1 ends a list that holds all rows there are.
struct Neighbors {
    const std::int32_t* rows;
    const double* distances;
    std::int64_t count, length;
};

struct Voters {
    const std::int32_t* code;  // class of each row
    const double* weight;      // null: every row counts as one
    std::int64_t classes, rows;
};

// Who asks: query i reads the list place[i] and is of model[i]. A model sees row r as often as
// copies[model, cell[layer, r]] says, never where that cell is negative; and a weight of 1 counts as
// unit[model] rows.
struct Asking {
    std::int64_t count;
    const std::int32_t* place = nullptr;  // null: query i reads list i
    const std::int32_t* model = nullptr;
    const double* unit = nullptr;  // null: one
    const std::int32_t* cell = nullptr;
    const std::int32_t* layer = nullptr;
    const std::uint16_t* copies = nullptr;  // null: every row once
    std::int64_t cells = 0;
};

// Shares of the classes among the nearest rows whose weights add up to k[s], the last one counted in part
// where it would be too much: out[(s * count + query) * classes ...], for sizes k in ascending order. By
// distance, a row votes with d_1 / d; rows at distance 0 then silence all others. `last`: a list holds all
// rows there are, so that sizes beyond it take it whole; otherwise queries whose lists are too short are
// marked. Returns how many.
std::int64_t vote(const Neighbors& near, const Voters& voters, const Asking& asking, const double* k,
                  std::int64_t sizes, bool by_distance, bool last, int threads, std::uint8_t* too_short,
                  double* out);

}  // namespace assay
