/* Densities and temperatures of NRLMSISE-00, and each one's gradient: height, output, value, six derivatives. */
#include "nrlmsise-00.h"
#include <stdio.h>

void gtd7_b(struct nrlmsise_input *input, struct nrlmsise_input *input_b, struct nrlmsise_flags *flags,
            struct nrlmsise_output *output, struct nrlmsise_output *output_b);

int main(void) {
    const double heights[] = {30.0, 70.0, 95.0, 150.0, 250.0, 500.0};
    for (int h = 0; h < 6; h++) {
        for (int k = 1; k <= 11; k++) {
            struct nrlmsise_flags flags = {0};
            for (int i = 1; i < 24; i++) flags.switches[i] = 1;
            struct nrlmsise_input x = {0}, x_b = {0};
            x.doy = 172;
            x.sec = 29000.0;
            x.alt = heights[h];
            x.g_lat = 55.0;
            x.g_long = -65.0;
            x.lst = 16.0;
            x.f107A = 155.0;
            x.f107 = 152.0;
            x.ap = 5.0;
            struct nrlmsise_output y = {0}, y_b = {0};
            *(k <= 9 ? &y_b.d[k - 1] : &y_b.t[k - 10]) = 1.0;
            gtd7_b(&x, &x_b, &flags, &y, &y_b);
            printf("%4.0f %2d %23.15e %23.15e %23.15e %23.15e %23.15e %23.15e %23.15e\n", x.alt, k,
                   k <= 9 ? y.d[k - 1] : y.t[k - 10], x_b.alt, x_b.g_lat, x_b.g_long, x_b.f107A, x_b.f107, x_b.ap);
        }
    }
    return 0;
}
