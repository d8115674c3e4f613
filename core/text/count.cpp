#include "text/count.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/threads.hpp"
#include "text/row_sorter.hpp"
#include "text/tokenizer.hpp"

namespace assay {
namespace {

constexpr std::int64_t MOST_WORKERS = 1024;
[[maybe_unused]] constexpr std::int64_t MANY_WORDS = 1 << 15;
constexpr std::int64_t CHUNK_UNITS = 1 << 18;  // enough that taking the next chunk costs nothing

// The words of one document after another, counted. Short words wait in a batch: looking them up together
// hides most of the time that the table takes to come from memory.
class Counter {
  public:
    Counter(Words& words, Stream& stream, bool learns) : words_(words), stream_(stream), learns_(learns) {}

    void begin(std::int64_t row) { document_ = static_cast<std::uint32_t>(row + 1); }

    void operator()(const char* bytes, std::size_t length) {
        if (length <= Key::SIZE)
            (*this)(key_of(bytes, length), length, true);
        else
            count(look_up(bytes, length));
    }

    void operator()(Key key, std::size_t length, bool counts) {
        const std::uint32_t hash = hash_of(key, length);
        Waiting& word = batch_[waiting_];
        word.key.a = key.a;
        word.key.b = key.b;
        word.length = static_cast<std::uint32_t>(length);
        word.hash = hash;
        waiting_ += counts;
        words_.fetch_slot(hash);
        if (waiting_ == BATCH) flush();
    }

    std::uint32_t end() {
        flush();
        const std::uint32_t size = used_;
        for (std::uint32_t i = 0; i < size; ++i) {
            if (counts_[i] > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max()))
                throw std::length_error(
                    "A word stands more than 2147483647 times in one document; divide it.");
            stream_.push(ids_[i], counts_[i]);
            counts_[i] = 0;
        }
        used_ = 0;
        return size;
    }

  private:
    static constexpr std::size_t BATCH = 32;
    struct Waiting {
        Key key;
        std::uint32_t length, hash, id;
    };

    std::uint32_t look_up(const char* bytes, std::size_t length) {
        return learns_ ? words_.add(bytes, length) : words_.find(bytes, length);
    }

    void flush() {
        for (std::size_t i = 0; i < waiting_; ++i) {
            batch_[i].id = words_.hint(batch_[i].hash);
            if (batch_[i].id != Words::NONE) words_.fetch_word(batch_[i].id);
        }
        for (std::size_t i = 0; i < waiting_; ++i) {
            const Waiting& word = batch_[i];
            const bool known = word.id != Words::NONE && words_.is(word.id, word.key, word.length);
            count(known ? word.id : look_up(reinterpret_cast<const char*>(&word.key), word.length));
        }
        waiting_ = 0;
    }

    // Whether a word is new to the document is as good as a coin, so nothing branches on it.
    void count(std::uint32_t id) {
        if (id == Words::NONE) return;
        if (used_ == ids_.size()) {
            ids_.resize(2 * ids_.size());
            counts_.resize(ids_.size());
        }
        Word& word = words_.at(id);
        const bool fresh = word.document != document_;
        const std::uint32_t place = fresh ? used_ : word.place;
        ++word.total;
        word.document = document_;
        word.place = place;
        word.documents += fresh;
        used_ += fresh;
        ids_[place] = id;
        ++counts_[place];
    }

    Words& words_;
    Stream& stream_;
    const bool learns_;
    std::uint32_t document_ = 0;
    std::uint32_t used_ = 0;  // words of this document so far
    std::vector<std::uint32_t> ids_ = std::vector<std::uint32_t>(1024), counts_ = ids_;
    std::array<Waiting, BATCH> batch_;
    std::size_t waiting_ = 0;
};

}  // namespace

void Characters::fill(int page, const std::uint32_t* entries) {
    pages_[page].reset(new std::uint32_t[256 * WIDTH]);
    std::copy(entries, entries + 256 * WIDTH, pages_[page].get());
    if (page == 0)
        for (int c = 0; c < 128; ++c) {
            const std::uint32_t entry = entries[WIDTH * c];
            ascii_word[c] = entry & WORD ? static_cast<char>(entry & POINT) : '\0';
        }
}

Tally::Tally(const std::vector<Text>& texts, const Characters& characters, const Tokens& tokens,
             std::unique_ptr<Words> vocabulary, int threads)
    : sizes_(texts.size()) {
    cut(texts);
    const auto items = static_cast<std::int64_t>(chunks_.size());
    workers_.resize(static_cast<std::size_t>(
        std::max<std::int64_t>(1, std::min<std::int64_t>({threads, items, MOST_WORKERS}))));
    for (Worker& worker : workers_) worker.stopped.resize(tokens.stop ? tokens.stop->size() : 0);
    const bool learns = vocabulary == nullptr;
    if (!learns) {
        for (std::size_t i = 1; i < workers_.size(); ++i) workers_[i].words.share(*vocabulary);
        workers_[0].words = std::move(*vocabulary);
    }
    parallel_for(items, static_cast<int>(workers_.size()), [&](std::int64_t item, int number) {
        Worker& worker = workers_[number];
        Chunk& chunk = chunks_[item];
        chunk.worker = number;
        chunk.start = worker.stream.end();
        Counter counter(worker.words, worker.stream, learns);
        Scanner<Counter&> scanner(characters, tokens, counter, worker.stopped);
        for (std::int64_t row = chunk.first; row < chunk.last; ++row) {
            counter.begin(row);
            scanner.scan(texts[row]);
            sizes_[row] = counter.end();
        }
    });
    number(learns);
}

void Tally::number(bool learned) {
    if (learned) {
        std::vector<Words*> tables;
        for (Worker& worker : workers_) tables.push_back(&worker.words);
        Vocabulary found = join_words(tables, static_cast<int>(tables.size()));
        order_ = std::move(found.order);
        for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i].number = std::move(found.number[i]);
    } else {
        std::vector<std::uint32_t> as_given(workers_[0].words.size());
        std::iota(as_given.begin(), as_given.end(), 0);
        for (const std::uint32_t id : as_given) order_.push_back({0, id});
        for (Worker& worker : workers_) worker.number = as_given;
    }
    word_count_ = static_cast<std::int64_t>(order_.size());
}

std::int64_t Tally::stopped() const {
    std::vector<char> met(workers_[0].stopped.size());
    for (const Worker& worker : workers_)
        for (std::size_t i = 0; i < met.size(); ++i) met[i] |= worker.stopped[i];
    return std::count(met.begin(), met.end(), 1);
}

void Tally::forget_words() {
    for (Worker& worker : workers_) worker.words = Words();
    order_ = {};
#ifdef __GLIBC__
    // Tables of several threads lie in several heaps, which would keep the pages; few words are not worth it.
    if (word_count_ >= MANY_WORDS) malloc_trim(0);
#endif
}

void Tally::cut(const std::vector<Text>& texts) {
    const auto count = static_cast<std::int64_t>(texts.size());
    std::int64_t first = 0, units = 0;
    for (std::int64_t row = 0; row < count; ++row) {
        units += texts[row].size;
        if (units < CHUNK_UNITS && row + 1 < count) continue;
        chunks_.push_back({first, row + 1, {}, 0});
        first = row + 1;
        units = 0;
    }
}

std::vector<std::int32_t> Tally::columns_of(const Worker& worker, const std::int32_t* column) const {
    std::vector<std::int32_t> found(worker.number.size());
    for (std::size_t id = 0; id < found.size(); ++id) found[id] = column[worker.number[id]];
    return found;
}

void Tally::bounds(const std::int32_t* column, int threads, std::int64_t* first) const {
    first[0] = 0;
    if (std::all_of(column, column + word_count_, [](std::int32_t to) { return to >= 0; })) {
        for (std::int64_t row = 0; row < rows(); ++row) first[row + 1] = first[row] + sizes_[row];
        return;
    }
    std::vector<std::vector<std::int32_t>> columns;
    for (const Worker& worker : workers_) columns.push_back(columns_of(worker, column));
    parallel_for(static_cast<std::int64_t>(chunks_.size()), threads, [&](std::int64_t item, int) {
        const Chunk& chunk = chunks_[item];
        const Stream& stream = workers_[chunk.worker].stream;
        const auto& found = columns[chunk.worker];
        Stream::Reader reader(stream, chunk.start);
        for (std::int64_t row = chunk.first; row < chunk.last; ++row) {
            std::int64_t kept = 0;
            for (std::uint32_t i = 0; i < sizes_[row]; ++i) {
                std::uint32_t id, count;
                reader.next(id, count);
                kept += found[id] >= 0;
            }
            first[row + 1] = kept;
        }
    });
    for (std::int64_t row = 0; row < rows(); ++row) first[row + 1] += first[row];
}

template <class Index>
void Tally::fill(const std::int32_t* column, const Index* first, bool binary, int threads,
                 std::int32_t* columns, std::int32_t* counts) const {
    std::vector<std::vector<std::int32_t>> mapped;
    for (const Worker& worker : workers_) mapped.push_back(columns_of(worker, column));
    parallel_for(static_cast<std::int64_t>(chunks_.size()), threads, [&](std::int64_t item, int) {
        const Chunk& chunk = chunks_[item];
        const Stream& stream = workers_[chunk.worker].stream;
        const auto& found = mapped[chunk.worker];
        std::vector<std::int64_t> place(first + chunk.first, first + chunk.last);
        RowSorter sorter(word_count());
        Stream::Reader reader(stream, chunk.start);
        for (std::int64_t row = chunk.first; row < chunk.last; ++row) {
            const std::size_t before = sorter.size();
            sorter.reserve(sizes_[row]);
            for (std::uint32_t i = 0; i < sizes_[row]; ++i) {
                std::uint32_t id, count;
                reader.next(id, count);
                const std::int32_t to = found[id];
                if (to >= 0) sorter.push(row - chunk.first, to, binary ? 1 : count);
            }
            if (static_cast<std::int64_t>(sorter.size() - before) !=
                static_cast<std::int64_t>(first[row + 1] - first[row]))
                throw std::invalid_argument("the rows are not as long as their entries");
            if (sorter.is_full()) sorter.write(place.data(), columns, counts);
        }
        sorter.write(place.data(), columns, counts);
    });
}

template void Tally::fill(const std::int32_t*, const std::int32_t*, bool, int, std::int32_t*,
                          std::int32_t*) const;
template void Tally::fill(const std::int32_t*, const std::int64_t*, bool, int, std::int32_t*,
                          std::int32_t*) const;

}  // namespace assay
