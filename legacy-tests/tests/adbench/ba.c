/* Bundle adjustment: reprojection errors of points seen by cameras with radial distortion, and errors of
   the weights. Rotations are given by axis times angle. */
#include <math.h>

typedef struct { double v[3]; } Vec3;
typedef struct { Vec3 rot, center; double f, x0[2], k[2]; } Camera;
typedef struct { int cam, pt; double feat[2]; } Observation;

static Vec3 cross(const Vec3 *a, const Vec3 *b)
{
    Vec3 out = {{a->v[1] * b->v[2] - a->v[2] * b->v[1],
                 a->v[2] * b->v[0] - a->v[0] * b->v[2],
                 a->v[0] * b->v[1] - a->v[1] * b->v[0]}};
    return out;
}

static double dot(const double *a, const double *b, int n)
{
    double s = 0.0;
    while (n-- > 0)
        s += *a++ * *b++;
    return s;
}

static void rodrigues(const Vec3 *rot, const Vec3 *pt, Vec3 *out)
{
    const double sqtheta = dot(rot->v, rot->v, 3);
    if (sqtheta != 0.0) {
        const double theta = sqrt(sqtheta), costheta = cos(theta), sintheta = sin(theta);
        const double inverse = 1.0 / theta;
        Vec3 w;
        for (int i = 0; i < 3; i++)
            w.v[i] = rot->v[i] * inverse;
        Vec3 c = cross(&w, pt);
        const double tmp = dot(w.v, pt->v, 3) * (1.0 - costheta);
        for (int i = 0; i < 3; i++)
            out->v[i] = pt->v[i] * costheta + c.v[i] * sintheta + w.v[i] * tmp;
    } else {
        Vec3 c = cross(rot, pt);
        for (int i = 0; i < 3; i++)
            out->v[i] = pt->v[i] + c.v[i];
    }
}

static void radial_distort(const double k[2], double proj[2])
{
    const double rsq = dot(proj, proj, 2);
    const double l = 1.0 + k[0] * rsq + k[1] * rsq * rsq;
    proj[0] *= l;
    proj[1] *= l;
}

static void project(const Camera *cam, const Vec3 *x, double proj[2])
{
    Vec3 xo, xcam;
    for (int i = 0; i < 3; i++)
        xo.v[i] = x->v[i] - cam->center.v[i];
    rodrigues(&cam->rot, &xo, &xcam);
    proj[0] = xcam.v[0] / xcam.v[2];
    proj[1] = xcam.v[1] / xcam.v[2];
    radial_distort(cam->k, proj);
    for (int i = 0; i < 2; i++)
        proj[i] = proj[i] * cam->f + cam->x0[i];
}

static void reprojection_error(const Camera *cam, const Vec3 *x, double w, const double feat[2],
                               double *err)
{
    double proj[2];
    project(cam, x, proj);
    err[0] = w * (proj[0] - feat[0]);
    err[1] = w * (proj[1] - feat[1]);
}

void ba_objective(int n, int m, int p, const Camera *cams, const Vec3 *pts, const double *w,
                  const Observation *obs, double *reproj_err, double *w_err)
{
    (void)n;
    (void)m;
    for (int i = 0; i < p; i++) {
        const Observation *o = &obs[i];
        reprojection_error(&cams[o->cam], &pts[o->pt], w[i], o->feat, &reproj_err[2 * i]);
    }
    for (int i = 0; i < p; i++)
        w_err[i] = 1.0 - w[i] * w[i];
}
