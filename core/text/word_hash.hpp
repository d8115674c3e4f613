// A table of different byte strings, numbered in the order in which they were first seen.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace assay {

// Up to sixteen bytes, filled up with zeros: short words are looked up and kept as two numbers.
struct Key {
    std::uint64_t a = 0, b = 0;
    static constexpr std::size_t SIZE = 16;
};

inline Key key_of(const char* p, std::size_t n) {
    Key key;
    std::memcpy(&key, p, n);
    return key;
}

struct Word {
    Key key;  // the bytes; of a longer word their address
    std::uint32_t length;
    std::uint32_t document;   // the last one it was seen in, counted from 1
    std::uint32_t place;      // among the words of that document
    std::uint32_t documents;  // that it is in
    std::int64_t total;

    const char* bytes() const {
        if (length <= Key::SIZE) return reinterpret_cast<const char*>(&key);
        return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(key.a));
    }
};

inline std::uint64_t load64(const char* p) {
    std::uint64_t value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

// Both halves of a product of 64 bits by 64 bits, folded: every bit of either factor moves half of the
// result.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t HASH_A = 0x9e3779b97f4a7c15, HASH_B = 0xc2b2ae3d27d4eb4f, HASH_C = 0x165667b19e3779f9;

inline std::uint32_t hash_of(const Key& key, std::uint64_t state) {
    const std::uint64_t mixed = fold(key.a ^ HASH_A, key.b ^ (state * HASH_B) ^ HASH_C);
    return static_cast<std::uint32_t>(mixed ^ mixed >> 32);
}

inline std::uint32_t hash_of(const char* p, std::size_t n) {
    std::uint64_t state = n;
    for (; n > Key::SIZE; p += Key::SIZE, n -= Key::SIZE)
        state = fold(load64(p) ^ HASH_A, load64(p + 8) ^ state ^ HASH_B);
    return hash_of(key_of(p, n), state);
}

class Words {
  public:
    static constexpr std::uint32_t NONE = 0xffffffff;
    static constexpr std::size_t MOST = 0x7fffffff;
    static constexpr const char* TOO_MANY =
        "There are more than 2147483647 different words; take fewer documents or shorter n-grams.";

    Words() : slots_(1024, Slot{0, NONE}) {}

    std::uint32_t find(const char* p, std::size_t n) const { return slots_[slot_of(p, n, hash_of(p, n))].id; }

    // The number of a word; a new one is kept, its bytes copied.
    std::uint32_t add(const char* p, std::size_t n) {
        const std::uint32_t hash = hash_of(p, n);
        const std::size_t at = slot_of(p, n, hash);
        if (slots_[at].id != NONE) return slots_[at].id;
        if (n > 0xffffffff) throw std::length_error("A word is longer than 4 GB; divide its document.");
        if (words_.size() >= MOST) throw std::length_error(TOO_MANY);
        const auto id = static_cast<std::uint32_t>(words_.size());
        Key key;
        if (n <= Key::SIZE)
            key = key_of(p, n);
        else
            key.a = reinterpret_cast<std::uintptr_t>(keep(p, n));
        words_.push_back({key, static_cast<std::uint32_t>(n), 0, 0, 0, 0});
        slots_[at] = {hash, id};
        if (2 * words_.size() > slots_.size()) grow();
        return id;
    }

    // Looking up short words in steps, so that the waits for memory of several overlap: `hint` gives the word
    // whose hash is the same, if any; whether it is the word is seen by `is`.
    void fetch_slot(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }
    std::uint32_t hint(std::uint32_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = hash & mask;; i = (i + 1) & mask)
            if (slots_[i].id == NONE || slots_[i].hash == hash) return slots_[i].id;
    }
    void fetch_word(std::uint32_t id) const { __builtin_prefetch(&words_[id]); }
    bool is(std::uint32_t id, const Key& key, std::uint32_t n) const {
        const Word& word = words_[id];
        return word.key.a == key.a && word.key.b == key.b && word.length == n;
    }

    Word& at(std::uint32_t id) { return words_[id]; }
    const Word& at(std::uint32_t id) const { return words_[id]; }
    std::size_t size() const { return words_.size(); }

    // The same words for another worker; the bytes stay with the first.
    void share(const Words& other) {
        slots_ = other.slots_;
        words_ = other.words_;
    }

  private:
    struct Slot {
        std::uint32_t hash, id;
    };
    static constexpr std::size_t BLOCK = std::size_t{1} << 16;

    std::size_t slot_of(const char* p, std::size_t n, std::uint32_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
            const Slot slot = slots_[i];
            if (slot.id == NONE) return i;
            if (slot.hash != hash) continue;
            const Word& word = words_[slot.id];
            if (word.length == n && std::memcmp(word.bytes(), p, n) == 0) return i;
        }
    }

    const char* keep(const char* p, std::size_t n) {
        if (n > BLOCK / 4) {  // alone, so that no block is wasted
            large_.emplace_back(new char[n]);
            std::memcpy(large_.back().get(), p, n);
            return large_.back().get();
        }
        if (blocks_.empty() || used_ + n > BLOCK) {
            blocks_.emplace_back(new char[BLOCK]);
            used_ = 0;
        }
        char* to = blocks_.back().get() + used_;
        std::memcpy(to, p, n);
        used_ += n;
        return to;
    }

    void grow() {
        std::vector<Slot> wider(2 * slots_.size(), Slot{0, NONE});
        const std::size_t mask = wider.size() - 1;
        for (const Slot slot : slots_) {
            if (slot.id == NONE) continue;
            std::size_t i = slot.hash & mask;
            while (wider[i].id != NONE) i = (i + 1) & mask;
            wider[i] = slot;
        }
        slots_ = std::move(wider);
    }

    std::vector<Slot> slots_;
    std::vector<Word> words_;
    std::vector<std::unique_ptr<char[]>> blocks_, large_;
    std::size_t used_ = 0;
};

}  // namespace assay
