/* Without types: what compilers take as `int`. */
static counter = 3;
sum(a, b) int a, b; { return a + b; }
double scaled(x, by) double x; { return x * by; }
none() { return counter; }
double t_implicit_int(double x) { register i = 2; const j = 4; return sum(i, j) + none() + scaled(x, 3); }
