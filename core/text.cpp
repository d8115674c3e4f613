#include "text.hpp"

#include <algorithm>
#include <limits>

#include "parallel.hpp"
#include "text_scan.hpp"

namespace assay {
namespace {

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

// First eight bytes as a number that sorts as they do.
std::uint64_t prefix(const Word& word) {
    std::uint64_t key = 0;
    for (std::uint32_t i = 0; i < 8; ++i)
        key = key << 8 | (i < word.length ? static_cast<unsigned char>(word.bytes()[i]) : 0);
    return key;
}

struct Keyed {
    std::uint64_t key;
    std::uint32_t id;
};

// Word ids in the order of their bytes, which in UTF-8 is the order of code points.
std::vector<std::uint32_t> sorted(const Words& words) {
    std::vector<Keyed> keyed(words.size());
    for (std::uint32_t id = 0; id < keyed.size(); ++id) keyed[id] = {prefix(words.at(id)), id};
    std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
        if (a.key != b.key) return a.key < b.key;
        const Word &x = words.at(a.id), &y = words.at(b.id);
        const int order = std::memcmp(x.bytes(), y.bytes(), std::min(x.length, y.length));
        return order != 0 ? order < 0 : x.length < y.length;
    });
    std::vector<std::uint32_t> order(keyed.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = keyed[i].id;
    return order;
}

// Sorts entries (column in the upper half) by column, digit by digit where there are enough of them to pay
// for the digits' tables.
class RowSorter {
  public:
    explicit RowSorter(std::int64_t columns) {
        int bits = 1;
        while (bits < 32 && columns > std::int64_t{1} << bits) ++bits;
        digits_ = (bits + 9) / 10;
        width_ = (bits + digits_ - 1) / digits_;
    }

    void sort(std::vector<std::uint64_t>& entries) {
        if (static_cast<std::int64_t>(entries.size()) * 8 < (std::int64_t{1} << width_) * digits_) {
            std::sort(entries.begin(), entries.end());
            return;
        }
        const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
        other_.resize(entries.size());
        for (int digit = 0; digit < digits_; ++digit) {
            const int shift = 32 + digit * width_;
            starts_.assign(mask + 1, 0);
            for (const std::uint64_t entry : entries) ++starts_[entry >> shift & mask];
            std::uint32_t sum = 0;
            for (std::uint32_t& start : starts_) {
                const std::uint32_t count = start;
                start = sum;
                sum += count;
            }
            for (const std::uint64_t entry : entries) other_[starts_[entry >> shift & mask]++] = entry;
            entries.swap(other_);
        }
    }

  private:
    int digits_, width_;
    std::vector<std::uint64_t> other_;
    std::vector<std::uint32_t> starts_;
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
    workers_.resize(
        static_cast<std::size_t>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, items))));
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
        Scanner<Counter&> scanner(characters, tokens, counter);
        for (std::int64_t row = chunk.first; row < chunk.last; ++row) {
            counter.begin(row);
            scanner.scan(texts[row]);
            sizes_[row] = counter.end();
        }
    });
    if (learns) {
        merge();
    } else {
        order_.resize(workers_[0].words.size());
        for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
        for (Worker& worker : workers_) worker.number = order_;
    }
    word_count_ = static_cast<std::int64_t>(order_.size());
}

void Tally::forget_words() {
    for (Worker& worker : workers_) worker.words = Words();
    order_ = {};
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

void Tally::merge() {
    Words& all = workers_[0].words;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
        Worker& worker = workers_[i];
        worker.number.resize(worker.words.size());
        for (std::uint32_t id = 0; id < worker.number.size(); ++id) {
            const Word& word = worker.words.at(id);
            const std::uint32_t common = all.add(word.bytes(), word.length, false);
            all.at(common).documents += word.documents;
            all.at(common).total += word.total;
            worker.number[id] = common;
        }
    }
    order_ = sorted(all);
    std::vector<std::uint32_t> number(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) number[order_[i]] = i;
    for (std::size_t i = 1; i < workers_.size(); ++i)
        for (std::uint32_t& id : workers_[i].number) id = number[id];
    workers_[0].number = std::move(number);
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
        std::vector<std::uint64_t> entries;  // column and count in one number, to be sorted together
        RowSorter sorter(word_count());
        Stream::Reader reader(stream, chunk.start);
        for (std::int64_t row = chunk.first; row < chunk.last; ++row) {
            entries.clear();
            for (std::uint32_t i = 0; i < sizes_[row]; ++i) {
                std::uint32_t id, count;
                reader.next(id, count);
                const std::int32_t to = found[id];
                if (to >= 0) entries.push_back(static_cast<std::uint64_t>(to) << 32 | (binary ? 1 : count));
            }
            sorter.sort(entries);
            std::int64_t place = first[row];
            if (place + static_cast<std::int64_t>(entries.size()) !=
                static_cast<std::int64_t>(first[row + 1]))
                throw std::invalid_argument("the rows are not as long as their entries");
            for (const std::uint64_t entry : entries) {
                columns[place] = static_cast<std::int32_t>(entry >> 32);
                counts[place++] = static_cast<std::int32_t>(entry & 0xffffffff);
            }
        }
    });
}

template void Tally::fill(const std::int32_t*, const std::int32_t*, bool, int, std::int32_t*,
                          std::int32_t*) const;
template void Tally::fill(const std::int32_t*, const std::int64_t*, bool, int, std::int32_t*,
                          std::int32_t*) const;

}  // namespace assay
