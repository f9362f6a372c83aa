/* Numbers, literals and conversions. */
#include <complex.h>
#include <stddef.h>

static _Float128 quad(_Float128 a) { return a * a; }
double t_float128(double x) { _Float128 q = x; return (double)(quad(q) / 3); }
static __float128 quad_too(__float128 a) { return a + 1.0Q; }
double t_float128_of_gcc(double x) { return (double)quad_too(x); }
_Float32 declared_only(_Float64 x);
_Float32x declared_only_too(_Float64x x);
_Float64 suffixed(void) { return 1.0f64 + 1.0f32; }
double t_suffixes(double x) { return x + suffixed() + 0b1010 + 0x7fULL + 07; }
double t_casts(double x) {
  typedef int T;
  int a = (int)x + 3;
  return (T)-a + (T)(a) + (T)*&a + sizeof(T) + sizeof (a);
}
double t_imaginary(double x) {
  double _Complex z = x + 2.0i;
  z = z * (1.0 + 2.0i) + 3.0fj;
  return creal(z) + cimag(z);
}
double t_complex_header(double x) {
  double complex z = x + 0.5 * I;
  z = creal(z) + I * cimag(z) * cexp(z);
  return cabs(z);
}
double t_parts(double x) {
  double _Complex z = x + 2.0i;
  __imag__ z += x;
  __real__ z = __real__ z * 3 + __imag__ z;
  return __real__ z + 2 * __imag__ z;
}
double t_hexadecimal(double x) { return x + 0x1.8p3 + 1e-5f + 1.L + .5 + 0x.8p1; }
typedef unsigned __int128 u128;
static u128 wide_product(unsigned long a) { return (unsigned __int128)a * a; }
double t_int128_unused(double x) { return x; }
const char *text = "a" "b\"" "c";
const wchar_t *wide_text = L"a" L"b";
const char *utf8_text = u8"x";
int characters = '\x41' + L'b' + '\'';
double t_characters(double x) { return x + '\x41' + L'b' + '\'' + sizeof("ab" "c"); }
double t_integers(double x) {
  unsigned char c = 250;
  c += 10;
  short s = (short)70000;
  unsigned u = 3u - 5;
  long long l = u;
  int q = -7 / 2, r = -7 % 2;
  return x + c + s + l + q + r + (5 >> 1) + (1 << 4) + (~5 & 0xff) + (6 ^ 3) + (u > -1);
}
double t_floats(double x) {
  float f = x;
  f = f * 1.1f + 0.1;
  long double w = f;
  w = w / 3;
  int n = (int)(10 * x);
  return w + n + 1 / 3 + 1 / 3.0f;
}
