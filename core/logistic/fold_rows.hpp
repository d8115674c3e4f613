// What solvers of many training parts ask of a table: sums over the rows of each fold.
#pragma once

#include <cstdint>
#include <memory>

#include "base/threads.hpp"
#include "logistic/gradients.hpp"

namespace assay {

class RowSums {
  public:
    virtual ~RowSums() = default;

    // As stacked_gradients and fold_grams; a pass that need not be exact may be made in single precision.
    virtual void gradients(const StackedModels& models, bool exact, ThreadPool& pool, double* gradient,
                           double* loss) = 0;
    virtual void grams(const double* model, std::int64_t classes, std::int64_t folds, const bool* wanted,
                       bool exact, ThreadPool& pool, double* out) = 0;

    // Whether a pass that need not be exact is quicker.
    virtual bool coarse() const = 0;
    virtual std::int64_t rows() const = 0;
};

// Dense rows, standardised once where they may be kept, and otherwise whenever they are read.
class FoldRows final : public RowSums {
  public:
    FoldRows(const FoldOrderedRows& rows, bool coarse, bool keep)
        : rows_(rows), coarse_(coarse), keep_(keep) {}

    void gradients(const StackedModels& models, bool exact, ThreadPool& pool, double* gradient,
                   double* loss) override {
        stacked_gradients(read(exact, pool), models, pool, gradient, loss);
    }
    void grams(const double* model, std::int64_t classes, std::int64_t folds, const bool* wanted, bool exact,
               ThreadPool& pool, double* out) override {
        fold_grams(read(exact, pool), model, classes, folds, wanted, pool, out);
    }
    bool coarse() const override { return coarse_; }

    // Passes ask from time to time whether to go on; null: they do not.
    void heed(InterruptCheck* pause) { rows_.pause = pause; }
    std::int64_t rows() const override { return rows_.start[rows_.chunks] - rows_.start[0]; }

  private:
    FoldOrderedRows read(bool exact, ThreadPool& pool) {
        FoldOrderedRows rows = rows_;
        if (coarse_ && !exact) {
            rows.narrow = kept(narrow_, pool);
        } else if (keep_ && exact_passes_++ > 0) {  // a single pass is not worth a copy
            rows.kept = kept(wide_, pool);
        }
        return rows;
    }

    template <class T>
    const T* kept(std::unique_ptr<T[]>& room, ThreadPool& pool) {
        if (!room) {
            std::unique_ptr<T[]> made(new T[static_cast<std::size_t>(kept_size(rows_))]);
            keep_rows(rows_, pool, made.get());
            room = std::move(made);
        }
        return room.get();
    }

    FoldOrderedRows rows_;
    bool coarse_, keep_;
    std::int64_t exact_passes_ = 0;
    std::unique_ptr<float[]> narrow_;
    std::unique_ptr<double[]> wide_;
};

}  // namespace assay
