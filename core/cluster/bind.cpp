// What Python sees of cluster/kmeans.hpp.
#include "cluster/kmeans.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

assay::RowMatrix sample_of(const Table& table) {
    const assay::Rows rows = rows_of(table, std::nullopt, std::nullopt);
    require(rows.count == 0 || (rows.column_stride == 1 && rows.row_stride == rows.columns),
            "the rows must lie one after the other");
    require(rows.count > 0 && rows.columns > 0 && rows.count < (std::int64_t{1} << 31),
            "there must be rows and columns, and fewer than 2^31 rows");
    return {rows.f64, rows.f32, rows.count, rows.columns};
}

assay::Grouping grouping_of(const Table& rows, const Maybe<double>& weight) {
    assay::Grouping grouping;
    grouping.rows = sample_of(rows);
    if (weight) {
        require_size(*weight, grouping.rows.count);
        grouping.weight = weight->data();
    }
    return grouping;
}

nb::tuple lloyd(Table rows, Maybe<double> weight, std::int64_t most_steps, double tolerance, int threads,
                Out<double> centers, Out<std::int32_t> labels) {
    assay::Grouping grouping = grouping_of(rows, weight);
    require(centers.ndim() == 2 && centers.shape(0) > 0, "there must be a centre");
    grouping.groups = static_cast<std::int64_t>(centers.shape(0));
    require_size(centers, grouping.groups * grouping.rows.width);
    require_size(labels, grouping.rows.count);
    assay::Settled found;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        found =
            assay::lloyd(grouping, {most_steps, tolerance}, threads, pause, centers.data(), labels.data());
    }
    nb::list errors;
    for (const double error : found.errors) errors.append(error);
    return nb::make_tuple(errors, found.converged, found.moved, found.empty);
}

void nearest_centers(Table rows, In<double> centers, int threads, Out<std::int32_t> labels) {
    const assay::RowMatrix x = sample_of(rows);
    require(centers.ndim() == 2 && centers.shape(0) > 0, "there must be a centre");
    const auto groups = static_cast<std::int64_t>(centers.shape(0));
    require_size(centers, groups * x.width);
    require_size(labels, x.count);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::nearest_centers(x, centers.data(), groups, threads, pause, labels.data());
}

void closer(Table rows, Maybe<double> weight, In<std::int32_t> drawn, In<double> closest, int threads,
            Out<double> left, Out<double> sums) {
    const assay::Grouping grouping = grouping_of(rows, weight);
    const auto count = static_cast<std::int64_t>(drawn.size()), n = grouping.rows.count;
    require(within<std::int32_t>(drawn.data(), count, 0, n), "there is no such row");
    require_size(closest, n);
    require_size(left, count * n);
    require_size(sums, count);
    nb::gil_scoped_release release;
    assay::closer(grouping, drawn.data(), count, closest.data(), threads, left.data(), sums.data());
}

}  // namespace

void bind_kmeans(nb::module_& m) {
    m.def("lloyd", &lloyd, nb::arg("rows"), nb::arg("weight").none(), nb::arg("most_steps"),
          nb::arg("tolerance"), nb::arg("threads"), nb::arg("centers").noconvert(),
          nb::arg("labels").noconvert());
    m.def("nearest_centers", &nearest_centers, nb::arg("rows"), nb::arg("centers"), nb::arg("threads"),
          nb::arg("labels").noconvert());
    m.def("closer", &closer, nb::arg("rows"), nb::arg("weight").none(), nb::arg("drawn"), nb::arg("closest"),
          nb::arg("threads"), nb::arg("left").noconvert(), nb::arg("sums").noconvert());
}
