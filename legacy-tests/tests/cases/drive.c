/* Compares the Jacobian of prim by the tangent (TANGENT) or the adjoint with the exact one, twice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int NX, NY;
extern double X0[];
void jac(const double *x, double *J);
#ifdef TANGENT
#define FORWARD 1
#define DERIVATIVE prim_d
#else
#define FORWARD 0
#define DERIVATIVE prim_b
#endif
void DERIVATIVE(const double *x, double *x_s, double *y, double *y_s);

int main(void) {
  size_t nx = NX, ny = NY;
  double *exact = calloc(nx * ny, sizeof *exact), *found = calloc(nx * ny, sizeof *found);
  double *x = calloc(nx, sizeof *x), *x_s = calloc(nx, sizeof *x);
  double *y = calloc(ny, sizeof *y), *y_s = calloc(ny, sizeof *y);
  double scale = 1e-300;
  int wrong = 0;
  memcpy(x, X0, nx * sizeof *x);
  jac(x, exact);
  for (size_t i = 0; i < nx * ny; i++) scale = fmax(scale, fabs(exact[i]));
  for (int pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < (FORWARD ? nx : ny); k++) {
      memcpy(x, X0, nx * sizeof *x);
      memset(x_s, 0, nx * sizeof *x);
      memset(y_s, 0, ny * sizeof *y);
      memset(y, 0, ny * sizeof *y);
      (FORWARD ? x_s : y_s)[k] = 1;
      DERIVATIVE(x, x_s, y, y_s);
      if (FORWARD)
        for (size_t i = 0; i < ny; i++) found[i * nx + k] = y_s[i];
      else
        for (size_t i = 0; i < nx; i++) found[k * nx + i] = x_s[i];
    }
    for (size_t i = 0; i < nx * ny; i++)
      if (!(fabs(found[i] - exact[i]) < TOLERANCE * scale)) {
        printf("entry %zu: exact %g, found %g\n", i, exact[i], found[i]);
        wrong = 1;
      }
  }
  free(exact), free(found), free(x), free(x_s), free(y), free(y_s);
  return wrong;
}
