// What Python sees of moments.hpp and bootstrap.hpp.

#include <limits>

#include "moments/bootstrap.hpp"
#include "moments/moments.hpp"
#include "python/arrays.hpp"

namespace {

assay::Cells cells_of(const assay::Rows& rows, const In<std::int32_t>& cell, const Maybe<double>& weight,
                      const In<double>& center) {
    require(center.ndim() == 2, "center must be cells x features");
    assay::Cells cells;
    cells.cell = cell.data();
    cells.weight = data_of(weight);
    cells.center = center.data();
    cells.count = center.extent(0);
    require_size(cell, rows.count);
    require_size(weight, rows.count);
    require_size(center, cells.count * rows.width());
    require(within(cell.data(), rows.count, std::numeric_limits<std::int32_t>::min(), cells.count),
            "a class or group lies beyond the number of them");
    return cells;
}

// Sizes of the outputs of a pass: total and sum per cell, scatter in matrices of `pool` cells (0: per cell).
void require_sums(const assay::Rows& rows, const assay::Cells& cells, std::int64_t pool, std::int64_t times,
                  const Out<double>& total, const Out<double>& sum, const Out<double>& scatter) {
    const std::int64_t width = rows.width();
    require(pool >= 0 && (pool == 0 || cells.count % pool == 0), "pool must divide the number of cells");
    require_size(total, times * cells.count);
    require_size(sum, times * cells.count * width);
    require_size(scatter, times * (pool ? cells.count / pool * width : cells.count) * width);
}

void diagonal_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center, int threads,
                      Out<double> total, Out<double> sum, Out<double> square,
                      std::optional<Out<double>> present) {
    const auto rows = rows_of(x);
    const auto cells = cells_of(rows, cell, weight, center);
    require_sums(rows, cells, 0, 1, total, sum, square);
    require_size(present, cells.count * rows.width());
    nb::gil_scoped_release release;
    assay::diagonal_moments(rows, cells, threads, total.data(), sum.data(), square.data(), data_of(present));
}

void full_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center, std::int64_t pool,
                  Maybe<double> fill, Maybe<std::int32_t> indicators, int threads, Out<double> total,
                  Out<double> sum, Out<double> product) {
    const auto rows = rows_of(x, fill, indicators);
    const auto cells = cells_of(rows, cell, weight, center);
    require(pool > 0, "pool must be at least 1");
    require_sums(rows, cells, pool, 1, total, sum, product);
    nb::gil_scoped_release release;
    assay::full_moments(rows, cells, pool, threads, total.data(), sum.data(), product.data());
}

void replicate_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center,
                       In<std::uint16_t> multiplicity, std::int64_t pool, int threads, Out<double> total,
                       Out<double> drawn, Out<double> sum, Out<double> product) {
    const auto rows = rows_of(x);
    const auto cells = cells_of(rows, cell, weight, center);
    require(multiplicity.ndim() == 2, "multiplicities must be replicates x rows");
    const auto replicates = multiplicity.extent(0);
    require_size(multiplicity, replicates * rows.count);
    require_sums(rows, cells, pool, replicates, total, sum, product);
    require_size(drawn, replicates * cells.count);
    nb::gil_scoped_release release;
    assay::replicate_moments(rows, cells, multiplicity.data(), replicates, pool, threads, total.data(),
                             drawn.data(), sum.data(), product.data());
}

}  // namespace

void bind_moments(nb::module_& m) {
    m.def("diagonal_moments", &diagonal_moments, "x"_a, "cell"_a, "weight"_a.none(), "center"_a, "threads"_a,
          "total"_a.noconvert(), "sum"_a.noconvert(), "square"_a.noconvert(), "present"_a.noconvert().none());
    m.def("full_moments", &full_moments, "x"_a, "cell"_a, "weight"_a.none(), "center"_a, "pool"_a,
          "fill"_a.none(), "indicators"_a.none(), "threads"_a, "total"_a.noconvert(), "sum"_a.noconvert(),
          "product"_a.noconvert());
    m.def("replicate_moments", &replicate_moments, "x"_a, "cell"_a, "weight"_a.none(), "center"_a,
          "multiplicity"_a, "pool"_a, "threads"_a, "total"_a.noconvert(), "drawn"_a.noconvert(),
          "sum"_a.noconvert(), "product"_a.noconvert());
}
