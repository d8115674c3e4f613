#include "cluster/distance_bounds.hpp"

#include "base/threads.hpp"
#include "cluster/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kSpan = 8192;  // rows whose sums are added up by themselves

// The power of two above a number, 1 for 0.
double power_above(double value) {
    int exponent = 0;
    if (value > 0.0) std::frexp(value, &exponent);
    return std::ldexp(1.0, exponent);
}

}  // namespace

Frame::Frame(const RowMatrix& rows, int threads)
    : center_(static_cast<std::size_t>(rows.width), 0.0), largest_(center_) {
    const std::int64_t spans = (rows.count + kSpan - 1) / kSpan;
    const std::size_t width = center_.size();
    std::vector<double> part(static_cast<std::size_t>(spans) * width, 0.0);
    const auto each_row = [&](auto visit) {
        parallel_for(spans, threads, [&](std::int64_t span, int) {
            std::vector<double> buffer(width);
            double* own = part.data() + static_cast<std::size_t>(span) * width;
            const std::int64_t end = std::min(rows.count, (span + 1) * kSpan);
            for (std::int64_t i = span * kSpan; i < end; ++i) visit(as_doubles(rows, i, buffer.data()), own);
        });
    };
    each_row([&](const double* x, double* own) {
        for (std::size_t j = 0; j < width; ++j) own[j] += x[j];
    });
    const double share = 1.0 / static_cast<double>(std::max<std::int64_t>(1, rows.count));
    for (std::size_t i = 0; i < part.size(); ++i) center_[i % width] += part[i] * share;
    std::fill(part.begin(), part.end(), 0.0);
    each_row([&](const double* x, double* own) {
        for (std::size_t j = 0; j < width; ++j) own[j] = std::max(own[j], std::fabs(x[j] - center_[j]));
    });
    for (std::size_t i = 0; i < part.size(); ++i)
        largest_[i % width] = std::max(largest_[i % width], part[i]);
    double most = 0.0;
    for (std::size_t j = 0; j < width; ++j) {
        // A point of few digits: what is subtracted from numbers of few digits rounds nothing off.
        const double step = power_above(largest_[j]) * 0x1p-4;
        center_[j] = std::round(center_[j] / step) * step;
        largest_[j] += step;
        most = std::max(most, largest_[j]);
    }
    unit_ = 1.0 / power_above(most);
}

CenterPanels::CenterPanels(const Frame& frame, std::int64_t groups)
    : frame_(frame),
      groups_(groups),
      tall_(cluster_simd().tile_rows),
      panel_count_((groups + tall_ - 1) / tall_),
      slack_(1.01 * static_cast<double>(frame.depth() + 8) * 0x1p-24),
      blur_(static_cast<double>(frame.depth() + 8) * 0x1p-49),
      norm_(static_cast<std::size_t>(groups)),
      panels_(static_cast<std::size_t>(panel_count_ * tall_ * frame.depth()), 0.0f),
      bias_(static_cast<std::size_t>(panel_count_ * tall_), 1e30f) {}

void CenterPanels::set(const double* centers) {
    const std::int64_t depth = frame_.depth(), width = depth - 1;
    for (std::int64_t k = 0; k < groups_; ++k) {
        float* to = panels_.data() + (k / tall_) * tall_ * depth + k % tall_;
        double squares = 0.0;
        for (std::int64_t j = 0; j < width; ++j) {
            const double b = (centers[k * width + j] - frame_.center()[j]) * frame_.unit();
            squares += b * b;
            to[j * tall_] = static_cast<float>(-b);
        }
        const double norm = std::sqrt(squares);
        norm_[static_cast<std::size_t>(k)] = norm;
        to[width * tall_] = static_cast<float>(-slack_ * norm);
        bias_[static_cast<std::size_t>(k)] = static_cast<float>(0.5 * squares * (1.0 - slack_));
    }
}

}  // namespace assay
