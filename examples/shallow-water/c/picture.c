#include "picture.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = 80, ROWS = 24, ENLARGE = 4 };

static double largest(int nx, int ny, double a[ny][nx])
{
    double scale = 0.0;

    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            scale = fmax(scale, fabs(a[j][i]));
    return scale > 0.0 ? scale : 1.0;
}

void show(int nx, int ny, double a[ny][nx])
{
    static const char *const above[] = {" ", "░", "▒", "▓", "█"};
    static const char *const below[] = {" ", "-", "=", "%", "#"};
    double scale = largest(nx, ny, a);

    for (int row = ROWS - 1; row >= 0; row--) {
        int j = (2 * row + 1) * ny / (2 * ROWS);
        for (int column = 0; column < COLUMNS; column++) {
            int i = (2 * column + 1) * nx / (2 * COLUMNS);
            double value = a[j][i] / scale;
            int shade = (int)(5.0 * sqrt(fabs(value)));
            if (shade > 4)
                shade = 4;
            fputs(value >= 0.0 ? above[shade] : below[shade], stdout);
        }
        putchar('\n');
    }
}

int write_ppm(const char *file, int nx, int ny, double a[ny][nx])
{
    double scale = largest(nx, ny, a);
    FILE *out = fopen(file, "wb");

    if (!out)
        return -1;
    fprintf(out, "P6\n%d %d\n255\n", ENLARGE * nx, ENLARGE * ny);
    for (int j = ENLARGE * ny - 1; j >= 0; j--)
        for (int i = 0; i < ENLARGE * nx; i++) {
            double value = a[j / ENLARGE][i / ENLARGE] / scale;
            int fade = 255 - (int)(255.0 * sqrt(fabs(value)));
            fputc(value >= 0.0 ? 255 : fade, out);
            fputc(fade, out);
            fputc(value >= 0.0 ? fade : 255, out);
        }
    return fclose(out) == 0 ? 0 : -1;
}
