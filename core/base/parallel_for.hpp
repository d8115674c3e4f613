// Threads over a fixed grid of items. Which thread takes an item never changes what the item computes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {

// Calls work(item, worker) for every item in [0, items); worker < threads numbers the calling thread. Where
// the system grants fewer threads, fewer do the work. The first exception ends it and reaches the caller.
template <class Work>
void parallel_for(std::int64_t items, int threads, Work&& work) {
    const int workers = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, items)));
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    auto run = [&](int worker) {
        try {
            for (std::int64_t item = next++; item < items && !failed; item = next++) work(item, worker);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    std::vector<std::thread> pool;
    pool.reserve(static_cast<std::size_t>(workers));
    try {
        for (int worker = 1; worker < workers; ++worker) pool.emplace_back(run, worker);
    } catch (const std::system_error&) {
    }
    run(0);
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace assay
