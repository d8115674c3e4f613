#include "neighbors/binary_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/threads.hpp"
#include "neighbors/pattern_cells.hpp"
#include "neighbors/simd.hpp"

namespace assay {

namespace {

constexpr std::int64_t kQueries = 32;  // queries of one pattern that are searched one after the other
constexpr std::int64_t kFewQueries = 64, kFewColumns = 16, kMostColumns = 10000;
constexpr std::int64_t kProbes = 16;
constexpr std::size_t kRoom = 64;  // for candidates beyond twice as many as are wanted
constexpr double kMostSquares = 1e300;
constexpr double kNone = std::numeric_limits<double>::infinity();

// Beyond what two sums of the same squares may differ by, in any order of at most kMostColumns.
double closely(double squared) { return squared * (1.0 + 1e-11) + 1e-300; }

// The cells of the rows, and what a visit reads of them.
struct Ground {
    Ground(const PatternSearch& search)
        : search(search),
          cells(search.table, search.rows, search.row_count),
          codes(search.table, cells),
          row(cells.order().size()),
          group(row.size()),
          numbers(row.size() * static_cast<std::size_t>(search.table.count)) {
        const auto width = static_cast<std::size_t>(search.table.count);
        for (std::size_t place = 0; place < row.size(); ++place) {
            row[place] = search.rows[cells.order()[place]];
            group[place] = search.among.group_of(row[place]);
            std::copy_n(search.table.numbers + row[place] * search.table.count, width,
                        numbers.begin() + static_cast<std::ptrdiff_t>(place * width));
        }
    }
    const PatternSearch& search;
    PatternCells cells;
    PatternCodes codes;
    std::vector<std::int32_t> row, group;  // of each place
    std::vector<double> numbers;
};

// Queries of one pattern on their way through the cells.
class Visitor {
  public:
    Visitor(const Ground& ground, const Lists& out)
        : ground_(ground),
          table_(ground.search.table),
          out_(out),
          k_(static_cast<std::size_t>(out.k)),
          own_(static_cast<std::size_t>(ground.codes.codes())),
          tables_(16 * own_.size()),
          listed_(static_cast<std::size_t>(ground.codes.panels() * kPatternPanel)),
          sorted_(listed_.size()),
          sums_(listed_.size()),
          room_(ground.search.frame.steps()) {}

    // Queries which[0..count), of one pattern.
    void run(const std::int32_t* which, std::int64_t count) {
        ground_.codes.read(ground_.search.queries[which[0]], own_.data());
        quantum_ = std::max({quantum_ / 16, ground_.codes.most() * 1e-9, 1e-290});
        sweep();
        while (reached_ < 2 * out_.k && !whole_) widen();
        for (std::int64_t i = 0; i < count; ++i)
            while (!search(which[i])) widen();
    }
    std::int64_t visited() const { return visited_; }

  private:
    void widen() {
        quantum_ *= 4.0;
        sweep();
    }

    // The cells in the order of their bounds; those beyond 255 quanta are left out.
    void sweep() {
        const std::int64_t cells = ground_.cells.count();
        ground_.codes.tables(own_.data(), quantum_, tables_.data());
        std::int64_t found = neighbors_simd().patterns.sweep(ground_.codes.data(), ground_.codes.panels(),
                                                             ground_.codes.codes(), tables_.data(),
                                                             listed_.data(), sums_.data());
        while (found && listed_[static_cast<std::size_t>(found - 1)] >= cells) --found;  // of the last panel
        whole_ = found == cells;
        std::fill_n(begin_, 257, 0);
        for (std::int64_t h = 0; h < found; ++h) ++begin_[sums_[static_cast<std::size_t>(h)] + 1];
        std::partial_sum(begin_, begin_ + 257, begin_);
        std::copy_n(begin_, 256, next_);
        reached_ = 0;
        for (std::int64_t h = 0; h < found; ++h) {
            const std::int32_t cell = listed_[static_cast<std::size_t>(h)];
            sorted_[static_cast<std::size_t>(next_[sums_[static_cast<std::size_t>(h)]]++)] = cell;
            reached_ += ground_.cells.begin(cell + 1) - ground_.cells.begin(cell);
        }
    }

    double pattern_square(std::int32_t one, std::int32_t two) const {
        double sum = 0.0;
        for (std::int64_t w = 0; w < table_.words; ++w)
            for (std::uint64_t left = ground_.cells.word(one, w) ^ ground_.cells.word(two, w); left;
                 left &= left - 1) {
                const double step = table_.step[64 * w + __builtin_ctzll(left)];
                sum += step * step;
            }
        return sum;
    }

    // False where cells that were left out may hold nearer rows.
    bool search(std::int32_t query) {
        pending_.clear(), best_.clear(), limit_ = kNone;
        for (int v = 0; v < 255 && v * quantum_ <= limit_; ++v)
            for (std::int64_t at = begin_[v]; at < begin_[v + 1]; ++at)
                visit(query, sorted_[static_cast<std::size_t>(at)]);
        shrink(query);
        if (!whole_ && !(limit_ < 255.0 * quantum_)) return false;
        measure(query);
        std::sort(best_.begin(), best_.end());
        write(query);
        return true;
    }

    void visit(std::int32_t query, std::int32_t cell) {
        const double squared = pattern_square(ground_.search.queries[query], ground_.cells.first_row(cell));
        if (squared > limit_) return;
        const NeighborFilter& among = ground_.search.among;
        const double* a = table_.numbers + ground_.search.queries[query] * table_.count;
        const std::int64_t end = ground_.cells.begin(cell + 1);
        for (std::int64_t place = ground_.cells.begin(cell); place < end; ++place) {
            const double* b = ground_.numbers.data() + place * table_.count;
            double sum = squared;
            for (std::int64_t n = 0; n < table_.count; ++n) sum += (a[n] - b[n]) * (a[n] - b[n]);
            if (!(sum <= limit_)) continue;
            const std::int32_t row = ground_.row[static_cast<std::size_t>(place)];
            if (!among.allows(ground_.group[static_cast<std::size_t>(place)], query)) continue;
            if (among.itself && among.itself[query] == row) continue;
            pending_.emplace_back(sum, row);
            if (pending_.size() >= 2 * k_ + kRoom) shrink(query);
        }
        visited_ += end - ground_.cells.begin(cell);
    }

    // Drops what cannot be among the nearest any more and lowers the limit; measures if too much is left.
    void shrink(std::int32_t query) {
        if (pending_.size() + best_.size() < k_) return;
        bounds_.clear();
        for (const auto& each : pending_) bounds_.push_back(each.first);
        for (const auto& each : best_) bounds_.push_back(each.first);
        const auto kth = bounds_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
        std::nth_element(bounds_.begin(), kth, bounds_.end());
        limit_ = std::min(limit_, closely(*kth));
        pending_.erase(std::remove_if(pending_.begin(), pending_.end(),
                                      [&](const auto& each) { return each.first > limit_; }),
                       pending_.end());
        if (pending_.size() > k_ + k_ / 2 + kRoom / 2) measure(query);
    }

    void measure(std::int32_t query) {
        source_.clear();
        for (const auto& each : pending_) source_.push_back(each.second);
        pending_.clear();
        squared_.resize(source_.size());
        neighbors_simd().patterns.squares(table_, ground_.search.queries[query], source_.data(),
                                          static_cast<std::int64_t>(source_.size()), room_.data(),
                                          squared_.data());
        for (std::size_t c = 0; c < source_.size(); ++c) best_.emplace_back(squared_[c], source_[c]);
        const std::size_t some = std::min(k_, best_.size());
        std::nth_element(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(some), best_.end());
        best_.resize(some);
    }

    void write(std::int32_t query) const {
        std::int32_t* rows = out_.rows + query * out_.k;
        double* distances = out_.distances + query * out_.k;
        for (std::size_t c = 0; c < k_; ++c) {
            rows[c] = c < best_.size() ? best_[c].second : -1;
            distances[c] = c < best_.size() ? out_.distance(best_[c].first) : kNone;
        }
    }

    const Ground& ground_;
    const PatternRows table_;
    const Lists out_;
    const std::size_t k_;
    std::vector<std::uint8_t> own_, tables_;
    std::vector<std::int32_t> listed_, sorted_;
    std::vector<std::uint8_t> sums_;
    std::int64_t begin_[257], next_[256], reached_ = 0, visited_ = 0;
    double quantum_ = 0.0, limit_ = kNone;
    bool whole_ = false;
    std::vector<std::pair<double, std::int32_t>> pending_, best_;  // nearly, and exactly; squared, row
    std::vector<double> bounds_, squared_, room_;
    std::vector<std::int32_t> source_;
};

// The queries in stretches of one pattern.
struct Jobs {
    explicit Jobs(const PatternSearch& search) : cells(search.table, search.queries, search.query_count) {
        for (std::int64_t cell = 0; cell < cells.count(); ++cell)
            for (std::int64_t at = cells.begin(cell); at < cells.begin(cell + 1); at += kQueries)
                parts.emplace_back(at, std::min(kQueries, cells.begin(cell + 1) - at));
    }
    PatternCells cells;
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // first of the order, how many
};

}  // namespace

bool nearest_in_patterns(const PatternSearch& search, bool anyway, int threads, InterruptCheck& pause,
                         const Lists& out) {
    const Ground ground(search);
    if (!(ground.codes.most() < kMostSquares)) return false;
    const Jobs jobs(search);
    const auto count = static_cast<std::int64_t>(jobs.parts.size());
    std::vector<std::vector<Visitor>> visitors(static_cast<std::size_t>(std::max(1, threads)));
    const auto run = [&](std::int64_t job, int worker) -> const Visitor& {
        auto& own = visitors[static_cast<std::size_t>(worker)];
        if (own.empty()) own.emplace_back(ground, out);
        const auto& part = jobs.parts[static_cast<std::size_t>(job)];
        own[0].run(jobs.cells.order().data() + part.first, part.second);
        return own[0];
    };
    if (!anyway) {
        std::int64_t pairs = 0, visited = 0;
        for (std::int64_t job = 0; job < count; job += std::max<std::int64_t>(1, count / kProbes)) {
            visited = run(job, 0).visited();
            pairs += jobs.parts[static_cast<std::size_t>(job)].second * search.row_count;
        }
        if (24 * visited * (search.table.count + 3) > pairs * 64 * search.table.words) return false;
    }
    parallel_for(count, threads, [&](std::int64_t job, int worker) {
        run(job, worker);
        if (worker == 0) pause.after(jobs.parts[static_cast<std::size_t>(job)].second * search.row_count);
    });
    return true;
}

bool nearest_by_patterns(const RowMatrix& rows, const RowMatrix& queries, const NeighborFilter& among,
                         int threads, InterruptCheck& pause, const Lists& out) {
    PatternTable table;
    if (rows.width < kFewColumns || rows.width > kMostColumns || queries.count < kFewQueries ||
        rows.count + queries.count > std::numeric_limits<std::int32_t>::max() ||
        !make_patterns(rows, queries, threads, table))
        return false;
    const PatternFrame frame(table.kind.data(), rows.width, table.step.data());
    std::vector<std::int32_t> everything(static_cast<std::size_t>(rows.count + queries.count));
    std::iota(everything.begin(), everything.end(), 0);
    const PatternSearch search{frame,
                               frame.of(table.bits.data(), table.numbers.data()),
                               everything.data(),
                               rows.count,
                               everything.data() + rows.count,
                               queries.count,
                               among};
    return nearest_in_patterns(search, false, threads, pause, out);
}

}  // namespace assay
