#include "softmax.hpp"

#include <vector>

#include "leaves.hpp"

namespace assay {

void standardized_rows(const Rows& table, const std::int64_t* which, std::int64_t first, std::int64_t count,
                       const double* center, const double* unit, double* out) {
    const std::int64_t width = table.width();
    std::vector<double> buffer;
    const double* from = nullptr;
    const bool in_place = table.direct();  // rows are read where they lie
    if (!in_place) {
        buffer.resize(static_cast<std::size_t>(count * width));
        from = load_rows(table, which, first, count, buffer.data());
    }
    for (std::int64_t r = 0; r < count; ++r) {
        const double* row = in_place ? table.f64 + (which ? which[r] : first + r) * width : from + r * width;
        double* to = out + r * (width + 1);
        leaves().standardize(row, center, unit, width, to);
        to[width] = 1.0;
    }
}

void softmax_residuals(double* scores, std::int64_t groups, std::int64_t classes, std::int64_t count,
                       std::int64_t stride, const std::int32_t* codes, const double* weight, double* loss) {
    std::vector<double> room(static_cast<std::size_t>(classes * kLanes));
    for (std::int64_t g = 0; g < groups; ++g) {
        double* s = scores + g * classes * stride;
        loss[g] += classes == 1 ? leaves().sigmoid(s, count, codes, weight, room.data())
                                : leaves().softmax(s, classes, count, stride, codes, weight, room.data());
    }
}

void softmax_posteriors(double* scores, std::int64_t classes, std::int64_t count, std::int64_t stride) {
    std::vector<double> room(static_cast<std::size_t>(classes * kLanes));
    if (classes == 1)
        leaves().sigmoid(scores, count, nullptr, nullptr, room.data());
    else
        leaves().softmax(scores, classes, count, stride, nullptr, nullptr, room.data());
}

}  // namespace assay
