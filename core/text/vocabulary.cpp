#include "text/vocabulary.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/threads.hpp"

namespace assay {
namespace {

// The first sixteen bytes as two numbers that sort as the bytes do, and the length where it is short: most
// words are told apart by these, without a look at the word itself.
struct Keyed {
    std::uint64_t a, b;
    std::uint32_t id;
    std::uint16_t table, length;
};
using Run = std::vector<Keyed>;

std::uint64_t first_byte_highest(std::uint64_t loaded) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(loaded);
#else
    return loaded;
#endif
}

Keyed keyed(const Word& word, std::uint32_t id, std::uint16_t table) {
    const char* bytes = word.bytes();  // a short word is filled up with zeros
    const auto length = static_cast<std::uint16_t>(std::min<std::uint32_t>(word.length, 0xffff));
    return {first_byte_highest(load64(bytes)), first_byte_highest(load64(bytes + 8)), id, table, length};
}

class Order {
  public:
    explicit Order(const std::vector<Words*>& tables) : tables_(tables) {}

    Word& word(const Keyed& each) const { return tables_[each.table]->at(each.id); }

    bool operator()(const Keyed& x, const Keyed& y) const {
        if (x.a != y.a) return x.a < y.a;
        if (x.b != y.b) return x.b < y.b;
        return compare(x, y) < 0;
    }
    bool same(const Keyed& x, const Keyed& y) const { return x.a == y.a && x.b == y.b && compare(x, y) == 0; }

  private:
    // Of words that begin with the same sixteen bytes; zeros in a word may look like the end of another.
    int compare(const Keyed& x, const Keyed& y) const {
        if (x.length <= Key::SIZE || y.length <= Key::SIZE) return int{x.length} - int{y.length};
        const Word &one = word(x), &other = word(y);
        const int order = std::memcmp(one.bytes(), other.bytes(), std::min(one.length, other.length));
        if (order != 0) return order;
        return one.length < other.length ? -1 : one.length > other.length;
    }

    const std::vector<Words*>& tables_;
};

// Dealt out by the first two bytes, then sorted: a few words at a time stay near.
Run sorted(const Order& order, const Words& words, std::uint16_t table) {
    constexpr int SHIFT = 48;
    std::vector<std::uint32_t> start(std::size_t{1} << 16, 0);
    for (std::uint32_t id = 0; id < words.size(); ++id) ++start[keyed(words.at(id), id, table).a >> SHIFT];
    std::uint32_t sum = 0;
    for (std::uint32_t& each : start) sum += std::exchange(each, sum);
    Run run(words.size());
    for (std::uint32_t id = 0; id < words.size(); ++id) {
        const Keyed each = keyed(words.at(id), id, table);
        run[start[each.a >> SHIFT]++] = each;
    }
    std::uint32_t first = 0;
    for (const std::uint32_t last : start) {
        if (last - first > 1) std::sort(run.begin() + first, run.begin() + last, order);
        first = last;
    }
    return run;
}

// Where each run begins and ends in each of `parts` stretches of the vocabulary, [part][run]; equal words
// fall into one part.
std::vector<std::vector<std::size_t>> stretches(const Order& order, const std::vector<Run>& runs, int parts) {
    const Run& longest = *std::max_element(runs.begin(), runs.end(),
                                           [](const Run& x, const Run& y) { return x.size() < y.size(); });
    std::vector<std::vector<std::size_t>> bounds(static_cast<std::size_t>(parts) + 1);
    for (int part = 0; part <= parts; ++part)
        for (const Run& run : runs) {
            std::size_t at = part == 0 ? 0 : run.size();
            if (part > 0 && part < parts && !longest.empty()) {
                const Keyed& cut = longest[longest.size() * static_cast<std::size_t>(part) / parts];
                at = static_cast<std::size_t>(std::lower_bound(run.begin(), run.end(), cut, order) -
                                              run.begin());
            }
            bounds[part].push_back(at);
        }
    return bounds;
}

// Stretches of runs as one; of equal words that of the first table leads.
Run merged(const Order& order, const std::vector<Run>& runs, const std::vector<std::size_t>& first,
           const std::vector<std::size_t>& last) {
    std::vector<Run> left;
    for (std::size_t i = 0; i < runs.size(); ++i)
        left.emplace_back(runs[i].begin() + first[i], runs[i].begin() + last[i]);
    while (left.size() > 1) {
        std::vector<Run> next((left.size() + 1) / 2);
        for (std::size_t i = 0; i < next.size(); ++i) {
            Run& one = left[2 * i];
            if (2 * i + 1 == left.size()) {
                next[i] = std::move(one);
                continue;
            }
            const Run& other = left[2 * i + 1];
            next[i].resize(one.size() + other.size());
            std::merge(one.begin(), one.end(), other.begin(), other.end(), next[i].begin(), order);
        }
        left = std::move(next);
    }
    return std::move(left[0]);
}

// Numbers the words of a stretch from `number` on and adds up their counts.
void number_words(const Order& order, const Run& run, std::uint32_t number, Vocabulary& found) {
    const Keyed* last = nullptr;
    for (const Keyed& each : run) {
        if (last && order.same(*last, each)) {
            order.word(*last).documents += order.word(each).documents;
            order.word(*last).total += order.word(each).total;
        } else {
            found.order[number++] = {each.table, each.id};
            last = &each;
        }
        found.number[each.table][each.id] = number - 1;
    }
}

}  // namespace

Vocabulary join_words(const std::vector<Words*>& tables, int threads) {
    const Order order(tables);
    std::vector<Run> runs(tables.size());
    parallel_for(static_cast<std::int64_t>(tables.size()), threads, [&](std::int64_t i, int) {
        runs[i] = sorted(order, *tables[i], static_cast<std::uint16_t>(i));
    });
    const int parts = tables.size() > 1 ? threads : 1;
    const auto bounds = stretches(order, runs, parts);
    std::vector<Run> pieces(static_cast<std::size_t>(parts));
    std::vector<std::size_t> start(pieces.size() + 1, 0);
    parallel_for(parts, threads, [&](std::int64_t part, int) {
        Run& piece = pieces[part];
        piece = tables.size() > 1 ? merged(order, runs, bounds[part], bounds[part + 1]) : std::move(runs[0]);
        for (std::size_t i = 0; i < piece.size(); ++i)
            start[part + 1] += i == 0 || !order.same(piece[i - 1], piece[i]);
    });
    for (std::size_t part = 0; part < pieces.size(); ++part) start[part + 1] += start[part];
    if (start.back() > Words::MOST) throw std::length_error(Words::TOO_MANY);
    Vocabulary found;
    found.order.resize(start.back());
    for (const Words* table : tables) found.number.emplace_back(table->size());
    parallel_for(parts, threads, [&](std::int64_t part, int) {
        number_words(order, pieces[part], static_cast<std::uint32_t>(start[part]), found);
    });
    return found;
}

}  // namespace assay
