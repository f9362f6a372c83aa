/* Macros with names of the standard library, as f2c.h has them. */
#define abs(x) ((x) >= 0 ? (x) : -(x))
#define min(a, b) ((a) <= (b) ? (a) : (b))
