// What Python sees of cluster: k-means, and EM for small tables.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "cluster/em.hpp"
#include "cluster/kmeans.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

// Rows that can be grouped.
assay::RowMatrix sample_of(const Table& table) {
    const assay::RowMatrix rows = matrix_of(table);
    require(rows.count > 0 && rows.width > 0 && rows.count < (std::int64_t{1} << 31),
            "there must be rows and columns, and fewer than 2^31 rows");
    return rows;
}

assay::Grouping grouping_of(const Table& rows, const Maybe<double>& weight) {
    assay::Grouping grouping;
    grouping.rows = sample_of(rows);
    require_size(weight, grouping.rows.count);
    grouping.weight = data_of(weight);
    return grouping;
}

// Errors of the steps, whether they converged, rows that still moved, centres that lost all rows.
std::tuple<std::vector<double>, bool, std::int64_t, std::int64_t> lloyd(Table rows, Maybe<double> weight,
                                                                        std::int64_t most_steps,
                                                                        double tolerance, int threads,
                                                                        Out<double> centers,
                                                                        Out<std::int32_t> labels) {
    assay::Grouping grouping = grouping_of(rows, weight);
    require(centers.ndim() == 2 && centers.shape(0) > 0, "there must be a centre");
    grouping.groups = centers.extent(0);
    require_size(centers, grouping.groups * grouping.rows.width);
    require_size(labels, grouping.rows.count);
    assay::Settled found;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        found =
            assay::lloyd(grouping, {most_steps, tolerance}, threads, pause, centers.data(), labels.data());
    }
    return {std::move(found.errors), found.converged, found.moved, found.empty};
}

void nearest_centers(Table rows, In<double> centers, int threads, Out<std::int32_t> labels) {
    const assay::RowMatrix x = sample_of(rows);
    require(centers.ndim() == 2 && centers.shape(0) > 0, "there must be a centre");
    const auto groups = centers.extent(0);
    require_size(centers, groups * x.width);
    require_size(labels, x.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::nearest_centers(x, centers.data(), groups, threads, pause, labels.data());
}

void closer(Table rows, Maybe<double> weight, In<std::int32_t> drawn, In<double> closest, int threads,
            Out<double> left, Out<double> sums) {
    const assay::Grouping grouping = grouping_of(rows, weight);
    const auto count = drawn.count(), n = grouping.rows.count;
    require(within<std::int32_t>(drawn.data(), count, 0, n), "there is no such row");
    require_size(closest, n);
    require_size(left, count * n);
    require_size(sums, count);
    nb::gil_scoped_release release;
    assay::closer(grouping, drawn.data(), count, closest.data(), threads, left.data(), sums.data());
}

std::pair<std::vector<double>, std::int32_t> em_steps(
    In<double> x, In<double> weight, Maybe<std::int32_t> codes, std::int32_t shape, double floor,
    std::int64_t steps, double gain, double rounding, double least, Out<double> shares, Out<double> means,
    Out<double> covariances, Out<double> whiteners, Out<double> log_determinants, Out<std::int64_t> floored) {
    require(x.ndim() == 2 && shares.ndim() == 2 && x.shape(1) > 0 && shares.shape(1) > 0,
            "rows and shares must be matrices");
    require(shape >= 0 && shape < 4, "there is no such shape");
    const assay::EmProblem problem{
        x.data(),    weight.data(),    data_of(codes),   x.extent(0),
        x.extent(1), shares.extent(0), shares.extent(1), static_cast<assay::BlobShape>(shape),
        floor};
    require_size(weight, problem.count);
    if (codes) {
        require_size(*codes, problem.count);
        require(within(codes->data(), problem.count, 0, problem.classes), "codes must name a class");
    } else {
        require(problem.classes == 1, "several classes need codes");
    }
    require_size(means, problem.blobs * problem.width);
    require_size(covariances, problem.blobs * problem.spread());
    require_size(whiteners, problem.blobs * problem.spread());
    require_size(log_determinants, problem.blobs);
    require_size(floored, problem.blobs);
    const assay::EmBlobs blobs{shares.data(),           means.data(),  covariances.data(), whiteners.data(),
                               log_determinants.data(), floored.data()};
    std::vector<double> history;
    assay::EmEnd end;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        end = assay::em_steps(problem, steps, gain, rounding, least, pause, blobs, history);
    }
    return {std::move(history), static_cast<std::int32_t>(end)};
}

}  // namespace

void bind_cluster(nb::module_& m) {
    m.def("lloyd", &lloyd, "rows"_a, "weight"_a.none(), "most_steps"_a, "tolerance"_a, "threads"_a,
          "centers"_a.noconvert(), "labels"_a.noconvert());
    m.def("nearest_centers", &nearest_centers, "rows"_a, "centers"_a, "threads"_a, "labels"_a.noconvert());
    m.def("closer", &closer, "rows"_a, "weight"_a.none(), "drawn"_a, "closest"_a, "threads"_a,
          "left"_a.noconvert(), "sums"_a.noconvert());

    m.def("em_steps", &em_steps, "x"_a, "weight"_a, "codes"_a.none(), "shape"_a, "floor"_a, "steps"_a,
          "gain"_a, "rounding"_a, "least"_a, "shares"_a.noconvert(), "means"_a.noconvert(),
          "covariances"_a.noconvert(), "whiteners"_a.noconvert(), "log_determinants"_a.noconvert(),
          "floored"_a.noconvert());
}
