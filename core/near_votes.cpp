#include "near_votes.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "parallel.hpp"

namespace assay {

namespace {

constexpr std::int64_t kQueries = 1024;
constexpr double kRounding = 1e-12;  // sums of weights that differ by less are taken for equal

// How loud a neighbour is, given the nearest one's distance.
double voice(double nearest, double distance) {
    if (nearest == 0.0) return distance == 0.0 ? 1.0 : 0.0;
    return nearest / distance;
}

}  // namespace

std::int64_t vote(const Neighbors& near, const Voters& voters, const double* k, std::int64_t sizes,
                  bool by_distance, bool last, int threads, std::uint8_t* too_short, double* out) {
    std::atomic<std::int64_t> unfinished{0};
    const std::int64_t classes = voters.classes;
    parallel_for((near.count + kQueries - 1) / kQueries, threads, [&](std::int64_t block, int) {
        std::vector<double> votes(static_cast<std::size_t>(classes));
        const std::int64_t end = std::min((block + 1) * kQueries, near.count);
        for (std::int64_t i = block * kQueries; i < end; ++i) {
            std::fill(votes.begin(), votes.end(), 0.0);
            const std::int32_t* rows = near.rows + i * near.length;
            const double* distances = near.distances + i * near.length;
            double mass = 0.0, total = 0.0;
            std::int64_t s = 0;
            const auto write = [&](std::int64_t code, double part) {  // and `part` of one more vote
                double* to = out + (s * near.count + i) * classes;
                const double whole = total + part;
                for (std::int64_t c = 0; c < classes; ++c) to[c] = votes[static_cast<std::size_t>(c)] / whole;
                if (part > 0.0) to[code] = (votes[static_cast<std::size_t>(code)] + part) / whole;
                ++s;
            };
            for (std::int64_t n = 0; n < near.length && s < sizes && rows[n] >= 0; ++n) {
                const std::int32_t code = voters.code[rows[n]];
                const double weight = voters.weight ? voters.weight[rows[n]] : 1.0;
                const double loud = by_distance ? voice(distances[0], distances[n]) : 1.0;
                while (s < sizes && k[s] < (mass + weight) * (1.0 - kRounding))
                    write(code, (k[s] - mass) * loud);
                mass += weight;
                total += weight * loud;
                votes[static_cast<std::size_t>(code)] += weight * loud;
                while (s < sizes && k[s] <= mass * (1.0 + kRounding)) write(code, 0.0);
            }
            too_short[i] = s < sizes && !last;
            unfinished += too_short[i];
            while (s < sizes && last) write(0, 0.0);
        }
    });
    return unfinished;
}

}  // namespace assay
