// The first pass over texts: where they are no Unicode, and which pages of characters they use.
#include <algorithm>
#include <mutex>

#include "base/threads.hpp"
#include "text/count.hpp"
#include "text/tokenizer.hpp"

namespace assay {
namespace {

// Length of the UTF-8 sequence at `at`, 0 where there is none; no overlong forms, no surrogates.
int sequence(const std::uint8_t* at, const std::uint8_t* end, std::uint32_t& point) {
    const std::uint32_t lead = *at;
    const int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || end - at < length) return 0;
    point = lead & (0xffu >> (length + 1));
    for (int i = 1; i < length; ++i) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        point = point << 6 | (at[i] & 0x3fu);
    }
    if (length == 3 && (point < 0x800 || (point & 0xfffff800) == 0xd800)) return 0;
    if (length == 4 && (point < 0x10000 || point > 0x10ffff)) return 0;
    return length;
}

// Position of the first byte that is not UTF-8; the size where all are.
std::int64_t survey_bytes(const Text& text, Pages& seen) {
    const auto* begin = static_cast<const std::uint8_t*>(text.data);
    const auto *at = begin, *end = begin + text.size;
    while (at < end) {
        if (end - at >= 8 && !(load64(reinterpret_cast<const char*>(at)) & 0x8080808080808080)) {
            at += 8;
            continue;
        }
        if (*at < 0x80) {
            ++at;
            continue;
        }
        std::uint32_t point = 0;
        const int length = sequence(at, end, point);
        if (length == 0) break;
        seen[point >> 8] = true;
        at += length;
    }
    return at - begin;
}

template <class Unit>
std::int64_t survey_units(const Text& text, Pages& seen) {
    const auto* units = static_cast<const Unit*>(text.data);
    for (std::int64_t i = 0; i < text.size; ++i) {
        const std::uint32_t point = units[i];
        if ((point & 0xfffff800) == 0xd800 || point > 0x10ffff) return i;
        seen[point >> 8] = true;
    }
    return text.size;
}

std::int64_t survey_text(const Text& text, Pages& seen) {
    switch (text.width) {
        case 0:
            return survey_bytes(text, seen);
        case 1:
            return text.size;
        case 2:
            return survey_units<std::uint16_t>(text, seen);
        default:
            return survey_units<std::uint32_t>(text, seen);
    }
}

std::uint32_t unit_at(const Text& text, std::int64_t position) {
    switch (text.width) {
        case 0:
        case 1:
            return static_cast<const std::uint8_t*>(text.data)[position];
        case 2:
            return static_cast<const std::uint16_t*>(text.data)[position];
        default:
            return static_cast<const std::uint32_t*>(text.data)[position];
    }
}

}  // namespace

Fault survey(const std::vector<Text>& texts, int threads, Pages& seen) {
    constexpr std::int64_t ROWS = 64;
    const auto count = static_cast<std::int64_t>(texts.size());
    std::mutex lock;
    Fault fault;
    seen[0] = true;
    parallel_for((count + ROWS - 1) / ROWS, threads, [&](std::int64_t item, int) {
        Pages here{};
        const std::int64_t last = std::min(count, (item + 1) * ROWS);
        for (std::int64_t row = item * ROWS; row < last; ++row) {
            const Text& text = texts[row];
            const std::int64_t position = survey_text(text, here);
            if (position == text.size) continue;
            const std::lock_guard<std::mutex> guard(lock);
            if (fault.row < 0 || row < fault.row) fault = {row, position, unit_at(text, position)};
            return;
        }
        const std::lock_guard<std::mutex> guard(lock);
        for (std::size_t page = 0; page < seen.size(); ++page) seen[page] |= here[page];
    });
    return fault;
}

}  // namespace assay
