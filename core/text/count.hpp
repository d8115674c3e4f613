// Words of documents and how often each stands in them.
//
// Two passes over the documents: `survey` checks UTF-8 and notes which pages of 256 code points occur, so
// that the caller can fill in what the running Python knows of them; `count` cuts tokens and counts them.
// Each worker keeps a table of words of its own; words are numbered in the order of their code points at the
// end, which makes the result independent of the number of workers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "text/vocabulary.hpp"
#include "text/word_hash.hpp"

namespace assay {

// A document as it lies in memory: UTF-8 bytes (width 0) or code points of 1, 2 or 4 bytes.
struct Text {
    const void* data = nullptr;
    std::int64_t size = 0;
    int width = 1;
};

// What is not text: the row, the position of the unit in its document, and the unit itself. Row -1: nothing.
struct Fault {
    std::int64_t row = -1, position = 0;
    std::uint32_t unit = 0;
};

// What each code point becomes (one to three code points after lower-casing) and what those are.
class Characters {
  public:
    static constexpr std::uint32_t POINT = (1u << 21) - 1, WORD = 1u << 21, SPACE = 1u << 22,
                                   CASED = 1u << 23, IGNORABLE = 1u << 24;
    static constexpr int MORE = 25;  // two bits: how many code points follow the first
    static constexpr int PAGES = 0x110000 >> 8, WIDTH = 3;

    // context: capital sigma is lower-cased by its neighbours, as str.lower does.
    explicit Characters(bool context_) : context(context_) {}
    void fill(int page, const std::uint32_t* entries);
    bool has(int page) const { return pages_[page] != nullptr; }
    const std::uint32_t* entry(std::uint32_t point) const {
        return pages_[point >> 8].get() + WIDTH * (point & 255);
    }

    const bool context;
    std::array<char, 128> ascii_word{};  // the lower-cased letter of a word, or 0

  private:
    std::array<std::unique_ptr<std::uint32_t[]>, PAGES> pages_;
};

using Pages = std::array<bool, Characters::PAGES>;

// Marks the pages that occur; the first fault of the first faulty row.
Fault survey(const std::vector<Text>& texts, int threads, Pages& seen);

struct Tokens {
    bool words = true;            // words, or single characters with white space drawn together
    int least = 1, most = 1;      // tokens in a row that make one counted unit
    const Words* stop = nullptr;  // tokens left out before they are put in a row
};

// Entries of rows one after another: a word's number and, where it is not 1, its count, seven bits a byte.
// Common words are met early and have small numbers, so an entry mostly takes two bytes. A zero says that the
// next block goes on.
class Stream {
  public:
    void push(std::uint32_t id, std::uint32_t count) {
        if (room_ <= 10) add_block();
        put((std::uint64_t{id} << 1 | (count > 1)) + 1);
        if (count > 1) put(count);
    }
    struct Place {
        std::size_t block = 0, byte = 0;
    };
    Place end() const { return blocks_.empty() ? Place{} : Place{blocks_.size() - 1, BLOCK - room_}; }

    class Reader {
      public:
        Reader(const Stream& stream, Place at) : stream_(stream), block_(at.block) {
            if (block_ < stream_.blocks_.size()) at_ = stream_.blocks_[block_].get() + at.byte;
        }
        // Moves on by one entry.
        void next(std::uint32_t& id, std::uint32_t& count) {
            if (*at_ == 0) at_ = stream_.blocks_[++block_].get();
            const std::uint64_t first = take() - 1;
            id = static_cast<std::uint32_t>(first >> 1);
            count = first & 1 ? static_cast<std::uint32_t>(take()) : 1;
        }

      private:
        std::uint64_t take() {
            std::uint64_t value = *at_ & 0x7f;
            for (int shift = 7; *at_++ & 0x80; shift += 7) value |= std::uint64_t{*at_ & 0x7fu} << shift;
            return value;
        }
        const Stream& stream_;
        std::size_t block_;
        const std::uint8_t* at_ = nullptr;
    };

  private:
    static constexpr std::size_t BLOCK = 1 << 16;
    void put(std::uint64_t value) {
        std::uint8_t* to = blocks_.back().get() + (BLOCK - room_);
        for (; value >= 0x80; value >>= 7, --room_) *to++ = static_cast<std::uint8_t>(value | 0x80);
        *to = static_cast<std::uint8_t>(value);
        --room_;
    }
    void add_block() {
        if (!blocks_.empty()) blocks_.back()[BLOCK - room_] = 0;
        blocks_.emplace_back(new std::uint8_t[BLOCK]);
        room_ = BLOCK;
    }
    std::vector<std::unique_ptr<std::uint8_t[]>> blocks_;
    std::size_t room_ = 0;
};

// Counted documents; words are known by their number in the order of code points.
class Tally {
  public:
    // vocabulary: count these words alone, numbered as they stand there; nullptr: learn the words.
    Tally(const std::vector<Text>& texts, const Characters& characters, const Tokens& tokens,
          std::unique_ptr<Words> vocabulary, int threads);
    Tally(const Tally&) = delete;

    std::int64_t rows() const { return static_cast<std::int64_t>(sizes_.size()); }
    std::int64_t word_count() const { return word_count_; }
    bool knows_words() const { return static_cast<std::int64_t>(order_.size()) == word_count_; }
    const Word& word(std::int64_t number) const {
        return workers_[order_[number].table].words.at(order_[number].id);
    }

    // How many words of the stop list the documents hold.
    std::int64_t stopped() const;

    // Frees the words themselves, which the counts do not need.
    void forget_words();

    // first[r + 1] - first[r]: entries of row r in columns that are kept; column[number] < 0 drops a word.
    void bounds(const std::int32_t* column, int threads, std::int64_t* first) const;
    // Entries by rows, columns ascending; `first` as bounds gives it.
    template <class Index>
    void fill(const std::int32_t* column, const Index* first, bool binary, int threads, std::int32_t* columns,
              std::int32_t* counts) const;

  private:
    struct Chunk {
        std::int64_t first, last;  // rows
        Stream::Place start;       // of its entries in the stream of its worker
        int worker;
    };
    struct Worker {
        Words words;
        Stream stream;
        std::vector<std::uint32_t> number;  // of each of its words
        std::vector<char> stopped;          // whether it met a word of the stop list
    };
    void cut(const std::vector<Text>& texts);
    void number(bool learned);
    std::vector<std::int32_t> columns_of(const Worker& worker, const std::int32_t* column) const;

    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> sizes_;  // entries of each row
    std::vector<Worker> workers_;
    std::int64_t word_count_ = 0;
    std::vector<Place> order_;  // the word of each number
};

}  // namespace assay
