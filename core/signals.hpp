// Ctrl-C in the middle of a long pass, for the files that know Python.
#pragma once

#include <nanobind/nanobind.h>

// Called without the interpreter's lock; throws what a signal handler raised, such as KeyboardInterrupt.
// Python answers signals in its main thread alone; other threads are told by ending.py.
inline void check_signals() {
    nanobind::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    nanobind::module_::import_("assay.numerics.interrupt").attr("go_on")();
}
