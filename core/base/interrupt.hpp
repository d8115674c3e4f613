// Long passes ask from time to time whether they are to go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace assay {

// `ask` throws where the pass is to end; empty: it never is. Told of the work as it is done, in
// multiplications, this looks at the clock every few milliseconds and asks every fifth of a second.
class InterruptCheck {
  public:
    explicit InterruptCheck(std::function<void()> ask) : ask_(std::move(ask)), last_(Clock::now()) {}

    void after(std::int64_t work) {
        if (!ask_ || (done_ += work) < kLook) return;
        done_ = 0;
        const auto now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(200)) return;
        last_ = now;
        ask_();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::int64_t kLook = 1 << 22;

    std::function<void()> ask_;
    Clock::time_point last_;
    std::int64_t done_ = 0;
};

}  // namespace assay
