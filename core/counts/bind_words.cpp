// What Python sees of counts/word_tables.hpp: counts of words by class, and the rows that they are counted
// from.
#include "counts/word_tables.hpp"
#include "python/csr_array.hpp"

namespace {

constexpr std::int64_t kLane = 8;

assay::WordTable table_of(const In<double>& counts) {
    require(counts.ndim() == 2, "counts must be words x classes");
    return {counts.data(), static_cast<std::int64_t>(counts.shape(0)),
            static_cast<std::int64_t>(counts.shape(1))};
}

template <class Lines>
std::int64_t stride_of(const Lines& lines, std::int64_t classes) {
    require(lines.ndim() == 2, "there must be a line for each word");
    const auto stride = static_cast<std::int64_t>(lines.shape(1));
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
        require(within<std::int64_t>(which.data(), static_cast<std::int64_t>(which.size()), 0, rows()),
                "there is no such row");
    }

    void add(In<std::int64_t> which, In<std::int32_t> code, Maybe<double> weight, double factor,
             Out<double> table) const {
        require(table.ndim() == 2, "counts must be words x classes");
        const auto classes = static_cast<std::int64_t>(table.shape(1));
        require_size(table, columns() * classes);
        require_rows(which);
        require_size(code, rows());
        if (weight) require_size(*weight, rows());
        require(within<std::int32_t>(code.data(), rows(), -1, classes), "codes must name a class");
        nb::gil_scoped_release release;
        std::visit(
            [&](const auto& found) {
                assay::add_rows(found.matrix, which.data(), static_cast<std::int64_t>(which.size()),
                                code.data(), weight ? weight->data() : nullptr, factor, classes,
                                table.data());
            },
            kept);
    }

    void scores(In<std::int64_t> which, In<std::int32_t> place, In<double> weights, In<double> bias,
                int threads, Out<double> out) const {
        const auto classes = static_cast<std::int64_t>(bias.size()), stride = stride_of(weights, classes),
                   count = static_cast<std::int64_t>(which.size());
        require_rows(which);
        require_size(place, columns());
        require_size(out, count * classes);
        require(
            within<std::int32_t>(place.data(), columns(), -1, static_cast<std::int64_t>(weights.shape(0))),
            "a word has no line");
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
    if (base) require_size(*base, table.classes);
    require_size(totals, table.classes);
    require_size(logs, table.classes);
    nb::gil_scoped_release release;
    assay::vocabulary_sums(table, chosen.data(), base ? base->data() : nullptr, threads, totals.data(),
                           logs.data());
}

void word_logs(In<double> counts, In<std::int64_t> words, In<double> base, double sign, bool others,
               int threads, Out<double> out) {
    const auto table = table_of(counts);
    const auto count = static_cast<std::int64_t>(words.size()), stride = stride_of(out, table.classes);
    require(within<std::int64_t>(words.data(), count, 0, table.words), "there is no such word");
    require_size(base, table.classes);
    require_size(out, count * stride);
    nb::gil_scoped_release release;
    assay::word_logs(table, words.data(), count, base.data(), sign, others, stride, threads, out.data());
}

}  // namespace

void bind_words(nb::module_& m) {
    nb::class_<WordRows>(m, "WordRows")
        .def("__init__", &make<std::int32_t>, nb::arg("first").noconvert(), nb::arg("column").noconvert(),
             nb::arg("value"), nb::arg("columns"))
        .def("__init__", &make<std::int64_t>, nb::arg("first").noconvert(), nb::arg("column").noconvert(),
             nb::arg("value"), nb::arg("columns"))
        .def("add", &WordRows::add, nb::arg("rows"), nb::arg("code"), nb::arg("weight").none(),
             nb::arg("factor"), nb::arg("table").noconvert())
        .def("scores", &WordRows::scores, nb::arg("rows"), nb::arg("place"), nb::arg("weights"),
             nb::arg("bias"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("vocabulary_sums", &vocabulary_sums, nb::arg("counts"), nb::arg("chosen"), nb::arg("base").none(),
          nb::arg("threads"), nb::arg("totals").noconvert(), nb::arg("logs").noconvert());
    m.def("word_logs", &word_logs, nb::arg("counts"), nb::arg("words"), nb::arg("base"), nb::arg("sign"),
          nb::arg("others"), nb::arg("threads"), nb::arg("out").noconvert());
}
