#include "logistic/gradients.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/index.hpp"
#include "logistic/simd.hpp"
#include "logistic/softmax.hpp"
#include "simd/vector_ops.hpp"
#include "svm/simd.hpp"

namespace assay {
namespace {

constexpr std::int64_t kWave = 32;           // chunks whose sums are held at a time
constexpr std::int64_t kWaveWork = 1 << 22;  // multiplications, about, that a wave takes

std::int64_t groups_of(std::int64_t rows) { return (rows + kLanes - 1) / kLanes; }

template <class T>
constexpr std::int64_t kBlock = 1024 / sizeof(T);  // rows at a time: scores stay in the first-level cache
template <class T>
constexpr std::int64_t kParts = 32 / sizeof(T);  // partial sums of every product

template <class T>
struct Room {
    std::vector<double> rows, lanes;
    std::vector<T> scores, factor, weight, sums;
    std::vector<std::int64_t> each;
};

template <class T>
const T* kept_of(const FoldOrderedRows& rows);
template <>
const float* kept_of<float>(const FoldOrderedRows& rows) {
    return rows.narrow;
}
template <>
const double* kept_of<double>(const FoldOrderedRows& rows) {
    return rows.kept;
}

// `count` rows from place `at` on, standardised and eight side by side.
template <class T>
void make_lanes(const FoldOrderedRows& rows, std::int64_t at, std::int64_t count, Room<T>& room,
                double* out) {
    const std::int64_t width = rows.width();
    room.rows.resize(static_cast<std::size_t>(kBlock<T> * width));
    if (room.each.empty())
        for (std::int64_t i = 0; i < kBlock<T>; ++i) room.each.push_back(i);
    standardized_rows(rows.table, rows.order + at, 0, count, rows.center, rows.unit, room.rows.data());
    vector_ops().transpose(room.rows.data(), room.each.data(), count, width, out);
    double* last = out + (groups_of(count) - 1) * width * kLanes;
    for (std::int64_t l = (count - 1) % kLanes + 1; l < kLanes; ++l)
        for (std::int64_t j = 0; j < width; ++j) last[j * kLanes + l] = 0.0;
}

// The block's rows, where they are kept or as they are made now; rows in single precision are always kept.
const float* block_rows(const FoldOrderedRows&, std::int64_t, std::int64_t, const float* kept, Room<float>&) {
    return kept;
}
const double* block_rows(const FoldOrderedRows& rows, std::int64_t at, std::int64_t count, const double* kept,
                         Room<double>& room) {
    if (kept) return kept;
    room.lanes.resize(static_cast<std::size_t>(kBlock<double> * rows.width()));
    make_lanes(rows, at, count, room, room.lanes.data());
    return room.lanes.data();
}

// The weights of a block's rows; null: all one.
const double* block_weights(const FoldOrderedRows& rows, std::int64_t at, std::int64_t, Room<double>&) {
    return rows.weight ? rows.weight + at : nullptr;
}
const float* block_weights(const FoldOrderedRows& rows, std::int64_t at, std::int64_t count,
                           Room<float>& room) {
    if (!rows.weight) return nullptr;
    room.weight.assign(rows.weight + at, rows.weight + at + count);
    return room.weight.data();
}

// Calls work(z, at, count) for the blocks of a chunk: `count` rows from place `at` on, eight side by side.
// `kept` is where the chunk begins, if its rows are kept.
template <class T, class Work>
void over_blocks(const FoldOrderedRows& rows, std::int64_t chunk, const T* kept, Room<T>& room, Work&& work) {
    const std::int64_t first = rows.start[chunk], end = rows.start[chunk + 1], width = rows.width();
    for (std::int64_t at = first; at < end; at += kBlock<T>) {
        const std::int64_t count = std::min(kBlock<T>, end - at);
        work(block_rows(rows, at, count, kept ? kept + (at - first) * width : nullptr, room), at, count);
    }
}

// Where each chunk begins among the kept rows.
std::vector<std::int64_t> beginnings(const FoldOrderedRows& rows) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(rows.chunks + 1), 0);
    for (std::int64_t c = 0; c < rows.chunks; ++c)
        at[c + 1] = at[c] + groups_of(rows.start[c + 1] - rows.start[c]) * kLanes * rows.width();
    return at;
}

// Chunks by the threads, wave after wave: sum(chunk, worker, to) fills as many numbers as size(chunk) says
// (0: the chunk is left out), and they are added to into(chunk) in the order of the chunks.
template <class Size, class Sum, class Into>
void in_order(const FoldOrderedRows& rows, ThreadPool& pool, Size&& size, Sum&& sum, Into&& into) {
    const std::int64_t chunks = rows.chunks;
    std::vector<std::vector<double>> held(static_cast<std::size_t>(std::min(kWave, chunks)));
    for (std::int64_t wave = 0; wave < chunks; wave += kWave) {
        const std::int64_t some = std::min(kWave, chunks - wave);
        pool.run(some, [&](std::int64_t item, int worker) {
            held[item].assign(static_cast<std::size_t>(size(wave + item)), 0.0);
            if (!held[item].empty()) sum(wave + item, worker, held[item].data());
        });
        for (std::int64_t item = 0; item < some; ++item) {
            if (held[item].empty()) continue;
            double* to = into(wave + item);
            for (std::size_t i = 0; i < held[item].size(); ++i) to[i] += held[item][i];
        }
        if (rows.pause) rows.pause->after(kWaveWork);
    }
}

// The partial sums of each number added up.
void fold_parts(const std::vector<double>& parts, double* out) {
    for (std::size_t i = 0; i < parts.size(); i += 4)
        out[i / 4] = (parts[i] + parts[i + 2]) + (parts[i + 1] + parts[i + 3]);
}
void fold_parts(const std::vector<float>& parts, double* out) {
    for (std::size_t i = 0; i < parts.size(); i += 8) {
        double sum = 0.0;
        for (std::size_t l = 0; l < 8; ++l) sum += parts[i + l];
        out[i / 8] = sum;
    }
}

// Models without the class that has the largest intercept: only differences of scores count, so its weights
// are taken off the others', and its gradient is what the others leave. A single class stays as it is.
template <class T>
struct Differences {
    std::int64_t classes, width, places;
    std::vector<T> weights;          // models x places x width
    std::vector<std::int64_t> rest;  // class of each model that has no place

    Differences(const double* models, std::int64_t count, std::int64_t classes_, std::int64_t width_)
        : classes(classes_), width(width_), places(classes == 1 ? 1 : classes - 1) {
        for (std::int64_t m = 0; m < count; ++m, models += classes * width) {
            std::int64_t last = 0;
            for (std::int64_t k = 1; k < classes; ++k)
                if (models[(k + 1) * width - 1] > models[(last + 1) * width - 1]) last = k;
            rest.push_back(last);
            for (std::int64_t k = 0; k < places; ++k)
                for (std::int64_t j = 0; j < width; ++j)
                    weights.push_back(static_cast<T>(
                        classes == 1 ? models[j] : models[of(m, k) * width + j] - models[last * width + j]));
        }
    }

    std::int64_t of(std::int64_t m, std::int64_t place) const { return place < rest[m] ? place : place + 1; }

    // The gradient of model m by all classes.
    void spread(std::int64_t m, const double* from, double* to) const {
        if (classes == 1) {
            std::copy_n(from, width, to);
            return;
        }
        std::fill_n(to + rest[m] * width, width, 0.0);
        for (std::int64_t k = 0; k < places; ++k)
            for (std::int64_t j = 0; j < width; ++j) {
                to[of(m, k) * width + j] = from[k * width + j];
                to[rest[m] * width + j] -= from[k * width + j];
            }
    }
};

template <class T>
void gradient_sums(const FoldOrderedRows& rows, const StackedModels& models, ThreadPool& pool,
                   double* gradient, double* loss) {
    const auto& leaf = row_loops_of<T>();
    const std::int64_t width = rows.width(), count = models.first[models.folds];
    const Differences<T> some(models.weights, count, models.classes, width);
    const std::int64_t each = some.places * width;
    const auto begin = beginnings(rows);
    std::vector<Room<T>> rooms(static_cast<std::size_t>(pool.size()));
    const auto first_of = [&](std::int64_t chunk) { return models.first[rows.fold[chunk]]; };
    const auto count_of = [&](std::int64_t chunk) {
        return models.first[rows.fold[chunk] + 1] - first_of(chunk);
    };
    // Of every fold: the gradients of its models, then their losses.
    std::vector<double> sums(static_cast<std::size_t>(count * (each + 1)), 0.0);
    in_order(
        rows, pool, [&](std::int64_t chunk) { return count_of(chunk) * (each + 1); },
        [&](std::int64_t chunk, int worker, double* to) {
            Room<T>& room = rooms[worker];
            const std::int64_t first = first_of(chunk), groups = count_of(chunk);
            const std::int64_t stacked = groups * some.places;
            const T* kept = kept_of<T>(rows) ? kept_of<T>(rows) + begin[chunk] : nullptr;
            room.scores.resize(static_cast<std::size_t>(stacked * kBlock<T>));
            room.sums.assign(static_cast<std::size_t>(stacked * width * kParts<T>), T(0));
            T* s = room.scores.data();
            over_blocks(rows, chunk, kept, room, [&](const T* z, std::int64_t at, std::int64_t count) {
                const std::int64_t eights = groups_of(count);
                leaf.lane_scores(z, eights, width, some.weights.data() + first * each, stacked, s, kBlock<T>);
                softmax_residuals(s, groups, some.classes, count, kBlock<T>, some.rest.data() + first,
                                  rows.codes + at, block_weights(rows, at, count, room), to + groups * each);
                leaf.lane_products(s, kBlock<T>, stacked, z, eights, width, room.sums.data());
            });
            fold_parts(room.sums, to);
        },
        [&](std::int64_t chunk) { return sums.data() + first_of(chunk) * (each + 1); });
    for (std::int64_t f = 0; f < models.folds; ++f) {
        const std::int64_t first = models.first[f], groups = models.first[f + 1] - first;
        const double* from = sums.data() + first * (each + 1);
        for (std::int64_t g = 0; g < groups; ++g)
            some.spread(first + g, from + g * each, gradient + (first + g) * some.classes * width);
        std::copy_n(from + groups * each, groups, loss + first);
    }
}

// Room for the second derivatives of a block: rows of the triangle are multiplied six at a time.
template <class T>
struct GramRoom {
    static constexpr std::int64_t kColumns = kPanelBytes / sizeof(T);
    std::int64_t width, rows, panels;
    std::vector<T> scaled, columns, sums;

    explicit GramRoom(std::int64_t width_)
        : width(width_),
          rows((width + 5) / 6 * 6),
          panels((width + kColumns - 1) / kColumns),
          scaled(static_cast<std::size_t>(rows * kBlock<T>)),
          columns(static_cast<std::size_t>(panels * kBlock<T> * kColumns)),
          sums(static_cast<std::size_t>(rows * kColumns)) {}

    // Adds factor · z zᵀ over the rows of a block, whose columns are there, to the upper triangle.
    void add(const T* z, const T* factor, std::int64_t eights, double* to) {
        const std::int64_t count = eights * kLanes;
        row_loops_of<T>().lane_features(z, factor, eights, width, scaled.data());
        for (std::int64_t p = 0; p < panels; ++p) {
            const std::int64_t first = p * kColumns, end = std::min(width, first + kColumns);
            kernel_loops_of<T>().products(scaled.data(), (end + 5) / 6 * 6, columns.data() + first * count, 1,
                                          count, kColumns, sums.data());
            for (std::int64_t i = 0; i < end; ++i)
                for (std::int64_t j = std::max(i, first); j < end; ++j)
                    to[i * width + j] += static_cast<double>(sums[i * kColumns + j - first]);
        }
    }
};

template <class T>
void gram_sums(const FoldOrderedRows& rows, const double* model, std::int64_t classes, const bool* wanted,
               ThreadPool& pool, double* out) {
    const std::int64_t width = rows.width(), square = width * width;
    const std::int64_t pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
    const std::vector<T> weights(model, model + classes * width);
    const auto begin = beginnings(rows);
    std::vector<Room<T>> rooms(static_cast<std::size_t>(pool.size()));
    in_order(
        rows, pool,
        [&](std::int64_t chunk) { return wanted[rows.fold[chunk]] ? pairs * square : std::int64_t{0}; },
        [&](std::int64_t chunk, int worker, double* to) {
            Room<T>& room = rooms[worker];
            const T* kept = kept_of<T>(rows) ? kept_of<T>(rows) + begin[chunk] : nullptr;
            room.scores.assign(static_cast<std::size_t>(classes * kBlock<T>), T(0));
            room.factor.assign(static_cast<std::size_t>(kBlock<T>), T(0));
            GramRoom<T> grams(width);
            T* p = room.scores.data();
            over_blocks(rows, chunk, kept, room, [&](const T* z, std::int64_t at, std::int64_t count) {
                const std::int64_t eights = groups_of(count);
                row_loops_of<T>().lane_scores(z, eights, width, weights.data(), classes, p, kBlock<T>);
                softmax_posteriors(p, classes, count, kBlock<T>);
                const T* weight = block_weights(rows, at, count, room);
                row_loops_of<T>().lane_panels(z, eights, width, grams.columns.data());
                double* sums = to;
                for (std::int64_t k = 0; k < classes; ++k)
                    for (std::int64_t l = classes == 1 ? k : k + 1; l < classes; ++l) {
                        for (std::int64_t i = 0; i < count; ++i) {
                            const T q = classes == 1 ? T(1) - p[i] : p[l * kBlock<T> + i];
                            room.factor[i] = (weight ? weight[i] : T(1)) * p[k * kBlock<T> + i] * q;
                        }
                        grams.add(z, room.factor.data(), eights, sums);
                        sums += square;
                    }
            });
        },
        [&](std::int64_t chunk) { return out + rows.fold[chunk] * pairs * square; });
}

}  // namespace

std::int64_t kept_size(const FoldOrderedRows& rows) { return beginnings(rows).back(); }

template <class T>
void keep_rows(const FoldOrderedRows& rows, ThreadPool& pool, T* out) {
    const auto begin = beginnings(rows);
    std::vector<Room<T>> rooms(static_cast<std::size_t>(pool.size()));
    const auto keep = [&](std::int64_t chunk, int worker) {
        const std::int64_t first = rows.start[chunk], end = rows.start[chunk + 1], width = rows.width();
        Room<T>& room = rooms[worker];
        room.lanes.resize(static_cast<std::size_t>(kBlock<T> * width));
        for (std::int64_t at = first; at < end; at += kBlock<T>) {
            const std::int64_t count = std::min(kBlock<T>, end - at);
            make_lanes(rows, at, count, room, room.lanes.data());
            std::copy_n(room.lanes.data(), groups_of(count) * kLanes * width,
                        out + begin[chunk] + (at - first) * width);
        }
    };
    for (std::int64_t wave = 0; wave < rows.chunks; wave += kWave) {
        pool.run(std::min(kWave, rows.chunks - wave),
                 [&](std::int64_t item, int worker) { keep(wave + item, worker); });
        if (rows.pause) rows.pause->after(kWaveWork);
    }
}
template void keep_rows(const FoldOrderedRows&, ThreadPool&, float*);
template void keep_rows(const FoldOrderedRows&, ThreadPool&, double*);

void stacked_gradients(const FoldOrderedRows& rows, const StackedModels& models, ThreadPool& pool,
                       double* gradient, double* loss) {
    (rows.narrow ? gradient_sums<float> : gradient_sums<double>)(rows, models, pool, gradient, loss);
}

void fold_grams(const FoldOrderedRows& rows, const double* weights, std::int64_t classes, std::int64_t folds,
                const bool* wanted, ThreadPool& pool, double* out) {
    const std::int64_t width = rows.width(), square = width * width;
    const std::int64_t pairs = classes == 1 ? 1 : classes * (classes - 1) / 2;
    (rows.narrow ? gram_sums<float> : gram_sums<double>)(rows, weights, classes, wanted, pool, out);
    for (std::int64_t m = 0; m < folds * pairs; ++m) {  // the products fill the upper triangle
        if (!wanted[m / pairs]) continue;
        double* matrix = out + m * square;
        for (std::int64_t i = 0; i < width; ++i)
            for (std::int64_t j = i + 1; j < width; ++j) matrix[j * width + i] = matrix[i * width + j];
    }
}

}  // namespace assay
