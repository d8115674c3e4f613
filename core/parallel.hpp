// Threads over a fixed grid of items. Which thread takes an item never changes what the item computes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay {

// Calls work(item, worker) for every item in [0, items); worker < threads numbers the calling thread.
template <class Work>
void parallel_for(std::int64_t items, int threads, Work&& work) {
    const int workers = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, items)));
    std::atomic<std::int64_t> next{0};
    auto run = [&](int worker) {
        for (std::int64_t item = next++; item < items; item = next++) work(item, worker);
    };
    std::vector<std::thread> pool;
    for (int worker = 1; worker < workers; ++worker) pool.emplace_back(run, worker);
    run(0);
    for (auto& thread : pool) thread.join();
}

}  // namespace assay
