/* A whole program: its own `main`, an address without a type, macros that stand in for functions. */
#include <math.h>
#define abs(x) ((x) >= 0 ? (x) : -(x))
#define swap(a, b) do { double t_ = (a); (a) = (b); (b) = t_; } while (0)

static double weighted(void *unused, int n, double x, double y) {
  for (int i = 0; i < n; i++) {
    x = x * y + abs(y - x);
    swap(x, y);
  }
  return sqrt(x);
}

int main(int argc, char **argv) {
  return weighted(argv, argc, 1.0, 2.0) > 3;
}
