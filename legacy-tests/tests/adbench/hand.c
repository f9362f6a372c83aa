/* Hand tracking: vertices skinned by a chain of bones that are turned by the parameters, against measured
   points. Matrices are stored column by column. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int nrows, ncols; double *data; } Matrix;
typedef struct {
    int n_bones, n_vertices;
    const int *parents;
    const double *base_relatives, *inverse_base, *vertices, *weights;
} HandModel;

static Matrix matrix_new(int nrows, int ncols)
{
    Matrix m = {nrows, ncols, NULL};
    m.data = calloc((size_t)(nrows * ncols), sizeof *m.data);
    return m;
}

static void matrix_free(Matrix *m)
{
    free(m->data);
    m->data = NULL;
    m->nrows = m->ncols = 0;
}

static double *at(const Matrix *m, int row, int col) { return &m->data[row + col * m->nrows]; }

static void euler_to_rotation(const double *xzy, double r[9])
{
    double tx = xzy[0], ty = xzy[2], tz = xzy[1];
    double rx[9] = {1, 0, 0, 0, cos(tx), sin(tx), 0, -sin(tx), cos(tx)};
    double ry[9] = {cos(ty), 0, -sin(ty), 0, 1, 0, sin(ty), 0, cos(ty)};
    double rz[9] = {cos(tz), sin(tz), 0, -sin(tz), cos(tz), 0, 0, 0, 1};
    double rzy[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rzy[i + 3 * j] = 0.0;
            for (int k = 0; k < 3; k++)
                rzy[i + 3 * j] += rz[i + 3 * k] * ry[k + 3 * j];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r[i + 3 * j] = 0.0;
            for (int k = 0; k < 3; k++)
                r[i + 3 * j] += rzy[i + 3 * k] * rx[k + 3 * j];
        }
}

static void multiply4(const double *a, const double *b, double *out)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            double s = 0.0;
            for (int k = 0; k < 4; k++)
                s += a[i + 4 * k] * b[k + 4 * j];
            out[i + 4 * j] = s;
        }
}

static void relatives(const HandModel *model, const double *angles, double *out)
{
    for (int b = 0; b < model->n_bones; b++) {
        double r[9], full[16] = {0};
        euler_to_rotation(angles + 3 * b, r);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                full[i + 4 * j] = r[i + 3 * j];
        full[15] = 1.0;
        multiply4(&model->base_relatives[16 * b], full, out + 16 * b);
    }
}

void hand_objective(int n_theta, const double *theta, const HandModel *model, int npts,
                    const double *points, const int *corr, double *err)
{
    const int nb = model->n_bones;
    (void)n_theta;
    double relative[16 * 8], absolute[16 * 8], skin[16];
    relatives(model, theta + 2, relative);
    for (int b = 0; b < nb; b++) {
        if (model->parents[b] == -1)
            memcpy(&absolute[16 * b], &relative[16 * b], 16 * sizeof(double));
        else
            multiply4(&absolute[16 * model->parents[b]], &relative[16 * b], &absolute[16 * b]);
    }
    Matrix positions = matrix_new(3, model->n_vertices);
    for (int b = 0; b < nb; b++) {
        multiply4(&absolute[16 * b], &model->inverse_base[16 * b], skin);
        for (int v = 0; v < model->n_vertices; v++) {
            const double *vertex = model->vertices + 4 * v;
            for (int i = 0; i < 3; i++) {
                double s = 0.0;
                for (int k = 0; k < 4; k++)
                    s += skin[i + 4 * k] * vertex[k];
                *at(&positions, i, v) += s * model->weights[b + nb * v];
            }
        }
    }
    for (int v = 0; v < model->n_vertices; v++)
        for (int i = 0; i < 3; i++)
            *at(&positions, i, v) *= i < 2 ? theta[i] + 1.0 : 1.0;
    for (int i = 0; i < npts; i++)
        for (int k = 0; k < 3; k++)
            err[3 * i + k] = points[3 * i + k] - *at(&positions, k, corr[i]);
    matrix_free(&positions);
}
