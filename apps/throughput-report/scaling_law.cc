// Owns the fit. GSL's nonlinear least squares (trust region, Levenberg-Marquardt) does the work;
// the bounds are kept by fitting with every choice of coefficients held at 0 and taking the best
// that lies inside, which for two bounded coefficients is the bounded optimum.
#include "apps/throughput-report/scaling_law.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

namespace throughput {
namespace {

constexpr size_t kCoefficients = 3;
using Coefficients = std::array<double, kCoefficients>;  // lambda, sigma, kappa

// What GSL fits: the free coefficients are those in `free`, the others are 0.
struct Problem {
  std::vector<ScalingPoint> points;  // throughput with 1 as its highest
  std::vector<size_t> free;
};

double Denominator(const Coefficients& c, double n) {
  return 1 + c[1] * (n - 1) + c[2] * n * (n - 1);
}

Coefficients Spread(const gsl_vector* x, const Problem& problem) {
  Coefficients all{};
  for (size_t i = 0; i < problem.free.size(); ++i) all[problem.free[i]] = gsl_vector_get(x, i);
  return all;
}

int Residuals(const gsl_vector* x, void* parameters, gsl_vector* residuals) {
  const auto& problem = *static_cast<const Problem*>(parameters);
  const Coefficients c = Spread(x, problem);
  for (size_t i = 0; i < problem.points.size(); ++i) {
    const auto [n, measured] = problem.points[i];
    gsl_vector_set(residuals, i, c[0] * n / Denominator(c, n) - measured);
  }
  return GSL_SUCCESS;
}

int Jacobian(const gsl_vector* x, void* parameters, gsl_matrix* jacobian) {
  const auto& problem = *static_cast<const Problem*>(parameters);
  const Coefficients c = Spread(x, problem);
  for (size_t i = 0; i < problem.points.size(); ++i) {
    const double n = problem.points[i].threads;
    const double d = Denominator(c, n);
    const Coefficients slopes = {n / d, -c[0] * n * (n - 1) / (d * d),
                                 -c[0] * n * n * (n - 1) / (d * d)};
    for (size_t j = 0; j < problem.free.size(); ++j) {
      gsl_matrix_set(jacobian, i, j, slopes[problem.free[j]]);
    }
  }
  return GSL_SUCCESS;
}

struct Solution {
  Coefficients values{};
  std::array<std::optional<double>, kCoefficients> uncertainty;
  double squares = 0;  // sum of the squared residuals
};

using Workspace =
    std::unique_ptr<gsl_multifit_nlinear_workspace, decltype(&gsl_multifit_nlinear_free)>;
using Matrix = std::unique_ptr<gsl_matrix, decltype(&gsl_matrix_free)>;

void AddUncertainty(const Problem& problem, gsl_multifit_nlinear_workspace* workspace,
                    Solution& solution) {
  const size_t free = problem.free.size();
  const auto degrees = static_cast<double>(problem.points.size() - free);
  const Matrix covariance(gsl_matrix_alloc(free, free), &gsl_matrix_free);
  gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(workspace), 0, covariance.get());
  const double t = gsl_cdf_tdist_Pinv(0.975, degrees);
  for (size_t i = 0; i < free; ++i) {
    const double variance = gsl_matrix_get(covariance.get(), i, i) * solution.squares / degrees;
    solution.uncertainty[problem.free[i]] = t * std::sqrt(variance);
  }
}

std::optional<Solution> Solve(Problem problem) {
  constexpr int kIterations = 500;
  constexpr double kTolerance = 1e-12;
  const Coefficients start = {
      problem.points.front().rows_per_second / problem.points.front().threads, 0.1, 0.001};
  gsl_multifit_nlinear_fdf system{};
  system.f = Residuals;
  system.df = Jacobian;
  system.n = problem.points.size();
  system.p = problem.free.size();
  system.params = &problem;
  std::vector<double> initial;
  for (const size_t i : problem.free) initial.push_back(start[i]);
  const auto view = gsl_vector_view_array(initial.data(), initial.size());
  auto settings = gsl_multifit_nlinear_default_parameters();
  const Workspace workspace(
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &settings, system.n, system.p),
      &gsl_multifit_nlinear_free);
  gsl_multifit_nlinear_init(&view.vector, &system, workspace.get());
  int reason = 0;
  const int status = gsl_multifit_nlinear_driver(kIterations, kTolerance, kTolerance, kTolerance,
                                                 nullptr, nullptr, &reason, workspace.get());
  // No progress from where it stands is the end as well: the last digit is reached.
  if (status != GSL_SUCCESS && status != GSL_ENOPROG) return std::nullopt;
  Solution solution;
  solution.values = Spread(gsl_multifit_nlinear_position(workspace.get()), problem);
  const gsl_vector* residuals = gsl_multifit_nlinear_residual(workspace.get());
  gsl_blas_ddot(residuals, residuals, &solution.squares);
  AddUncertainty(problem, workspace.get(), solution);
  return solution;
}

bool Inside(const Solution& solution) {
  return solution.values[0] > 0 && solution.values[1] >= 0 && solution.values[2] >= 0 &&
         std::all_of(solution.values.begin(), solution.values.end(),
                     [](double value) { return std::isfinite(value); });
}

std::optional<Solution> BestInside(const std::vector<ScalingPoint>& points) {
  gsl_set_error_handler_off();  // GSL ends the program otherwise
  const std::vector<std::vector<size_t>> choices = {{0, 1, 2}, {0, 1}, {0, 2}, {0}};
  std::optional<Solution> best;
  for (const std::vector<size_t>& free : choices) {
    const auto solution = Solve({points, free});
    if (!solution || !Inside(*solution)) continue;
    if (!best || solution->squares < best->squares) best = solution;
  }
  return best;
}

void AddQuality(const std::vector<ScalingPoint>& points, double squares, ScalingFit& fit) {
  const auto runs = static_cast<double>(points.size());
  double mean = 0;
  for (const ScalingPoint& point : points) mean += point.rows_per_second / runs;
  double around_mean = 0;
  for (const ScalingPoint& point : points) around_mean += std::pow(point.rows_per_second - mean, 2);
  fit.r_squared = around_mean > 0 ? 1 - squares / around_mean : 0;
  fit.relative_error = std::sqrt(squares / runs) / mean;
}

}  // namespace

double ScalingFit::At(double threads) const {
  return lambda.value * threads / Denominator({0, sigma.value, kappa.value}, threads);
}

std::optional<double> ScalingFit::PeakThreads() const {
  if (sigma.value >= 1) return 1.0;
  if (kappa.value <= 0) return std::nullopt;
  return std::max(1.0, std::sqrt((1 - sigma.value) / kappa.value));
}

tl::expected<ScalingFit, std::string> FitScaling(const std::vector<ScalingPoint>& points) {
  std::set<double> counts;
  double highest = 0;
  for (const ScalingPoint& point : points) {
    counts.insert(point.threads);
    highest = std::max(highest, point.rows_per_second);
  }
  if (counts.size() < kLeastThreadCounts) {
    return tl::unexpected("no fit: " + std::to_string(counts.size()) + " thread count" +
                          (counts.size() == 1 ? "" : "s") + ", and it takes " +
                          std::to_string(kLeastThreadCounts) + " or more");
  }
  if (highest <= 0) return tl::unexpected(std::string("no fit: no rows per second"));
  std::vector<ScalingPoint> scaled = points;
  for (ScalingPoint& point : scaled) point.rows_per_second /= highest;
  std::sort(scaled.begin(), scaled.end(),
            [](const ScalingPoint& a, const ScalingPoint& b) { return a.threads < b.threads; });
  const auto best = BestInside(scaled);
  if (!best) return tl::unexpected(std::string("no fit: the figures do not follow the law at all"));

  ScalingFit fit;
  fit.lambda = {best->values[0] * highest, best->uncertainty[0]};
  if (fit.lambda.uncertainty) *fit.lambda.uncertainty *= highest;
  fit.sigma = {best->values[1], best->uncertainty[1]};
  fit.kappa = {best->values[2], best->uncertainty[2]};
  AddQuality(scaled, best->squares, fit);
  fit.runs = points.size();
  fit.thread_counts = counts.size();
  fit.most_threads = *counts.rbegin();
  return fit;
}

}  // namespace throughput
