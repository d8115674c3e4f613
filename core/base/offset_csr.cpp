#include "base/offset_csr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

constexpr std::int64_t kBlock = 64;  // rows read at a time

// Writes the entries of a row; returns how many.
template <class T>
std::int64_t list_entries(const T* z, const T* base, std::int64_t width, std::int32_t* column, T* value) {
    std::int64_t count = 0;
    for (std::int64_t j = 0; j < width; ++j) {
        const T off = z[j] - base[j];
        column[count] = static_cast<std::int32_t>(j);
        value[count] = off;
        count += off == 0 ? 0 : 1;  // NaN is an entry
    }
    return count;
}

}  // namespace

template <class T>
bool fill_rows(const Standard& source, const std::int64_t* which, std::int64_t count, std::int64_t most,
               InterruptCheck& pause, OffsetCsr<T>& out) {
    const std::int64_t width = source.width(), given = source.table.width();
    std::vector<double> block(static_cast<std::size_t>(std::max<std::int64_t>(1, kBlock * given)));
    std::vector<T> z(static_cast<std::size_t>(width));
    out.width = width;
    out.base.resize(static_cast<std::size_t>(width));
    out.every.resize(static_cast<std::size_t>(width));
    std::iota(out.every.begin(), out.every.end(), 0);
    read_numbers(source, block.data(), out.base.data());
    for (T& base : out.base) base = std::abs(base) <= 1 ? base : 0;
    std::int64_t used = 0;
    for (std::int64_t begin = 0; begin < count; begin += kBlock) {
        const std::int64_t some = std::min(kBlock, count - begin);
        const double* rows =
            load_rows(source.table, which ? which + begin : nullptr, begin, some, block.data());
        for (std::int64_t r = 0; r < some; ++r) {
            if (static_cast<std::int64_t>(out.value.size()) < used + width) {
                const auto room = static_cast<std::size_t>(2 * used + kBlock * width);
                out.column.resize(room), out.value.resize(room);
            }
            read_numbers(source, rows + r * given, z.data());
            used += list_entries(z.data(), out.base.data(), width, out.column.data() + used,
                                 out.value.data() + used);
            out.first.push_back(used);
        }
        if (used > most) return false;
        pause.after(some * width);
    }
    out.column.resize(static_cast<std::size_t>(used));
    out.value.resize(static_cast<std::size_t>(used));
    return true;
}

template bool fill_rows(const Standard&, const std::int64_t*, std::int64_t, std::int64_t, InterruptCheck&,
                        OffsetCsr<float>&);
template bool fill_rows(const Standard&, const std::int64_t*, std::int64_t, std::int64_t, InterruptCheck&,
                        OffsetCsr<double>&);

}  // namespace assay
