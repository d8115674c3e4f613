#include "logistic/softmax.hpp"

#include <vector>

#include "base/index.hpp"
#include "logistic/simd.hpp"
#include "simd/vector_ops.hpp"

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
        vector_ops().standardize(row, center, unit, width, to);
        to[width] = 1.0;
    }
}

template <class T>
void softmax_residuals(T* scores, std::int64_t groups, std::int64_t classes, std::int64_t count,
                       std::int64_t stride, const std::int64_t* rest, const std::int32_t* codes,
                       const T* weight, double* loss) {
    const auto& leaf = row_loops_of<T>();
    std::vector<T> room(static_cast<std::size_t>(classes * kLanes));
    const std::int64_t places = rest && classes > 1 ? classes - 1 : classes;
    for (std::int64_t g = 0; g < groups; ++g) {
        T* s = scores + g * places * stride;
        loss[g] += classes == 1 ? leaf.sigmoid(s, count, codes, weight, room.data())
                                : leaf.softmax(s, classes, count, stride, rest ? rest[g] : -1, codes, weight,
                                               room.data());
    }
}

template <class T>
void softmax_posteriors(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride) {
    const auto& leaf = row_loops_of<T>();
    std::vector<T> room(static_cast<std::size_t>(classes * kLanes));
    if (classes == 1)
        leaf.sigmoid(scores, count, nullptr, nullptr, room.data());
    else
        leaf.softmax(scores, classes, count, stride, -1, nullptr, nullptr, room.data());
}

template void softmax_residuals(float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                                const std::int64_t*, const std::int32_t*, const float*, double*);
template void softmax_residuals(double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                                const std::int64_t*, const std::int32_t*, const double*, double*);
template void softmax_posteriors(float*, std::int64_t, std::int64_t, std::int64_t);
template void softmax_posteriors(double*, std::int64_t, std::int64_t, std::int64_t);

}  // namespace assay
