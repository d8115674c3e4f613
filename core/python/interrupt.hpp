// Ctrl-C in the middle of a long pass, for the files that know Python.
#pragma once

#include <nanobind/nanobind.h>

// What else to ask, set by Python: threads that do not get signals are stopped by it. Never freed: the module
// may be gone before the last thread.
inline nanobind::object& interrupt_check() {
    static auto* check = new nanobind::object();
    return *check;
}

// Called without the interpreter's lock; throws what a signal handler raised, such as KeyboardInterrupt.
inline void check_interrupt() {
    nanobind::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (interrupt_check().is_valid()) interrupt_check()();
}
