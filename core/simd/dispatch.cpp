#include "simd/dispatch.hpp"

#include <cstdlib>
#include <cstring>

namespace assay {

namespace {

Isa choose() {
    const char* asked = std::getenv("ASSAY_ISA");
    [[maybe_unused]] const auto wanted = [&](const char* name) {
        return !asked || !*asked || std::strcmp(asked, name) == 0;
    };
#ifdef ASSAY_X86
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (avx512 && wanted("avx512")) return Isa::avx512;
    if (avx2 && wanted("avx2")) return Isa::avx2;
#endif
    return Isa::portable;
}

}  // namespace

Isa isa() {
    static const Isa chosen = choose();
    return chosen;
}

const char* isa_name() {
    switch (isa()) {
        case Isa::avx512:
            return "avx512";
        case Isa::avx2:
            return "avx2";
        case Isa::portable:
            break;
    }
    return "portable";
}

}  // namespace assay
