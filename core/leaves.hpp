// The innermost loops. They are compiled once for each kind of processor (see CMakeLists.txt) and chosen when
// the library first runs; the rest of the code reaches them through this table.
#pragma once

#include <cstdint>

#include "layer_leaves.hpp"
#include "pattern_leaves.hpp"
#include "rating_leaves.hpp"

namespace assay {

constexpr std::int64_t kLanes = 8;     // doubles handled side by side, in fixed lanes
constexpr std::int64_t kTogether = 4;  // rows (or columns) that share one load of the parameters

constexpr std::int64_t kPanel = 32;  // columns of a whitener that a row of few entries fills at once

inline std::int64_t whole_lanes(std::int64_t width) { return (width + kLanes - 1) / kLanes * kLanes; }

// What passes over rows do, in either precision.
template <class T>
struct PassLeaves {
    // Scores of two classes (count, code 1 against code 0) or more (class k from k * stride on), replaced by
    // posteriors; with codes by weighted residuals, and the sum of the weighted log losses is returned.
    // `room` has space for eight numbers a class. With `rest` >= 0 that class has score 0, is not stored, and
    // the classes behind it lie one place earlier.
    double (*sigmoid)(T* scores, std::int64_t count, const std::int32_t* codes, const T* weight, T* room);
    double (*softmax)(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride,
                      std::int64_t rest, const std::int32_t* codes, const T* weight, T* room);

    // On groups of eight rows side by side, as `transpose` makes them: scores of linear models, s[m * stride
    // + row]; products sums[(m * width + j) * parts ...] += a[m * stride + row] z[j], in as many partial sums
    // as fill 32 bytes; rows times a factor each, feature after feature, those of feature j from out[j *
    // rows] on; and the rows as panels of columns as MachineLeaves has them, filled up with zeros.
    void (*lane_scores)(const T* z, std::int64_t groups, std::int64_t width, const T* weights,
                        std::int64_t models, T* s, std::int64_t stride);
    void (*lane_products)(const T* a, std::int64_t stride, std::int64_t models, const T* z,
                          std::int64_t groups, std::int64_t width, T* sums);
    void (*lane_features)(const T* z, const T* factor, std::int64_t groups, std::int64_t width, T* out);
    void (*lane_panels)(const T* z, std::int64_t groups, std::int64_t width, T* out);
};

// A pair of a sweep: its key, the row in the block and the column in the panel.
template <class Key>
struct HitOf {
    Key key;
    std::int32_t row, column;
};
using Hit = HitOf<float>;
using WholeHit = HitOf<std::int32_t>;

// The same sweep over small whole numbers, exact: every number of `rows` and `panel` is a pair of 16 bits
// each, and sums start with that of their column. Group g has pairs ends[g] to ends[g + 1], and `used` says
// which pairs of the panel they are.
typedef std::int64_t (*WholeSweep)(const std::int32_t* rows, const std::int32_t* used,
                                   const std::int64_t* ends, std::int64_t groups, const std::int32_t* panel,
                                   const std::int32_t* start, const std::int32_t* limit, WholeHit* hits);

// Distances of a row to rows source[0..count) of x (null: 0, 1, ...): the sum of squared differences, of
// absolute ones, the number of columns that differ, and the mixture of near_lanes.hpp.
template <class T>
struct DistanceLeaves {
    typedef void (*To)(const double* row, const T* x, const std::int32_t* source, std::int64_t count,
                       std::int64_t width, std::int64_t numeric, double* out);
    To squares, absolutes, mismatches, mixed;
};

// k-means: squared distances of rows source[i] to centres labels[i]; a row about a point, times its weight,
// cut into two parts (kmeans_sums.hpp).
template <class T>
struct GroupLeaves {
    void (*squares_to_own)(const T* x, std::int64_t width, const std::int32_t* source,
                           const std::int32_t* labels, std::int64_t count, const double* centers,
                           double* out);
    void (*cut_row)(const T* x, const double* center, double weight, std::int64_t width,
                    const double* high_cut, const double* low_cut, double* high, double* low);
};

// Bounds in single precision: sums rounded away from what they bound, and by how much one must lie below
// another to be less for certain.
constexpr float kFloatUp = 1.0f + 0x1p-22f, kFloatDown = 1.0f - 0x1p-22f;
constexpr float kFloatMargin = 1.000001f, kFloatLeast = 1e-30f;

constexpr std::int64_t kPanelBytes = 64;  // of a row of a panel of columns, two vectors side by side

// Rows of a Gram matrix and gradients of kernel machines; see smo.hpp. `count` is a whole number of kLanes in
// the first two.
template <class T>
struct MachineLeaves {
    // v -= step (first - second), rounded into `narrow`; returns the place of the largest narrow + up.
    std::int64_t (*move)(double step, const T* first, const T* second, std::int64_t count, double* v,
                         T* narrow, const T* up);

    // The place j at which (top - narrow)^2 / (self + diagonal - 2 row) is largest among those with top >
    // narrow + low, -1 if there is none; `widest` becomes the largest top - narrow - low. Denominators are at
    // least `least`.
    std::int64_t (*partner)(T top, T self, const T* row, const T* diagonal, const T* narrow, const T* low,
                            T least, std::int64_t count, T* widest);

    // v -= sum over n rows of factor * rows[r][first ...], `count` numbers.
    void (*subtract_rows)(const T* const* rows, const double* factor, std::int64_t n, std::int64_t first,
                          std::int64_t count, double* v);

    // out[r * stride + c] = rows[r] · column c of `groups` panels: number j of the columns of panel g
    // lie side by side, kPanelBytes from (g * width + j) * kPanelBytes on.
    void (*products)(const T* rows, std::int64_t count, const T* panels, std::int64_t groups,
                     std::int64_t width, std::int64_t stride, T* out);

    // Sum of row * factor.
    double (*product)(const T* row, const double* factor, std::int64_t count);

    // out = exp(factor |x - z|^2) from products x z; `self` is |x|^2, `squares` are |z|^2, factor <= 0. `out`
    // may be `products`.
    void (*gaussians)(const T* products, T self, const T* squares, T factor, std::int64_t count, T* out);
};

constexpr std::int64_t kSearchRows = 16;  // rows of one class and fold, in a feature search, side by side

// A normal feature as rows of one class see it: what it adds to their margin over each of the other classes,
// constants + halves (x - means)^2 - half (x - mean)^2. The first `before` of the others come before the own
// class and win where scores are equal.
struct NormalTerms {
    double mean, half;
    std::int64_t rivals, before;
    const double *means, *halves, *constants;
};

// A feature that adds slopes (x - centers).
struct LinearTerms {
    std::int64_t rivals, before;
    const double *slopes, *centers;
};

// Loops of a feature search; see feature_search.hpp. Margins over class k lie at k * stride. Hits are the
// rows (or their weights) whose every margin wins.
struct SearchLeaves {
    void (*normal_add)(const double* x, std::int64_t rows, const NormalTerms& terms, double* margin,
                       std::int64_t stride);
    double (*normal_hits)(const double* x, std::int64_t rows, const NormalTerms& terms, const double* margin,
                          std::int64_t stride, const double* weight);
    void (*linear_add)(const double* x, std::int64_t rows, const LinearTerms& terms, double* margin,
                       std::int64_t stride);
    // With `moved`, x += factor moved first.
    double (*linear_hits)(double* x, const double* moved, double factor, std::int64_t rows,
                          const LinearTerms& terms, const double* margin, std::int64_t stride,
                          const double* weight);
    // Of margins a + b; b may be null.
    double (*sum_hits)(const double* a, const double* b, std::int64_t rows, std::int64_t rivals,
                       std::int64_t before, std::int64_t stride, const double* weight);
};

// Rows of a grid of settings, see grid.hpp: rows in groups, number d of all of a group side by side; columns
// in panels of `columns`, number d of all of a panel side by side.
template <class T>
struct TurnLeaves {
    // out[group][setting][row] = sum over columns j of share[j][setting] (start[j] + x · turn[:, j])^2.
    void (*squares)(const T* rows, std::int64_t groups, std::int64_t depth, const T* turn, const T* start,
                    std::int64_t panels, const T* share, std::int64_t settings, T* out);
    // out[group][j][row] = start[j] + x · turn[:, j].
    void (*lines)(const T* rows, std::int64_t groups, std::int64_t depth, const T* turn, const T* start,
                  std::int64_t panels, T* out);
};

// What bounds the error of a score -1/2 q in single precision: unit (sqrt(q) a + unit a^2 + q + bias) with
// a = turn |x| + start.
struct GridError {
    float unit, turn, start, bias;
};

struct GridLeaves {
    std::int64_t columns, rows32, rows64;  // of a panel; of a group
    TurnLeaves<float> floats;
    TurnLeaves<double> doubles;
    // |x| of every row of a group.
    void (*lengths)(const float* rows, std::int64_t depth, float* out);
    // The bound of every row of a group, for the largest of its squares.
    void (*doubts)(const float* squares, std::int64_t settings, const float* length, const GridError& error,
                   float* out);
    // Rows, as bits, whose class `own` has the largest score bias[k] + factor values[k * stride] for certain,
    // and those where it has not; doubts[k][row] is what each score may be off.
    void (*judge)(const float* values, std::int64_t stride, const float* bias, float factor,
                  const float* doubts, std::int64_t classes, std::int64_t own, std::uint64_t* right,
                  std::uint64_t* wrong);
};

struct Leaves {
    // Sums and squares of (x - center[cell]) over a block of rows; negative cells are left out.
    void (*add_rows)(const double* x, std::int64_t count, std::int64_t width, const std::int32_t* cell,
                     const double* center, double* weight, double* sum, double* square);
    void (*add_weighted_rows)(const double* x, std::int64_t count, std::int64_t width,
                              const std::int32_t* cell, const double* row_weight, const double* center,
                              double* weight, double* sum, double* square);

    // (x - c) * scale into the row's place in every panel of eight columns; weight * (x - c) to the sum.
    void (*center_row)(const double* x, const double* c, std::int64_t width, double weight, double scale,
                       std::int64_t panel_stride, double* out, double* sum);

    // block (8 x 8) += left' right over the rows of two panels; only the first `halves` times four of its
    // rows.
    void (*add_block)(const double* left, const double* right, std::int64_t rows, int halves, double* block);

    // Scores of a run of rows of one model; parameters padded to whole lanes, `rows` scratch of 4 padded
    // rows.
    void (*linear_run)(const double* x, const std::int64_t* source, const std::int32_t* place,
                       std::int64_t count, std::int64_t width, std::int64_t classes, const double* center,
                       const double* weights, const double* bias, double* rows, double* out);
    void (*diagonal_run)(const double* x, const std::int64_t* source, const std::int32_t* place,
                         std::int64_t count, std::int64_t width, std::int64_t classes, const double* mean,
                         const double* precision, const double* bias, double* rows, double* out);

    // Rows source[0..count) of x in groups of eight, transposed: group g holds feature j of its rows at
    // t[(g * width + j) * 8 ...]; the last group repeats its last row.
    void (*transpose)(const double* x, const std::int64_t* source, std::int64_t count, std::int64_t width,
                      double* t);

    // On such groups: out = t - mean, then sums += squares of four columns of a whitener.
    void (*subtract)(const double* t, const double* mean, std::int64_t groups, std::int64_t width,
                     double* out);
    void (*add_squares)(const double* d, std::int64_t groups, std::int64_t width, const double* block,
                        std::int64_t rows, double* sums);

    // Columns of a row that are not zero, in order; returns how many. `columns` has room for `width`.
    std::int64_t (*nonzeros)(const double* row, std::int64_t width, std::int32_t* columns);

    // sums += |start + sum of value * panel[column]|^2 for rows given by their entries, those of row r from
    // first[r] to first[r + 1]; entries of columns from `columns` on do not reach this panel.
    void (*add_sparse_squares)(const std::int32_t* column, const double* value, const std::int64_t* first,
                               std::int64_t rows, const double* panel, std::int32_t columns,
                               const double* start, double* sums);

    // Products of a row with the rows of a matrix, `count` of them.
    void (*dots)(const double* row, const double* matrix, std::int64_t count, std::int64_t width,
                 double* out);

    // sums += factor * values.
    void (*add_multiple)(double factor, const double* values, std::int64_t count, double* sums);

    // out = (row - center) * unit.
    void (*standardize)(const double* row, const double* center, const double* unit, std::int64_t width,
                        double* out);

    // The lower triangle of a matrix replaced by its Cholesky factor, column k from k * step on, with room
    // for seven numbers behind the last row; false where it is not positive definite. And L L' x = b solved
    // in place.
    bool (*factorise)(double* a, std::int64_t step, std::int64_t size);
    void (*solve_factor)(const double* a, std::int64_t step, std::int64_t size, double* b);

    // exp(x) for x <= 0; 0 below the least normal number.
    void (*exp_all)(const double* x, std::int64_t count, double* out);

    // ln(x) for finite x of at least the least normal number.
    void (*log_all)(const double* x, std::int64_t count, double* out);

    // Log posteriors of rows whose joint log likelihoods lie `stride` apart, and their first largest class;
    // returns the rows that cannot be normalised. `room` has space for four numbers a class; `out` may be
    // `scores` where the rows lie side by side.
    std::int64_t (*log_posteriors)(const double* scores, std::int64_t rows, std::int64_t classes,
                                   std::int64_t stride, double* room, double* out, std::int32_t* best);

    // sum[k] = sum of value[e] * table[line[e]][k] in the order of the entries; lines have `stride` numbers,
    // a multiple of eight.
    void (*add_lines)(const std::int32_t* line, const double* value, std::int64_t count, const double* table,
                      std::int64_t stride, double* sum);

    // Of margins m = t - length bent and p = m held between 0 and 1: sums of c p (m - p/2) and of c p bent.
    void (*hinge_line)(const double* t, const double* bent, const double* c, std::int64_t count,
                       double length, double* sums);

    PassLeaves<float> passes32;
    PassLeaves<double> passes64;
    LayerLeaves<float> layers32;
    LayerLeaves<double> layers64;

    // Products of rows, in groups of `near_rows` side by side, with a panel of `near_columns` columns; those
    // that do not exceed the limit of their row are listed, and counted.
    std::int64_t (*near_sweep)(const float* rows, std::int64_t groups, std::int64_t depth, const float* panel,
                               const float* limit, Hit* hits);
    WholeSweep whole_sweep;  // null where it would not be faster
    std::int64_t near_rows, near_columns;
    DistanceLeaves<float> distances32;
    DistanceLeaves<double> distances64;
    MachineLeaves<float> machines32;
    MachineLeaves<double> machines64;

    // Keys bias + x · centre of rows source[0..count) of x with the centres of panels of `near_rows`, number
    // d of them side by side: the least, where it is (the first of several), and the second least. `room`
    // holds depth * near_columns numbers.
    void (*nearest_two)(const float* x, std::int64_t depth, const std::int32_t* source, std::int64_t count,
                        const float* panels, const float* bias, std::int64_t panel_count, float* room,
                        float* last, float* best, float* second, std::int32_t* where);

    // Bounds of rows first, first + 1, ... moved on: upper += drift[label], lower -= others[label]. Rows
    // whose upper bound is not below the lower one, or half[label], are listed and counted; `listed` has room
    // for `count`.
    std::int64_t (*list_doubtful)(std::int64_t first, std::int64_t count, const std::int32_t* labels,
                                  const float* drift, const float* others, const float* half, float* upper,
                                  float* lower, std::int32_t* listed);
    GroupLeaves<float> groups32;
    GroupLeaves<double> groups64;
    SearchLeaves search;
    RatingLeaves ratings;
    GridLeaves grid;
    PatternLeaves patterns;
};

// The table for this processor, or the one that ASSAY_ISA (portable, avx2, avx512) asks for if it can run
// here.
const Leaves& leaves();

template <class T>
const PassLeaves<T>& pass_leaves();
template <>
inline const PassLeaves<float>& pass_leaves<float>() {
    return leaves().passes32;
}
template <>
inline const PassLeaves<double>& pass_leaves<double>() {
    return leaves().passes64;
}

// Its name.
const char* isa();

}  // namespace assay
