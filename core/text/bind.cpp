// What Python sees of text/count.hpp: documents that are kept alive while they are read, and their counted
// words.
#include <nanobind/stl/vector.h>

#include <cstring>
#include <utility>

#include "python/arrays.hpp"
#include "text/count.hpp"

namespace {

Py_ssize_t ready(PyObject* value) {
#if PY_VERSION_HEX < 0x030c0000
    if (PyUnicode_READY(value) < 0) nb::raise_python_error();
#endif
    return PyUnicode_GET_LENGTH(value);
}

std::unique_ptr<assay::Words> words_of(nb::handle listed) {
    auto words = std::make_unique<assay::Words>();
    for (nb::handle word : listed) {
        Py_ssize_t size = 0;
        const char* bytes = PyUnicode_AsUTF8AndSize(word.ptr(), &size);
        if (!bytes) nb::raise_python_error();
        words->add(bytes, static_cast<std::size_t>(size));
    }
    return words;
}

// Documents where they lie: strings and bytes of Python, and columns of Arrow.
class Texts {
  public:
    // Rows that hold neither str nor bytes are given back; they are empty documents.
    std::vector<std::int64_t> add_values(nb::typed<nb::list, nb::any> values) {
        std::vector<std::int64_t> others;
        nb::tuple kept(values);  // the list may change while it is read
        for (nb::handle value : kept) {
            assay::Text text;
            if (PyUnicode_Check(value.ptr())) {
                text.size = ready(value.ptr());
                text.data = PyUnicode_DATA(value.ptr());
                text.width = static_cast<int>(PyUnicode_KIND(value.ptr()));
            } else if (PyBytes_Check(value.ptr())) {
                text = {PyBytes_AS_STRING(value.ptr()), PyBytes_GET_SIZE(value.ptr()), 0};
            } else {
                others.push_back(static_cast<std::int64_t>(texts.size()));
            }
            texts.push_back(text);
        }
        kept_.push_back(kept);
        surveyed_ = false;
        return others;
    }

    template <class Offset>
    void add_column(In<Offset> offsets, In<std::uint8_t> bytes, Maybe<bool> missing) {
        require(offsets.size() > 0, "there must be a first offset");
        const auto rows = offsets.count() - 1;
        require_size(missing, rows);
        const Offset* at = offsets.data();
        const auto size = bytes.count();
        for (std::int64_t row = 0; row < rows; ++row) {
            assay::Text text;
            if (!missing || !missing->data()[row]) {
                require(
                    at[row] >= 0 && at[row] <= at[row + 1] && static_cast<std::int64_t>(at[row + 1]) <= size,
                    "The offsets of the column of text lie outside its bytes; make the column anew.");
                text = {bytes.data() + at[row], static_cast<std::int64_t>(at[row + 1] - at[row]), 0};
            }
            texts.push_back(text);
        }
        columns_.push_back(std::move(bytes));
        surveyed_ = false;
    }

    // (row, position, unit) of the first thing that is not text, or None.
    std::optional<std::tuple<std::int64_t, std::int64_t, std::int64_t>> survey(int threads) {
        assay::Pages seen{};
        assay::Fault fault;
        {
            nb::gil_scoped_release release;
            fault = assay::survey(texts, threads, seen);
        }
        if (fault.row >= 0) return std::tuple(fault.row, fault.position, fault.unit);
        pages_.clear();
        for (int page = 0; page < assay::Characters::PAGES; ++page)
            if (seen[static_cast<std::size_t>(page)]) pages_.push_back(page);
        surveyed_ = true;
        return std::nullopt;
    }

    // Pages of 256 code points that occur.
    const std::vector<int>& pages() const {
        require(surveyed_, "the texts have not been surveyed");
        return pages_;
    }

    std::vector<assay::Text> texts;

  private:
    std::vector<nb::object> kept_;
    std::vector<In<std::uint8_t>> columns_;
    std::vector<int> pages_;
    bool surveyed_ = false;
};

void fill_page(assay::Characters& characters, int page, In<std::uint32_t> entries) {
    require(page >= 0 && page < assay::Characters::PAGES, "there is no such page");
    require_size(entries, 256 * assay::Characters::WIDTH);
    for (std::size_t i = 0; i < entries.size(); ++i)
        require((entries.data()[i] & assay::Characters::POINT) < 0x110000 &&
                    entries.data()[i] >> assay::Characters::MORE < 3,
                "an entry is no code point");
    characters.fill(page, entries.data());
}

void make_tally(assay::Tally* at, const Texts& texts, const assay::Characters& characters, bool words,
                int least, int most, nb::typed<nb::list, nb::str> stop,
                std::optional<nb::typed<nb::list, nb::str>> vocabulary, int threads) {
    require(least >= 1 && least <= most, "the range of tokens in a row must begin at 1 and not be reversed");
    require(texts.texts.size() < 0xffffffff,
            "There are more than 4294967294 documents; count them in parts.");
    for (const int page : texts.pages()) require(characters.has(page), "a page of characters is missing");
    const auto left_out = words_of(stop);
    auto known = vocabulary ? words_of(*vocabulary) : nullptr;
    if (known) require(known->size() == vocabulary->size(), "a word of the vocabulary stands there twice");
    const assay::Tokens tokens{words, least, most, left_out->size() ? left_out.get() : nullptr};
    nb::gil_scoped_release release;
    new (at) assay::Tally(texts.texts, characters, tokens, std::move(known), threads);
}

constexpr std::int64_t AHEAD = 16;  // words in order lie anywhere; so many are fetched before they are read

// The places of a writable one-dimensional array of objects.
class Slots {
  public:
    explicit Slots(const nb::object& array) {
        if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) {
            PyErr_Clear();
            throw nb::type_error("the names need a contiguous array that can be written to");
        }
        if (view_.ndim == 1 && std::strcmp(view_.format, "O") == 0) return;
        PyBuffer_Release(&view_);
        require(false, "the names need an array of objects");
    }
    ~Slots() { PyBuffer_Release(&view_); }
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;

    Py_ssize_t size() const { return view_.shape[0]; }
    void put(Py_ssize_t place, PyObject* value) {
        PyObject*& slot = static_cast<PyObject**>(view_.buf)[place];
        Py_XDECREF(std::exchange(slot, value));
    }

  private:
    Py_buffer view_;
};

bool is_ascii(const assay::Word& word) {
    const char* bytes = word.bytes();
    unsigned char any = 0;
    for (std::uint32_t i = 0; i < word.length; ++i) any |= static_cast<unsigned char>(bytes[i]);
    return any < 0x80;
}

PyObject* string_of(const assay::Word& word) {
    if (!is_ascii(word)) return PyUnicode_DecodeUTF8(word.bytes(), word.length, "strict");
    PyObject* text = PyUnicode_New(static_cast<Py_ssize_t>(word.length), 127);
    if (text) std::memcpy(PyUnicode_1BYTE_DATA(text), word.bytes(), word.length);
    return text;
}

// Puts the words of the columns that are kept into an array of objects, in order.
void names(const assay::Tally& tally, In<std::int32_t> column, nb::object out) {
    require_size(column, tally.word_count());
    require(tally.knows_words(), "the words were forgotten");
    Slots slots(out);
    const std::int64_t count = tally.word_count();
    Py_ssize_t place = 0;
    for (std::int64_t number = 0; number < count; ++number) {
        if (number + AHEAD < count) __builtin_prefetch(&tally.word(number + AHEAD));
        if (column.data()[number] < 0) continue;
        require(place < slots.size(), "the arrays do not fit together");
        PyObject* text = string_of(tally.word(number));
        if (!text) nb::raise_python_error();
        slots.put(place++, text);
    }
    require(place == slots.size(), "the arrays do not fit together");
}

void totals(const assay::Tally& tally, Out<std::int64_t> documents, Out<std::int64_t> total) {
    require(tally.knows_words(), "the words were forgotten");
    require_size(documents, tally.word_count());
    require_size(total, tally.word_count());
    for (std::int64_t number = 0; number < tally.word_count(); ++number) {
        if (number + AHEAD < tally.word_count()) __builtin_prefetch(&tally.word(number + AHEAD));
        documents.data()[number] = tally.word(number).documents;
        total.data()[number] = tally.word(number).total;
    }
}

void bounds(const assay::Tally& tally, In<std::int32_t> column, int threads, Out<std::int64_t> first) {
    require_size(column, tally.word_count());
    require_size(first, tally.rows() + 1);
    nb::gil_scoped_release release;
    tally.bounds(column.data(), threads, first.data());
}

template <class Index>
void fill(const assay::Tally& tally, In<std::int32_t> column, In<Index> first, bool binary, int threads,
          Out<std::int32_t> columns, Out<std::int32_t> counts) {
    require_size(column, tally.word_count());
    require_size(first, tally.rows() + 1);
    for (std::int64_t row = 0; row < tally.rows(); ++row)
        require(first.data()[row] <= first.data()[row + 1], "rows must be in order");
    require(first.data()[0] == 0, "the first row begins at 0");
    require_size(columns, static_cast<std::int64_t>(first.data()[tally.rows()]));
    require_size(counts, static_cast<std::int64_t>(columns.size()));
    nb::gil_scoped_release release;
    tally.fill(column.data(), first.data(), binary, threads, columns.data(), counts.data());
}

}  // namespace

void bind_text(nb::module_& m) {
    nb::class_<Texts>(m, "Texts")
        .def(nb::init<>())
        .def("__len__", [](const Texts& self) { return self.texts.size(); })
        .def("add_values", &Texts::add_values, "values"_a)
        .def("add_column", &Texts::add_column<std::int32_t>, "offsets"_a.noconvert(), "bytes"_a,
             "missing"_a.none())
        .def("add_column", &Texts::add_column<std::int64_t>, "offsets"_a.noconvert(), "bytes"_a,
             "missing"_a.none())
        .def("survey", &Texts::survey, "threads"_a)
        .def("pages", &Texts::pages);
    nb::class_<assay::Characters>(m, "Characters")
        .def(nb::init<bool>(), "context"_a)
        .def(
            "has",
            [](const assay::Characters& characters, int page) {
                require(page >= 0 && page < assay::Characters::PAGES, "there is no such page");
                return characters.has(page);
            },
            "page"_a)
        .def("fill", &fill_page, "page"_a, "entries"_a);
    nb::class_<assay::Tally>(m, "Tally")
        .def("__init__", &make_tally, "texts"_a, "characters"_a, "words"_a, "least"_a, "most"_a, "stop"_a,
             "vocabulary"_a.none(), "threads"_a)
        .def("__len__", &assay::Tally::rows)
        .def_prop_ro("word_count", &assay::Tally::word_count)
        .def_prop_ro("stopped", &assay::Tally::stopped)
        .def("names", &names, "column"_a, "out"_a,
             nb::sig("def names(self, column: numpy.typing.NDArray[numpy.int32], "
                     "out: numpy.typing.NDArray[numpy.object_]) -> None"))
        .def("totals", &totals, "documents"_a.noconvert(), "total"_a.noconvert())
        .def("forget_words", &assay::Tally::forget_words)
        .def("bounds", &bounds, "column"_a, "threads"_a, "first"_a.noconvert())
        .def("fill", &fill<std::int32_t>, "column"_a, "first"_a.noconvert(), "binary"_a, "threads"_a,
             "columns"_a.noconvert(), "counts"_a.noconvert())
        .def("fill", &fill<std::int64_t>, "column"_a, "first"_a.noconvert(), "binary"_a, "threads"_a,
             "columns"_a.noconvert(), "counts"_a.noconvert());
}
