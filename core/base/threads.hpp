// Threads over a fixed grid of items. Which thread takes an item never changes what the item computes.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {

// A pool stays for many jobs in a row, each of which may be short: its threads wait for the next one awake
// for a while, then asleep. It belongs to one call of a kernel, so that no thread outlives the call, or a
// fork.
class ThreadPool {
  public:
    using Work = std::function<void(std::int64_t item, int worker)>;

    // `threads` counts the caller; where the system grants fewer, fewer do the work.
    explicit ThreadPool(int threads) {
        helpers_.reserve(static_cast<std::size_t>(threads > 1 ? threads - 1 : 0));
        try {
            for (int helper = 1; helper < threads; ++helper)
                helpers_.emplace_back([this, helper] { help(helper); });
        } catch (const std::system_error&) {
        }
    }
    ~ThreadPool() {
        if (helpers_.empty()) return;
        begin([](std::int64_t, int) {}, 0, true);
        for (auto& helper : helpers_) helper.join();
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    // Threads, the caller among them.
    int size() const { return static_cast<int>(helpers_.size()) + 1; }

    // Calls work(item, worker) for every item in [0, items) and returns when all are done; worker < size()
    // numbers the calling thread. The first exception ends the work and reaches the caller.
    void run(std::int64_t items, const Work& work) {
        if (helpers_.empty() || items < 2) {
            for (std::int64_t item = 0; item < items; ++item) work(item, 0);
            return;
        }
        begin(work, items, false);
        take(0);
        wait([this] { return busy_ == 0; });
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    static constexpr int kAwake = 200;  // times a waiting thread lets others run before it sleeps

    template <class Ready>
    void wait(Ready ready) {
        for (int turn = 0; turn < kAwake; ++turn) {
            if (ready()) return;
            std::this_thread::yield();
        }
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, ready);
    }

    // Helpers are all waiting, so that nobody reads the job while it changes.
    void begin(const Work& work, std::int64_t items, bool last) {
        work_ = &work, items_ = items, last_ = last;
        next_ = 0, failed_ = false, failure_ = nullptr;
        busy_ = static_cast<int>(helpers_.size());
        std::lock_guard<std::mutex> lock(mutex_);
        ++jobs_;
        changed_.notify_all();
    }

    void take(int worker) {
        try {
            for (std::int64_t item = next_++; item < items_ && !failed_; item = next_++)
                (*work_)(item, worker);
        } catch (...) {
            if (!failed_.exchange(true)) failure_ = std::current_exception();
        }
    }

    void help(int worker) {
        for (std::int64_t seen = 0;;) {
            wait([&] { return jobs_ != seen; });
            ++seen;
            if (last_) return;
            take(worker);
            if (--busy_ == 0) {
                std::lock_guard<std::mutex> lock(mutex_);
                changed_.notify_all();
            }
        }
    }

    std::vector<std::thread> helpers_;
    std::mutex mutex_;
    std::condition_variable changed_;
    const Work* work_ = nullptr;
    std::int64_t items_ = 0;
    bool last_ = false;
    std::exception_ptr failure_;
    std::atomic<std::int64_t> next_{0}, jobs_{0};
    std::atomic<int> busy_{0};
    std::atomic<bool> failed_{false};
};

// A single job: calls work(item, worker) for every item in [0, items); worker < threads.
inline void parallel_for(std::int64_t items, int threads, const ThreadPool::Work& work) {
    ThreadPool(static_cast<int>(std::min<std::int64_t>(threads, items))).run(items, work);
}

}  // namespace assay
