// From a document to its tokens, and runs of tokens to a table of words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/count.hpp"

namespace assay {

// How code points are read: `take` moves on, `back` moves to the one before. UTF-8 has been checked.
struct Utf8 {
    using Unit = std::uint8_t;
    static std::uint32_t take(const Unit*& at) {
        const std::uint32_t lead = *at++;
        if (lead < 0x80) return lead;
        const int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        std::uint32_t point = lead & (0x3fu >> more);
        for (int i = 0; i < more; ++i) point = point << 6 | (*at++ & 0x3fu);
        return point;
    }
    static std::uint32_t back(const Unit*& at) {
        do --at;
        while ((*at & 0xc0) == 0x80);
        const Unit* from = at;
        return take(from);
    }
};

template <class U>
struct Plain {
    using Unit = U;
    static std::uint32_t take(const Unit*& at) { return *at++; }
    static std::uint32_t back(const Unit*& at) { return *--at; }
};

// Eight ASCII letters at once. A word's letters, digits and underscores have the high bit set in the mask;
// the order of bytes in a number matters, and where it is not the usual one letters are read singly.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
constexpr bool EIGHT_AT_ONCE = true;
#else
constexpr bool EIGHT_AT_ONCE = false;
#endif
constexpr std::uint64_t EACH = 0x0101010101010101, HIGH = 0x80 * EACH;

inline std::uint64_t at_least(std::uint64_t seven_bits, std::uint64_t value) {
    return seven_bits + (0x80 - value) * EACH;
}
inline std::uint64_t upper_mask(std::uint64_t bytes) {
    const std::uint64_t low = bytes & ~HIGH;
    return at_least(low, 'A') & ~at_least(low, 'Z' + 1) & ~bytes & HIGH;
}
inline std::uint64_t word_mask(std::uint64_t bytes) {
    const std::uint64_t low = bytes & ~HIGH, lower = low | 0x20 * EACH;
    const std::uint64_t letter = at_least(lower, 'a') & ~at_least(lower, 'z' + 1);
    const std::uint64_t digit = at_least(low, '0') & ~at_least(low, '9' + 1);
    const std::uint64_t line = ~at_least(low ^ '_' * EACH, 1);
    return (letter | digit | line) & ~bytes & HIGH;
}
// Bytes before the first that is no letter of a word; 8 where all are.
inline int letters(std::uint64_t mask) { return mask == HIGH ? 8 : __builtin_ctzll(~mask & HIGH) >> 3; }
inline std::uint64_t first_bytes(std::uint64_t bytes, int count) {
    return count == 8 ? bytes : bytes & ((std::uint64_t{1} << 8 * count) - 1);
}

// Calls count(bytes, length), or count(key, length, whether it counts), for every counted unit of a document.
template <class Count>
class Scanner {
  public:
    // stopped[i]: whether word i of the stop list was met.
    Scanner(const Characters& characters, const Tokens& tokens, Count count, std::vector<char>& stopped)
        : characters_(characters), tokens_(tokens), count_(count), stopped_(stopped), buffer_(1 << 12) {}

    void scan(const Text& text) {
        switch (text.width) {
            case 0:
                return scan_as<Utf8>(text);
            case 1:
                return scan_as<Plain<std::uint8_t>>(text);
            case 2:
                return scan_as<Plain<std::uint16_t>>(text);
            default:
                return scan_as<Plain<std::uint32_t>>(text);
        }
    }

  private:
    static constexpr std::size_t MOST_UNITS = 4096;

    template <class Source>
    void scan_as(const Text& text) {
        const auto* begin = static_cast<const typename Source::Unit*>(text.data);
        end_ = start_ = 0;
        starts_.clear();
        if (tokens_.words)
            scan_words<Source>(begin, begin + text.size);
        else
            scan_characters<Source>(begin, begin + text.size);
    }

    template <class Source>
    void scan_words(const typename Source::Unit* begin, const typename Source::Unit* end) {
        const auto* at = begin;
        while (at < end) {
            if constexpr (EIGHT_AT_ONCE && sizeof *at == 1)
                if (end_ == start_) scan_plain(at, end);
            if (at == end) break;
            reserve();
            if (*at < 0x80) {
                const char letter = characters_.ascii_word[*at++];
                if (letter)
                    buffer_[end_++] = letter;
                else if (end_ > start_)
                    end_word();
                continue;
            }
            each_mapped<Source>(begin, at, end, [this](std::uint32_t entry) {
                if (entry & Characters::WORD)
                    put(entry & Characters::POINT);
                else if (end_ > start_)
                    end_word();
            });
        }
        if (end_ > start_) end_word();
    }

    // Short ASCII words without a detour through the buffer, up to the first place that is anything else.
    // Lengths of words are hard to foresee, so that little here hangs on a branch.
    void scan_plain(const std::uint8_t*& at, const std::uint8_t* end) {
        const std::uint64_t change = characters_.ascii_word['A'] == 'a' ? HIGH : 0;
        const bool direct = tokens_.most == 1 && !tokens_.stop;
        while (end - at > 16) {
            const std::uint64_t first = load64(reinterpret_cast<const char*>(at)), mask = word_mask(first);
            int length = letters(mask);
            Key key{first_bytes(first | (upper_mask(first) & change) >> 2, length), 0};
            if (length < 8) {
                // The next place that is a letter or not ASCII; right behind the word it may be part of it.
                const std::uint64_t next = (mask | (first & HIGH)) >> 8 * length << 8 * length;
                const int step = next ? __builtin_ctzll(next) >> 3 : 8;
                if (step == length) return;
                at += step;
            } else {
                const std::uint64_t second = load64(reinterpret_cast<const char*>(at + 8));
                const int more = letters(word_mask(second));
                key.b = first_bytes(second | (upper_mask(second) & change) >> 2, more);
                length += more;
                if (length == 16 || at[length] >= 0x80) return;
                at += length + 1;
            }
            if (direct)
                count_(key, static_cast<std::size_t>(length), length > 1);
            else if (length > 1)
                end_plain(key, static_cast<std::size_t>(length));
        }
    }

    // Apart, and by value: a key whose address is taken would be written out and read again for every word.
    __attribute__((noinline)) void end_plain(Key key, std::size_t length) {
        const char* bytes = reinterpret_cast<const char*>(&key);
        if (is_stopped(bytes, length)) return;
        if (tokens_.most == 1) {
            count_(key, length, true);
            return;
        }
        reserve();
        std::memcpy(buffer_.data() + end_, bytes, Key::SIZE);
        end_ += length;
        end_unit();
    }

    // Two or more characters of white space are one blank; one stays what it is.
    template <class Source>
    void scan_characters(const typename Source::Unit* begin, const typename Source::Unit* end) {
        const auto* at = begin;
        std::uint32_t space = 0;
        std::int64_t spaces = 0;
        auto end_space = [&] {
            if (spaces == 0) return;
            put(spaces == 1 ? space : ' ');
            end_unit();
            spaces = 0;
        };
        while (at < end)
            each_mapped<Source>(begin, at, end, [&](std::uint32_t entry) {
                reserve();
                if (entry & Characters::SPACE) {
                    space = entry & Characters::POINT;
                    ++spaces;
                    return;
                }
                end_space();
                put(entry & Characters::POINT);
                end_unit();
            });
        reserve();
        end_space();
    }

    // Takes one code point and gives what it becomes.
    template <class Source, class Give>
    void each_mapped(const typename Source::Unit* begin, const typename Source::Unit*& at,
                     const typename Source::Unit* end, Give&& give) {
        constexpr std::uint32_t SIGMA = 0x3a3, MIDDLE = 0x3c3, FINAL = 0x3c2;
        const auto* here = at;
        const std::uint32_t point = Source::take(at);
        if (point == SIGMA && characters_.context) {
            give((is_final<Source>(begin, here, at, end) ? FINAL : MIDDLE) | Characters::WORD);
            return;
        }
        const std::uint32_t* entry = characters_.entry(point);
        give(entry[0]);
        for (std::uint32_t i = 1; i <= (entry[0] >> Characters::MORE & 3); ++i) give(entry[i]);
    }

    // The rule for final sigma: a cased letter before it and none behind it, others between left aside.
    template <class Source>
    bool is_final(const typename Source::Unit* begin, const typename Source::Unit* before,
                  const typename Source::Unit* behind, const typename Source::Unit* end) const {
        std::uint32_t kind = 0;
        while (before > begin) {
            kind = *characters_.entry(Source::back(before));
            if (!(kind & Characters::IGNORABLE)) break;
            kind = 0;
        }
        if (!(kind & Characters::CASED)) return false;
        while (behind < end) {
            kind = *characters_.entry(Source::take(behind));
            if (!(kind & Characters::IGNORABLE)) return !(kind & Characters::CASED);
        }
        return true;
    }

    // Room for what one code point can become and blanks behind it, or for a short word.
    void reserve() {
        if (end_ + 32 > buffer_.size()) buffer_.resize(2 * buffer_.size());
    }

    void put(std::uint32_t point) {
        char* to = buffer_.data() + end_;
        if (point < 0x80) {
            *to = static_cast<char>(point);
            end_ += 1;
        } else if (point < 0x800) {
            to[0] = static_cast<char>(0xc0 | point >> 6);
            to[1] = static_cast<char>(0x80 | (point & 0x3f));
            end_ += 2;
        } else if (point < 0x10000) {
            to[0] = static_cast<char>(0xe0 | point >> 12);
            to[1] = static_cast<char>(0x80 | (point >> 6 & 0x3f));
            to[2] = static_cast<char>(0x80 | (point & 0x3f));
            end_ += 3;
        } else {
            to[0] = static_cast<char>(0xf0 | point >> 18);
            to[1] = static_cast<char>(0x80 | (point >> 12 & 0x3f));
            to[2] = static_cast<char>(0x80 | (point >> 6 & 0x3f));
            to[3] = static_cast<char>(0x80 | (point & 0x3f));
            end_ += 4;
        }
    }

    bool is_stopped(const char* word, std::size_t length) {
        if (!tokens_.stop) return false;
        const std::uint32_t id = tokens_.stop->find(word, length);
        if (id == Words::NONE) return false;
        stopped_[id] = true;
        return true;
    }

    // A word of one character is none.
    void end_word() {
        const char* word = buffer_.data() + start_;
        const std::size_t length = end_ - start_;
        const auto lead = static_cast<unsigned char>(*word);
        const std::size_t single = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (length == single || is_stopped(word, length)) {
            end_ = start_;
            return;
        }
        end_unit();
    }

    // The bytes from start_ to end_ are one more token: count every run that ends with it.
    void end_unit() {
        if (tokens_.most == 1) {
            count_(buffer_.data(), end_);
            end_ = 0;
            return;
        }
        starts_.push_back(start_);
        const auto longest = std::min<std::size_t>(static_cast<std::size_t>(tokens_.most), starts_.size());
        for (auto n = static_cast<std::size_t>(tokens_.least); n <= longest; ++n) {
            const std::size_t from = starts_[starts_.size() - n];
            count_(buffer_.data() + from, end_ - from);
        }
        if (tokens_.words) buffer_[end_++] = ' ';
        if (starts_.size() >= MOST_UNITS && starts_.size() >= 2 * static_cast<std::size_t>(tokens_.most))
            shift();
        start_ = end_;
        reserve();
    }

    // Forget tokens that no further run begins with.
    void shift() {
        const auto kept = static_cast<std::ptrdiff_t>(tokens_.most) - 1;
        starts_.erase(starts_.begin(), starts_.end() - kept);
        const std::size_t from = starts_.front();
        std::memmove(buffer_.data(), buffer_.data() + from, end_ - from);
        for (std::size_t& start : starts_) start -= from;
        end_ -= from;
    }

    const Characters& characters_;
    const Tokens& tokens_;
    Count count_;
    std::vector<char>& stopped_;
    std::vector<char> buffer_;
    std::vector<std::size_t> starts_;  // of the tokens in the buffer
    std::size_t start_ = 0, end_ = 0;  // of the token that is being read
};

}  // namespace assay
