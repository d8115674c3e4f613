// The nearest rows of queries whose candidates are listed in the order of a distance that never exceeds
// theirs.
//
// The candidates measured so far show how far away the k-th neighbour may be at most. Further ones are
// measured until the listed distance, which the true one is not below, is beyond that. Where the list ends
// before, rows that it does not hold may be nearer: the query is not sure.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "neighbors/binary_columns.hpp"
#include "neighbors/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kQueries = 64;
constexpr std::size_t kMore = 16;  // candidates between two looks at the k-th nearest

// Squared distances of a row to others of the same table: of whole rows, or of bits and numbers.
class ToRows {
  public:
    explicit ToRows(const RowMatrix& rows)
        : rows_(rows), measure_(Metric::squares, 0, rows), buffer_(static_cast<std::size_t>(rows.width)) {}
    void begin(std::int32_t query) { query_ = as_doubles(rows_, query, buffer_.data()); }
    void operator()(const std::vector<std::int32_t>& source, double* out) {
        measure_(query_, source.data(), 0, static_cast<std::int64_t>(source.size()), out);
    }

  private:
    const RowMatrix rows_;
    const Measure measure_;
    std::vector<double> buffer_;
    const double* query_ = nullptr;
};

class ToPatterns {
  public:
    explicit ToPatterns(const PatternRows& rows)
        : rows_(rows), room_(rows.step, rows.step + 64 * rows.words) {}
    void begin(std::int32_t query) { query_ = query; }
    void operator()(const std::vector<std::int32_t>& source, double* out) {
        neighbors_simd().patterns.squares(rows_, query_, source.data(),
                                          static_cast<std::int64_t>(source.size()), room_.data(), out);
    }

  private:
    const PatternRows rows_;
    std::vector<double> room_;
    std::int32_t query_ = 0;
};

// The allowed candidates of one query, measured as far as needed.
template <class To>
class Listed {
  public:
    template <class Rows>
    Listed(const Rows& rows, const Candidates& from, const Lists& out)
        : from_(from), out_(out), measure_(rows) {}

    bool search(std::int64_t i) {
        found_.clear(), at_ = 0;
        list_ = from_.rows + from_.place[i] * from_.length;
        bound_ = from_.distances + from_.place[i] * from_.length;
        measure_.begin(from_.query[i]);
        const auto k = static_cast<std::size_t>(out_.k);
        take(k, INFINITY);
        while (found_.size() >= k && !source_.empty()) take(kMore, reach(kth(k)));
        const std::size_t some = std::min(k, found_.size());
        std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(some), found_.end());
        std::sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(some));
        write(i, some);
        const double last = bound_[from_.length - 1];  // infinite: the list holds all rows there are
        return last == INFINITY || (some == k && reach(found_[k - 1].first) < last);
    }

  private:
    double reach(double squared) const { return std::sqrt(squared) * from_.factor + from_.slack; }

    double kth(std::size_t k) {
        const auto last = found_.begin() + static_cast<std::ptrdiff_t>(k) - 1;
        std::nth_element(found_.begin(), last, found_.end());
        return last->first;
    }

    // Up to `most` further candidates, none listed beyond `limit`.
    void take(std::size_t most, double limit) {
        source_.clear();
        for (; at_ < from_.length && list_[at_] >= 0 && source_.size() < most && !(bound_[at_] > limit);
             ++at_)
            if (from_.allowed[list_[at_]]) source_.push_back(list_[at_]);
        squared_.resize(source_.size());
        measure_(source_, squared_.data());
        for (std::size_t c = 0; c < source_.size(); ++c) found_.emplace_back(squared_[c], source_[c]);
    }

    void write(std::int64_t i, std::size_t some) const {
        for (std::size_t c = 0; c < static_cast<std::size_t>(out_.k); ++c) {
            out_.rows[i * out_.k + static_cast<std::int64_t>(c)] = c < some ? found_[c].second : -1;
            out_.distances[i * out_.k + static_cast<std::int64_t>(c)] =
                c < some ? std::sqrt(found_[c].first) : INFINITY;
        }
    }

    const Candidates from_;
    const Lists out_;
    To measure_;
    std::vector<double> squared_;
    std::vector<std::int32_t> source_;
    std::vector<std::pair<double, std::int32_t>> found_;  // squared distance, row
    const std::int32_t* list_ = nullptr;
    const double* bound_ = nullptr;
    std::int64_t at_ = 0;
};

template <class To, class Rows>
void search_all(const Rows& rows, const Candidates& from, std::int64_t work, int threads,
                InterruptCheck& pause, const Lists& out, std::uint8_t* sure) {
    std::vector<std::vector<Listed<To>>> own(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for((from.count + kQueries - 1) / kQueries, threads, [&](std::int64_t block, int worker) {
        auto& listed = own[static_cast<std::size_t>(worker)];
        if (listed.empty()) listed.emplace_back(rows, from, out);
        const std::int64_t first = block * kQueries, end = std::min(first + kQueries, from.count);
        for (std::int64_t i = first; i < end; ++i) sure[i] = listed[0].search(i) ? 1 : 0;
        if (worker == 0) pause.after((end - first) * from.length * work);
    });
}

}  // namespace

void nearest_listed(const RowMatrix& rows, const Candidates& from, int threads, InterruptCheck& pause,
                    const Lists& out, std::uint8_t* sure) {
    search_all<ToRows>(rows, from, rows.width, threads, pause, out, sure);
}

void nearest_listed(const PatternRows& rows, const Candidates& from, int threads, InterruptCheck& pause,
                    const Lists& out, std::uint8_t* sure) {
    search_all<ToPatterns>(rows, from, rows.count + 8, threads, pause, out, sure);
}

}  // namespace assay
