/* Written by `contraflow check`: what a driver needs that proves derivatives. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of the user's, or of a header, must not be met. */
#undef I

static long long check_state = 20260101;

/* Uniform in [0, 1). Two steps of the minimal standard generator: the same on every machine. */
static double check_random(void) {
  const long long modulus = 2147483647;
  long long high;
  check_state = 16807 * check_state % modulus;
  high = check_state;
  check_state = 16807 * check_state % modulus;
  return ((double)(high - 1) + (double)(check_state - 1) / (double)(modulus - 1)) / (double)(modulus - 1);
}

static inline long long check_whole(long long low, long long high) {
  long long x = low + (long long)(check_random() * (double)(high - low + 1));
  return x < high ? x : high;
}

static inline double check_larger(double a, double b) { return a >= b ? a : b; }

/* How many of n elements of some bytes each differ in a bit. */
static inline long check_differing(const void *x, const void *y, long n, long bytes) {
  long number = 0;
  for (long i = 0; i < n; i++)
    if (memcmp((const char *)x + i * bytes, (const char *)y + i * bytes, (size_t)bytes) != 0) number++;
  return number;
}
