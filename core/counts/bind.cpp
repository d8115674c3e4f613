// What Python sees of counts: categories, quantiles and words, counted by class.

#include <limits>

#include "counts/categories.hpp"
#include "counts/quantile_bins.hpp"
#include "counts/word_tables.hpp"
#include "python/arrays.hpp"
#include "python/csr_array.hpp"

namespace {

using Cells2 = Array<AnyType, nb::ro, nb::ndim<2>>;

template <class T, class Cells>
assay::Cellwise<T> cellwise(const Cells& table) {
    return {static_cast<const T*>(table.data()), table.extent(0), table.extent(1), table.stride(0),
            table.stride(1)};
}

// Calls work(a table of its own type).
template <class Work>
void with_type(const Cells2& table, Work&& work) {
    if (table.dtype() == nb::dtype<double>()) return work(cellwise<double>(table));
    if (table.dtype() == nb::dtype<float>()) return work(cellwise<float>(table));
    if (table.dtype() == nb::dtype<std::int64_t>()) return work(cellwise<std::int64_t>(table));
    if (table.dtype() == nb::dtype<std::int32_t>()) return work(cellwise<std::int32_t>(table));
    if (table.dtype() == nb::dtype<std::uint8_t>()) return work(cellwise<std::uint8_t>(table));
    throw std::invalid_argument("the table must be float64, float32, int64, int32 or uint8");
}

void require_offsets(const In<std::int64_t>& first, std::int64_t columns) {
    require_size(first, columns + 1);
    require(first.data()[0] == 0, "the first column starts at 0");
    for (std::int64_t j = 0; j < columns; ++j)
        require(first.data()[j] <= first.data()[j + 1], "columns must be in order");
}

assay::Levels levels_of(const In<std::int32_t>& codes, const In<std::int64_t>& first) {
    require(codes.ndim() == 2, "codes must be columns x rows");
    const auto columns = codes.extent(0);
    require_offsets(first, columns);
    return {codes.data(), first.data(), codes.extent(1), columns};
}

void level_ranges(Cells2 x, int threads, Out<double> low, Out<double> high, Out<std::uint8_t> whole) {
    require_size(low, x.extent(1));
    require_size(high, x.extent(1));
    require_size(whole, x.extent(1));
    with_type(x, [&](const auto& table) {
        nb::gil_scoped_release release;
        assay::level_ranges(table, threads, low.data(), high.data(), whole.data());
    });
}

void table_codes(Cells2 x, In<double> low, In<std::int64_t> first, In<std::int32_t> codes, int threads,
                 Out<std::int32_t> out) {
    const auto columns = x.extent(1);
    require_size(low, columns);
    require_offsets(first, columns);
    require_size(codes, first.data()[columns]);
    require_size(out, columns * x.extent(0));
    with_type(x, [&](const auto& table) {
        nb::gil_scoped_release release;
        assay::table_codes(table, low.data(), first.data(), codes.data(), threads, out.data());
    });
}

void count_levels(In<std::int32_t> codes, In<std::int64_t> first, In<std::int32_t> cell, int threads,
                  Out<std::int64_t> out) {
    const auto levels = levels_of(codes, first);
    require(out.ndim() == 2, "counts must be cells x levels");
    const auto cells = out.extent(0);
    require_size(out, cells * first.data()[levels.columns]);
    require_size(cell, levels.rows);
    require(within(cell.data(), levels.rows, std::numeric_limits<std::int32_t>::min(), cells),
            "a class or group lies beyond the number of them");
    nb::gil_scoped_release release;
    const bool inside = assay::count_levels(levels, cell.data(), cells, threads, out.data());
    nb::gil_scoped_acquire acquire;
    require(inside, "a code lies beyond the levels of its column");
}

void count_weighted_levels(In<std::int32_t> codes, In<std::int64_t> first, In<std::int32_t> cell,
                           In<double> weight, int threads, Out<double> out) {
    const auto levels = levels_of(codes, first);
    require(out.ndim() == 2, "counts must be cells x levels");
    const auto cells = out.extent(0);
    require_size(out, cells * first.data()[levels.columns]);
    require_size(cell, levels.rows);
    require_size(weight, levels.rows);
    require(within(cell.data(), levels.rows, std::numeric_limits<std::int32_t>::min(), cells),
            "a class or group lies beyond the number of them");
    nb::gil_scoped_release release;
    const bool inside =
        assay::count_weighted_levels(levels, cell.data(), weight.data(), cells, threads, out.data());
    nb::gil_scoped_acquire acquire;
    require(inside, "a code lies beyond the levels of its column");
}

void level_scores(In<std::int32_t> codes, In<std::int64_t> first, Maybe<std::int32_t> model, In<double> table,
                  In<double> bias, int threads, Out<double> out) {
    const auto levels = levels_of(codes, first);
    require(bias.ndim() == 2 && bias.shape(0) > 0, "the bias must be models x classes");
    const auto models = bias.extent(0), classes = bias.extent(1);
    require_size(table, models * (first.data()[levels.columns] + levels.columns) * classes);
    require_size(out, levels.rows * classes);
    if (model) {
        require_size(*model, levels.rows);
        require(within<std::int32_t>(model->data(), levels.rows, 0, models), "there is no such model");
    }
    for (std::int64_t j = 0; j < levels.columns; ++j)
        require(within<std::int32_t>(codes.data() + j * levels.rows, levels.rows, assay::kUnseen,
                                     first.data()[j + 1] - first.data()[j]),
                "a code lies beyond the levels of its column");
    nb::gil_scoped_release release;
    assay::level_scores(levels, data_of(model), classes, table.data(), bias.data(), threads, out.data());
}

void count_bins(Table x, In<std::int64_t> cut, In<std::int32_t> codes, int threads, Out<std::int64_t> edges,
                Out<std::int64_t> out) {
    const auto rows = x.extent(0), columns = x.extent(1), cuts = cut.count();
    require(out.ndim() == 3, "counts must be columns x bins x classes");
    const auto classes = out.extent(2);
    require_size(out, columns * (cuts + 1) * classes);
    require_size(edges, columns);
    require_size(codes, rows);
    require(within<std::int32_t>(codes.data(), rows, 0, classes), "a class lies beyond the number of them");
    require(within<std::int64_t>(cut.data(), cuts, 0, rows), "a rank lies beyond the rows");
    for (std::int64_t i = 1; i < cuts; ++i) require(cut.data()[i - 1] < cut.data()[i], "ranks must ascend");
    const auto run = [&](const auto& table) {
        nb::gil_scoped_release release;
        return assay::count_bins(table, cut.data(), cuts, codes.data(), classes, threads, edges.data(),
                                 out.data());
    };
    bool finite;
    if (x.dtype() == nb::dtype<double>())
        finite = run(cellwise<double>(x));
    else if (x.dtype() == nb::dtype<float>())
        finite = run(cellwise<float>(x));
    else
        throw std::invalid_argument("the table must be float64 or float32");
    require(finite, "a value that is not finite has no bin");
}

constexpr std::int64_t kLane = 8;

assay::WordTable table_of(const In<double>& counts) {
    require(counts.ndim() == 2, "counts must be words x classes");
    return {counts.data(), counts.extent(0), counts.extent(1)};
}

template <class Lines>
std::int64_t stride_of(const Lines& lines, std::int64_t classes) {
    require(lines.ndim() == 2, "there must be a line for each word");
    const auto stride = lines.extent(1);
    require(stride % kLane == 0 && stride >= classes, "lines must be padded to whole lanes");
    return stride;
}

struct WordRows {
    AnyKept kept;

    std::int64_t rows() const {
        return std::visit([](const auto& found) { return found.matrix.rows; }, kept);
    }
    std::int64_t columns() const {
        return std::visit([](const auto& found) { return found.matrix.columns; }, kept);
    }

    void require_rows(const In<std::int64_t>& which) const {
        require(within<std::int64_t>(which.data(), which.count(), 0, rows()), "there is no such row");
    }

    void add(In<std::int64_t> which, In<std::int32_t> code, Maybe<double> weight, double factor,
             Out<double> table) const {
        require(table.ndim() == 2, "counts must be words x classes");
        const auto classes = table.extent(1);
        require_size(table, columns() * classes);
        require_rows(which);
        require_size(code, rows());
        require_size(weight, rows());
        require(within<std::int32_t>(code.data(), rows(), -1, classes), "codes must name a class");
        nb::gil_scoped_release release;
        std::visit(
            [&](const auto& found) {
                assay::add_rows(found.matrix, which.data(), which.count(), code.data(), data_of(weight),
                                factor, classes, table.data());
            },
            kept);
    }

    void scores(In<std::int64_t> which, In<std::int32_t> place, In<double> weights, In<double> bias,
                int threads, Out<double> out) const {
        const auto classes = bias.count(), stride = stride_of(weights, classes), count = which.count();
        require_rows(which);
        require_size(place, columns());
        require_size(out, count * classes);
        require(within<std::int32_t>(place.data(), columns(), -1, weights.extent(0)), "a word has no line");
        nb::gil_scoped_release release;
        std::visit(
            [&](const auto& found) {
                assay::word_scores(found.matrix, which.data(), count, place.data(), weights.data(), stride,
                                   bias.data(), classes, threads, out.data());
            },
            kept);
    }
};

template <class Index>
void make(WordRows* at, In<Index> first, In<Index> column, In<double> value, std::int64_t columns) {
    new (at) WordRows{Kept<Index>(std::move(first), std::move(column), std::move(value), columns)};
}

void vocabulary_sums(In<double> counts, In<std::uint8_t> chosen, Maybe<double> base, int threads,
                     Out<double> totals, Out<double> logs) {
    const auto table = table_of(counts);
    require_size(chosen, table.words);
    require_size(base, table.classes);
    require_size(totals, table.classes);
    require_size(logs, table.classes);
    nb::gil_scoped_release release;
    assay::vocabulary_sums(table, chosen.data(), data_of(base), threads, totals.data(), logs.data());
}

void word_logs(In<double> counts, In<std::int64_t> words, In<double> base, double sign, bool others,
               int threads, Out<double> out) {
    const auto table = table_of(counts);
    const auto count = words.count(), stride = stride_of(out, table.classes);
    require(within<std::int64_t>(words.data(), count, 0, table.words), "there is no such word");
    require_size(base, table.classes);
    require_size(out, count * stride);
    nb::gil_scoped_release release;
    assay::word_logs(table, words.data(), count, base.data(), sign, others, stride, threads, out.data());
}

}  // namespace

void bind_counts(nb::module_& m) {
    m.def("level_ranges", &level_ranges, "x"_a, "threads"_a, "low"_a.noconvert(), "high"_a.noconvert(),
          "whole"_a.noconvert());
    m.def("table_codes", &table_codes, "x"_a, "low"_a, "first"_a, "codes"_a, "threads"_a,
          "out"_a.noconvert());
    m.def("count_levels", &count_levels, "codes"_a, "first"_a, "cell"_a, "threads"_a, "out"_a.noconvert());
    m.def("count_weighted_levels", &count_weighted_levels, "codes"_a, "first"_a, "cell"_a, "weight"_a,
          "threads"_a, "out"_a.noconvert());
    m.def("level_scores", &level_scores, "codes"_a, "first"_a, "model"_a.none(), "table"_a, "bias"_a,
          "threads"_a, "out"_a.noconvert());
    m.def("count_bins", &count_bins, "x"_a, "cut"_a, "codes"_a, "threads"_a, "edges"_a.noconvert(),
          "out"_a.noconvert());

    nb::class_<WordRows>(m, "WordRows")
        .def("__init__", &make<std::int32_t>, "first"_a.noconvert(), "column"_a.noconvert(), "value"_a,
             "columns"_a)
        .def("__init__", &make<std::int64_t>, "first"_a.noconvert(), "column"_a.noconvert(), "value"_a,
             "columns"_a)
        .def("add", &WordRows::add, "rows"_a, "code"_a, "weight"_a.none(), "factor"_a, "table"_a.noconvert())
        .def("scores", &WordRows::scores, "rows"_a, "place"_a, "weights"_a, "bias"_a, "threads"_a,
             "out"_a.noconvert());
    m.def("vocabulary_sums", &vocabulary_sums, "counts"_a, "chosen"_a, "base"_a.none(), "threads"_a,
          "totals"_a.noconvert(), "logs"_a.noconvert());
    m.def("word_logs", &word_logs, "counts"_a, "words"_a, "base"_a, "sign"_a, "others"_a, "threads"_a,
          "out"_a.noconvert());
}
