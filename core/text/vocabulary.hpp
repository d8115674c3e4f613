// The words of several tables as one vocabulary, in the order of their bytes, which in UTF-8 is the order of
// code points. What comes out does not depend on which table met a word, or first.
#pragma once

#include <cstdint>
#include <vector>

#include "text/word_hash.hpp"

namespace assay {

// A word where it lies.
struct Place {
    std::uint32_t table, id;
};

struct Vocabulary {
    std::vector<Place> order;                        // where the word of each number lies
    std::vector<std::vector<std::uint32_t>> number;  // of each word of each table
};

// A word of several tables is that of the first of them, to which the counts of the others are added.
Vocabulary join_words(const std::vector<Words*>& tables, int threads);

}  // namespace assay
