#include "perceptron.hpp"

#include <algorithm>
#include <vector>

#include "leaves.hpp"

namespace assay {

std::int64_t perceptron_epoch(const Visits& visits, std::int64_t classes, double seen, Pause& pause,
                              double* weights, double* late, double* longest) {
    const std::int64_t width = visits.width;
    std::vector<double> score(static_cast<std::size_t>(classes));
    std::int64_t mistakes = 0, start = 0, most = -1;
    const auto keep_if_longest = [&](std::int64_t place) {
        if (place - start <= most) return;
        most = place - start;
        std::copy(weights, weights + classes * width, longest);
    };
    for (std::int64_t place = 0; place < visits.count; ++place) {
        const std::int64_t row = visits.order ? visits.order[place] : place;
        const double* z = visits.z + row * width;
        leaves().dots(z, weights, classes, width, score.data());
        const std::int64_t given =
            classes == 1 ? score[0] > 0 : std::max_element(score.begin(), score.end()) - score.begin();
        const std::int64_t own = visits.code[row];
        const double size = visits.size[row];
        if (given != own) {
            keep_if_longest(place);
            const auto step = [&](std::int64_t k, double sign) {
                leaves().add_multiple(sign * size, z, width, weights + k * width);
                leaves().add_multiple(sign * size * seen, z, width, late + k * width);
            };
            if (classes == 1) {
                step(0, own == 1 ? 1.0 : -1.0);
            } else {
                step(own, 1.0);
                step(given, -1.0);
            }
            ++mistakes;
            start = place + 1;
        }
        seen += size;
        pause.after(classes * width);
    }
    keep_if_longest(visits.count);
    return mistakes;
}

}  // namespace assay
