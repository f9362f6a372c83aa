/* Distances along great circles between pairs of points, latitudes th and longitudes ph (NPBench
 * arc_distance).
 *
 *   s = sin((th2 - th1) / 2)^2 + cos(th1) cos(th2) sin((ph2 - ph1) / 2)^2
 *   d = 2 atan2(sqrt(s), sqrt(1 - s))
 *
 * Pairs are independent and each is reversed as soon as it has run.  True tape: 0 bytes. */
#include <math.h>

void arc_distance(int n, double th1[n], double ph1[n], double th2[n], double ph2[n], double d[n])
{
    double a, b, s;
    int i;

    for (i = 0; i < n; i++) {
        a = sin((th2[i] - th1[i]) / 2.0);
        b = sin((ph2[i] - ph1[i]) / 2.0);
        s = a * a + cos(th1[i]) * cos(th2[i]) * b * b;
        d[i] = 2.0 * atan2(sqrt(s), sqrt(1.0 - s));
    }
}
