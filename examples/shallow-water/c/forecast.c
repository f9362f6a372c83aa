/* The model alone: what there was before anything was differentiated. */
#include <stdio.h>

#include "model.h"
#include "picture.h"
#include "scenario.h"

enum { NX = 160, NY = 96, NT = 140 };

static double eta0[NY][NX], u0[NY][NX], v0[NY + 1][NX], bottom[NY][NX], eta[NY][NX];

int main(void)
{
    set_scenario(NX, NY, eta0, u0, v0, bottom);
    simulate(NX, NY, NT, eta0, u0, v0, bottom, eta);
    printf("sea level after %d steps\n", NT);
    show(NX, NY, eta);
    printf("mean in the target box: %.15e m\n", cost_function(NX, NY, NT, eta0, u0, v0, bottom));
    return 0;
}
