/* How many iterations z <- z^2 + c stay bounded, on a grid of c (NPBench mandelbrot). */
void mandelbrot(int n, int most, double xmin, double xmax, int count[n][n])
{
    double x, y, re, im, next;
    int i, j, t;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            x = xmin + (xmax - xmin) * (j + 1) / n;
            y = xmin + (xmax - xmin) * (i + 1) / n;
            re = 0.0;
            im = 0.0;
            count[i][j] = 0;
            for (t = 1; t <= most; t++)
                if (re * re + im * im < 4.0) {
                    next = re * re - im * im + x;
                    im = 2.0 * re * im + y;
                    re = next;
                    count[i][j] = t;
                }
        }
}
