/* Log posterior of a mixture of Gaussians. The inverse covariances are L L^T with the logarithms of the
   diagonal of L first and its strict lower triangle after it, column by column. */
#include <math.h>
#include <stdlib.h>

typedef struct { double gamma; int m; } Wishart;
typedef struct { int k, d; const double *alphas, *means, *icf; } Mixture;

static double square(double x) { return x * x; }

static double sqnorm(int n, const double *x)
{
    double res = square(x[0]);
    for (int i = 1; i < n; i++)
        res += square(x[i]);
    return res;
}

static double arr_max(int n, const double *x)
{
    double m = x[0];
    for (int i = 1; i < n; i++)
        if (m < x[i])
            m = x[i];
    return m;
}

static double logsumexp(int n, const double *x)
{
    const double mx = arr_max(n, x);
    double sum = 0.0;
    for (const double *p = x; p < x + n; p++)
        sum += exp(*p - mx);
    return log(sum) + mx;
}

/* out = L y, with the diagonal given as it is. */
static void Qtimesx(int d, const double *qdiag, const double *ltri, const double *y, double *out)
{
    for (int i = 0; i < d; i++)
        out[i] = qdiag[i] * y[i];
    int at = 0;
    for (int i = 0; i < d; i++)
        for (int j = i + 1; j < d; j++)
            out[j] += ltri[at++] * y[i];
}

static double log_gamma_distrib(double a, double p)
{
    const double pi = 3.14159265358979323846;
    double out = 0.25 * p * (p - 1) * log(pi);
    for (int j = 1; j <= p; j++)
        out += lgamma(a + 0.5 * (1 - j));
    return out;
}

static double log_wishart_prior(const Mixture *p, Wishart w, const double *sum_qs,
                                const double *qdiags)
{
    const int d = p->d, icf_size = d * (d + 1) / 2;
    const int n = d + w.m + 1;
    const double c = n * d * (log(w.gamma) - 0.5 * log(2.0)) - log_gamma_distrib(0.5 * n, d);
    double out = 0.0;
    for (int ik = 0; ik < p->k; ik++) {
        double frobenius = sqnorm(d, qdiags + ik * d) +
                           sqnorm(icf_size - d, p->icf + ik * icf_size + d);
        out += 0.5 * w.gamma * w.gamma * frobenius - w.m * sum_qs[ik];
    }
    return out - p->k * c;
}

double gmm_objective(int n, int d, int k, const Mixture *p, const double *x, const Wishart *wishart)
{
    const int icf_size = d * (d + 1) / 2;
    const double constant = -n * d * 0.5 * log(2.0 * 3.14159265358979323846);
    double *qdiags = malloc(d * k * sizeof(double));
    double *sum_qs = malloc(k * sizeof(double));
    double *xcentered = malloc(d * sizeof(double));
    double *qxcentered = malloc(d * sizeof(double));
    double *main_term = malloc(k * sizeof(double));
    double slse = 0.0;

    for (int ik = 0; ik < k; ik++) {
        sum_qs[ik] = 0.0;
        for (int id = 0; id < d; id++) {
            const double q = p->icf[ik * icf_size + id];
            sum_qs[ik] += q;
            qdiags[ik * d + id] = exp(q);
        }
    }
    for (int ix = 0; ix < n; ix++) {
        for (int ik = 0; ik < k; ik++) {
            const double *mean = &p->means[ik * d];
            for (int id = 0; id < d; id++)
                xcentered[id] = x[ix * d + id] - mean[id];
            Qtimesx(d, &qdiags[ik * d], &p->icf[ik * icf_size + d], xcentered, qxcentered);
            main_term[ik] = p->alphas[ik] + sum_qs[ik] - 0.5 * sqnorm(d, qxcentered);
        }
        slse += logsumexp(k, main_term);
    }
    const double lse_alphas = logsumexp(k, p->alphas);
    const double err = constant + slse - n * lse_alphas +
                       log_wishart_prior(p, *wishart, sum_qs, qdiags);
    free(qdiags);
    free(sum_qs);
    free(xcentered);
    free(qxcentered);
    free(main_term);
    return err;
}
