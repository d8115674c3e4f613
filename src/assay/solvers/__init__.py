"""Solvers: functions of a stated problem that know no estimator."""
