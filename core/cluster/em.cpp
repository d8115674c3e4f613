#include "cluster/em.hpp"

#include <algorithm>
#include <cmath>

#include "simd/vector_ops.hpp"

namespace assay {

namespace {

using Numbers = std::vector<double>;
constexpr double kLogTwoPi = 1.8378770664093454836;
constexpr int kMostSweeps = 60;
constexpr double kAside = 1e-32;            // squares beside the diagonal, as a share of those on it
constexpr std::int64_t kWidestTurned = 64;  // columns up to which turns are quicker than a call of LAPACK

Numbers zeros(std::int64_t count) { return Numbers(static_cast<std::size_t>(count), 0.0); }

// Weighted sums over the rows: weights of each class and blob, rows, and squares or products.
struct EmSums {
    Numbers weight, first, second;

    explicit EmSums(const EmProblem& p)
        : weight(zeros(p.classes * p.blobs)),
          first(zeros(p.blobs * p.width)),
          second(zeros(p.blobs * p.spread())) {}

    void clear() {
        for (Numbers* part : {&weight, &first, &second}) std::fill(part->begin(), part->end(), 0.0);
    }
};

// Blobs that a step leads to, apart from those it starts from.
struct EmFurther {
    Numbers shares, means, covariances, whiteners, log_determinants;
    std::vector<std::int64_t> floored;

    explicit EmFurther(const EmProblem& p)
        : shares(zeros(p.classes * p.blobs)),
          means(zeros(p.blobs * p.width)),
          covariances(zeros(p.blobs * p.spread())),
          whiteners(covariances),
          log_determinants(zeros(p.blobs)),
          floored(static_cast<std::size_t>(p.blobs), 0) {}

    EmBlobs view() {
        return {shares.data(),           means.data(),  covariances.data(), whiteners.data(),
                log_determinants.data(), floored.data()};
    }
};

// ln N(x; blob) without its constant; `away` and `turned` have room for a row.
double log_density(const EmProblem& p, const EmBlobs& blobs, std::int64_t b, const double* x, double* away,
                   double* turned) {
    const double* mean = blobs.means + b * p.width;
    const double* white = blobs.whiteners + b * p.spread();
    for (std::int64_t j = 0; j < p.width; ++j) away[j] = x[j] - mean[j];
    double square = 0.0;
    if (p.crossed()) {
        std::fill(turned, turned + p.width, 0.0);
        for (std::int64_t i = 0; i < p.width; ++i)
            vector_ops().add_multiple(away[i], white + i * p.width + i, p.width - i, turned + i);
        for (std::int64_t j = 0; j < p.width; ++j) square += turned[j] * turned[j];
    } else {
        for (std::int64_t j = 0; j < p.width; ++j) square += white[j] * away[j] * away[j];
    }
    return -0.5 * (square + blobs.log_determinants[b]);
}

void add_row(const EmProblem& p, std::int64_t b, const double* x, double taken, EmSums& sums) {
    vector_ops().add_multiple(taken, x, p.width, sums.first.data() + b * p.width);
    double* second = sums.second.data() + b * p.spread();
    if (p.crossed()) {
        for (std::int64_t i = 0; i < p.width; ++i)
            vector_ops().add_multiple(taken * x[i], x, i + 1, second + i * p.width);
    } else {
        for (std::int64_t j = 0; j < p.width; ++j) second[j] += taken * x[j] * x[j];
    }
}

// The log likelihood of the rows, and their sums.
double expect(const EmProblem& p, const EmBlobs& blobs, EmSums& sums) {
    sums.clear();
    Numbers score = zeros(p.blobs), away = zeros(p.width), turned = zeros(p.width);
    Numbers logs = zeros(p.classes * p.blobs);
    for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = std::log(blobs.shares[i]);
    const double constant = 0.5 * kLogTwoPi * static_cast<double>(p.width);
    double value = 0.0;
    for (std::int64_t n = 0; n < p.count; ++n) {
        const double* x = p.x + n * p.width;
        const std::int64_t own = p.code ? p.code[n] * p.blobs : 0;
        for (std::int64_t b = 0; b < p.blobs; ++b)
            score[b] = logs[own + b] + log_density(p, blobs, b, x, away.data(), turned.data());
        const double top = *std::max_element(score.begin(), score.end());
        double sum = 0.0;
        for (double& each : score) sum += each = std::exp(each - top);
        value += p.weight[n] * (top + std::log(sum) - constant);
        for (std::int64_t b = 0; b < p.blobs; ++b) {
            const double taken = p.weight[n] * (score[b] / sum);
            if (taken == 0.0) continue;
            sums.weight[own + b] += taken;
            add_row(p, b, x, taken, sums);
        }
    }
    return value;
}

// A lower factor, its inverse, the sum of squares of that, and the log determinant; false where there is
// none.
struct Factor {
    Numbers lower, inverse;
    double squares = 0.0, log_determinant = 0.0;

    bool take(const double* covariance, std::int64_t width) {
        lower.assign(covariance, covariance + width * width);
        inverse.assign(lower.size(), 0.0);
        squares = log_determinant = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            double* row = lower.data() + i * width;
            for (std::int64_t j = 0; j <= i; ++j) {
                const double* other = lower.data() + j * width;
                double left = row[j];
                for (std::int64_t k = 0; k < j; ++k) left -= row[k] * other[k];
                if (j < i)
                    row[j] = left / other[j];
                else if (!(left > 0.0))
                    return false;
                else
                    row[i] = std::sqrt(left);
            }
            log_determinant += 2.0 * std::log(row[i]);
        }
        invert(width);
        return true;
    }

    void invert(std::int64_t width) {
        for (std::int64_t i = 0; i < width; ++i) {
            const double* row = lower.data() + i * width;
            for (std::int64_t j = 0; j <= i; ++j) {
                double left = i == j ? 1.0 : 0.0;
                for (std::int64_t k = j; k < i; ++k) left -= row[k] * inverse[k * width + j];
                inverse[i * width + j] = left / row[i];
                squares += inverse[i * width + j] * inverse[i * width + j];
            }
        }
    }
};

// A turn in the plane of axes p and q that makes their product 0 (Jacobi), of the matrix and of its vectors.
void turn(double* matrix, double* vectors, std::int64_t width, std::int64_t p, std::int64_t q) {
    const double product = matrix[p * width + q];
    if (product == 0.0) return;
    const double ratio = (matrix[q * width + q] - matrix[p * width + p]) / (2.0 * product);
    const double tangent = std::copysign(1.0, ratio) / (std::abs(ratio) + std::hypot(1.0, ratio));
    const double cosine = 1.0 / std::hypot(1.0, tangent), sine = tangent * cosine;
    const auto mix = [&](double* at, std::int64_t step) {
        for (std::int64_t k = 0; k < width; ++k) {
            double &a = at[p * step + k * (width + 1 - step)], &b = at[q * step + k * (width + 1 - step)];
            const double kept = a;
            a = cosine * kept - sine * b, b = sine * kept + cosine * b;
        }
    };
    mix(matrix, width);   // rows
    mix(matrix, 1);       // columns
    mix(vectors, width);  // vectors lie in rows
}

// Eigenvalues below the floor raised to it, in place; how many there were.
std::int64_t raise_eigenvalues(double* covariance, std::int64_t width, double floor) {
    Numbers matrix(covariance, covariance + width * width), vectors = zeros(width * width);
    for (std::int64_t i = 0; i < width; ++i) vectors[i * width + i] = 1.0;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double aside = 0.0, trace = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            trace += matrix[i * width + i] * matrix[i * width + i];
            for (std::int64_t j = 0; j < i; ++j) aside += matrix[i * width + j] * matrix[i * width + j];
        }
        if (!(aside > kAside * trace)) break;
        for (std::int64_t i = 0; i < width; ++i)
            for (std::int64_t j = i + 1; j < width; ++j) turn(matrix.data(), vectors.data(), width, i, j);
    }
    std::int64_t low = 0;
    for (std::int64_t k = 0; k < width; ++k) low += matrix[k * width + k] < floor;
    if (!low) return 0;
    std::fill(covariance, covariance + width * width, 0.0);
    for (std::int64_t k = 0; k < width; ++k) {
        const double value = std::max(matrix[k * width + k], floor);
        const double* vector = vectors.data() + k * width;
        for (std::int64_t i = 0; i < width; ++i)
            vector_ops().add_multiple(value * vector[i], vector, width, covariance + i * width);
    }
    return low;
}

// The upper triangular whitener of a covariance, which is raised to the floor first; false where the caller
// has to do it.
bool whiten(double* covariance, std::int64_t width, double floor, double* white, double* log_determinant,
            std::int64_t* floored) {
    Factor factor;
    *floored = 0;
    // The least eigenvalue is at least 1 / squares.
    if (!factor.take(covariance, width) || !(floor * factor.squares <= 1.0)) {
        if (width > kWidestTurned) return false;
        *floored = raise_eigenvalues(covariance, width, floor);
        if (!factor.take(covariance, width)) return false;
    }
    for (std::int64_t i = 0; i < width; ++i)
        for (std::int64_t j = 0; j < width; ++j) white[i * width + j] = factor.inverse[j * width + i];
    *log_determinant = factor.log_determinant;
    return true;
}

// Second moments of blob b about its mean, the lower triangle mirrored.
void center(const EmProblem& p, const double* mean, double total, const double* second, double* out) {
    if (!p.crossed()) {
        for (std::int64_t j = 0; j < p.width; ++j) out[j] = second[j] / total - mean[j] * mean[j];
        return;
    }
    for (std::int64_t i = 0; i < p.width; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
            out[i * p.width + j] = out[j * p.width + i] = second[i * p.width + j] / total - mean[i] * mean[j];
}

void raise_to_floor(const EmProblem& p, EmBlobs& to, std::int64_t b) {
    double* values = to.covariances + b * p.width;
    if (p.shape == BlobShape::kSpherical) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < p.width; ++j) sum += values[j];
        std::fill(values, values + p.width, sum / static_cast<double>(p.width));
    }
    double log_determinant = 0.0;
    std::int64_t low = 0;
    for (std::int64_t j = 0; j < p.width; ++j) {
        low += values[j] < p.floor;
        values[j] = std::max(values[j], p.floor);
        to.whiteners[b * p.width + j] = 1.0 / values[j];
        log_determinant += std::log(values[j]);
    }
    to.log_determinants[b] = log_determinant;
    to.floored[b] = low;
}

// One covariance for all blobs, as heavy as each is.
void pool_covariances(const EmProblem& p, const Numbers& totals, EmBlobs& to) {
    double whole = 0.0;
    for (double each : totals) whole += each;
    Numbers together = zeros(p.spread());
    for (std::int64_t b = 0; b < p.blobs; ++b)
        vector_ops().add_multiple(totals[b] / whole, to.covariances + b * p.spread(), p.spread(),
                                  together.data());
    for (std::int64_t b = 0; b < p.blobs; ++b)
        std::copy(together.begin(), together.end(), to.covariances + b * p.spread());
}

// The likeliest blobs; false where one would collapse.
bool maximise(const EmProblem& p, const EmSums& sums, double least, EmBlobs to) {
    Numbers totals = zeros(p.blobs);
    double whole = 0.0;
    for (std::int64_t k = 0; k < p.classes; ++k) {
        double own = 0.0;
        for (std::int64_t b = 0; b < p.blobs; ++b) {
            const double weight = sums.weight[k * p.blobs + b];
            own += weight, totals[b] += weight;
        }
        for (std::int64_t b = 0; b < p.blobs; ++b)
            to.shares[k * p.blobs + b] = own > 0.0 ? sums.weight[k * p.blobs + b] / own : 0.0;
        whole += own;
    }
    for (std::int64_t b = 0; b < p.blobs; ++b) {
        if (!(totals[b] > least * whole)) return false;
        double* mean = to.means + b * p.width;
        for (std::int64_t j = 0; j < p.width; ++j) mean[j] = sums.first[b * p.width + j] / totals[b];
        center(p, mean, totals[b], sums.second.data() + b * p.spread(), to.covariances + b * p.spread());
        if (!p.crossed()) raise_to_floor(p, to, b);
    }
    if (!p.crossed()) return true;
    if (p.shape == BlobShape::kTied) pool_covariances(p, totals, to);
    for (std::int64_t b = 0; b < p.blobs; ++b) {
        const std::int64_t at = b * p.spread();
        if (!whiten(to.covariances + at, p.width, p.floor, to.whiteners + at, to.log_determinants + b,
                    to.floored + b))
            return false;
    }
    return true;
}

void keep(const EmFurther& from, const EmBlobs& to) {
    std::copy(from.shares.begin(), from.shares.end(), to.shares);
    std::copy(from.means.begin(), from.means.end(), to.means);
    std::copy(from.covariances.begin(), from.covariances.end(), to.covariances);
    std::copy(from.whiteners.begin(), from.whiteners.end(), to.whiteners);
    std::copy(from.log_determinants.begin(), from.log_determinants.end(), to.log_determinants);
    std::copy(from.floored.begin(), from.floored.end(), to.floored);
}

}  // namespace

EmEnd em_steps(const EmProblem& p, std::int64_t steps, double gain, double rounding, double least,
               InterruptCheck& pause, const EmBlobs& blobs, std::vector<double>& history) {
    EmSums sums(p);
    EmFurther further(p);
    double total = 0.0;
    for (std::int64_t n = 0; n < p.count; ++n) total += p.weight[n];
    history.push_back(expect(p, blobs, sums));
    for (std::int64_t step = 0; step < steps; ++step) {
        if (!maximise(p, sums, least, further.view())) return EmEnd::kCollapsing;
        const double last = history.back(), value = expect(p, further.view(), sums);
        if (value < last - rounding * (std::abs(value) + total)) return EmEnd::kArrived;
        keep(further, blobs);
        history.push_back(std::max(value, last));
        if (value - last <= gain) return EmEnd::kArrived;
        pause.after(p.count * p.blobs * p.spread());
    }
    return EmEnd::kOutOfSteps;
}

}  // namespace assay
