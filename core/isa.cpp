#include <cstdlib>
#include <cstring>

#include "leaves.hpp"

namespace assay {

extern const Leaves leaves_portable;
#ifdef ASSAY_X86
extern const Leaves leaves_avx2;
extern const Leaves leaves_avx512;
#endif

namespace {

struct Choice {
    const char* name;
    const Leaves* table;
};

Choice choose() {
    const char* asked = std::getenv("ASSAY_ISA");
    auto wanted = [&](const char* name) { return !asked || !*asked || std::strcmp(asked, name) == 0; };
#ifdef ASSAY_X86
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (avx512 && wanted("avx512")) return {"avx512", &leaves_avx512};
    if (avx2 && wanted("avx2")) return {"avx2", &leaves_avx2};
#endif
    (void)wanted;
    return {"portable", &leaves_portable};
}

const Choice& chosen() {
    static const Choice choice = choose();
    return choice;
}

}  // namespace

const Leaves& leaves() { return *chosen().table; }
const char* isa() { return chosen().name; }

}  // namespace assay
