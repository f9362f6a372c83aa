#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static volatile double sink;

static double __attribute__((noinline)) callee(double *x, double *y) {
  return *x + *y;
}

/* The best of five, in seconds an operation. */
#define TIME(result, count, body)                 \
  do {                                            \
    result = 1e9;                                 \
    for (int turn = 0; turn < 5; turn++) {        \
      double start = now();                       \
      body;                                       \
      double took = (now() - start) / (count);    \
      if (took < result) result = took;           \
    }                                             \
  } while (0)

int main(void) {
  enum { N = 1024, REPEATS = 400 };
  static double x[N], y[N], z[N];
  for (int i = 0; i < N; i++) {
    x[i] = 1.0 + 1e-3 * i;
    y[i] = 2.0 - 1e-3 * i;
  }
  double unit, divide, function, power, call, cached, memory, fresh;
  double count = (double)N * REPEATS;
  TIME(unit, 4 * count, for (int r = 0; r < REPEATS; r++) {
    for (int i = 0; i < N; i++) z[i] = ((x[i] * y[i] + x[i]) * y[i]) + x[i];
    sink = z[r];
  });
  TIME(divide, count, for (int r = 0; r < REPEATS; r++) {
    for (int i = 0; i < N; i++) z[i] = x[i] / y[i];
    sink = z[r];
  });
  TIME(function, count, for (int r = 0; r < REPEATS; r++) {
    for (int i = 0; i < N; i++) z[i] = exp(-x[i]);
    sink = z[r];
  });
  TIME(power, count, for (int r = 0; r < REPEATS; r++) {
    for (int i = 0; i < N; i++) z[i] = pow(x[i], y[i]);
    sink = z[r];
  });
  TIME(call, count, for (int r = 0; r < REPEATS; r++) {
    for (int i = 0; i < N; i++) z[i] = callee(&x[i], &y[i]);
    sink = z[r];
  });
  size_t small = 128 * 1024, large = 128u * 1024 * 1024;
  char *from = malloc(large), *to = malloc(large);
  if (!from || !to) return 1;
  memset(from, 1, large);
  memset(to, 2, large);
  TIME(cached, 200.0 * small, for (int r = 0; r < 200; r++) {
    memcpy(to, from, small);
    sink = to[r];
  });
  TIME(memory, (double)large, {
    memcpy(to, from, large);
    sink = to[5];
  });
  /* Memory from the system for the first time, as a tape has it. */
  TIME(fresh, (double)large, {
    free(to);
    to = malloc(large);
    if (!to) return 1;
    memcpy(to, from, large);
    sink = to[5];
  });
  printf("{\"byte\": %.4g, \"warm_byte\": %.4g, \"cached_byte\": %.4g, \"cache\": 1048576, \"divide\": %.4g, "
         "\"function\": %.4g, \"power\": %.4g, \"call\": %.4g}\n",
         (fresh + memory) / unit, 2 * memory / unit, 2 * cached / unit, divide / unit, function / unit, power / unit,
         20 * call / unit);
  free(from);
  free(to);
  return 0;
}
