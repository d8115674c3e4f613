// Which vector instructions are used. A room with vector loops has a table of them in its simd.hpp; its
// simd.cpp is compiled once per instruction set (see CMakeLists.txt) and fills the table by the names of its
// members.
//
// Nothing in a simd.cpp may use the standard library, and what it includes keeps its functions in an unnamed
// namespace: an inline function compiled with these flags could end up in code for any processor.
#pragma once

namespace assay {

enum class Isa { portable, avx2, avx512 };

// The best that this processor has, or what ASSAY_ISA (portable, avx2, avx512) asks for if it can run here.
Isa isa();
const char* isa_name();

}  // namespace assay

#define ASSAY_JOINED(name, isa) name##_##isa
#define ASSAY_JOIN(name, isa) ASSAY_JOINED(name, isa)

// ASSAY_SIMD(Table, name) declares name(): the table for this processor. A simd.cpp defines
// ASSAY_TABLE(name).
#ifdef ASSAY_COMPILED_FOR
#define ASSAY_TABLE(name) ASSAY_JOIN(name, ASSAY_COMPILED_FOR)
#define ASSAY_SIMD(Table, name) extern const Table ASSAY_TABLE(name);
#elif defined(ASSAY_X86)
#define ASSAY_SIMD(Table, name)                                             \
    extern const Table name##_portable, name##_avx2, name##_avx512;         \
    inline const Table& name() {                                            \
        static const Table& table = isa() == Isa::avx512 ? name##_avx512    \
                                    : isa() == Isa::avx2 ? name##_avx2      \
                                                         : name##_portable; \
        return table;                                                       \
    }
#else
#define ASSAY_SIMD(Table, name)         \
    extern const Table name##_portable; \
    inline const Table& name() { return name##_portable; }
#endif
