#ifndef MODEL_H
#define MODEL_H

/* The model as a function of its initial state and bottom, and a cost function of the result. */

/* Sea level after nt steps from the initial sea level and velocities over the given bottom height. */
void simulate(int nx, int ny, int nt, double eta0[ny][nx], double u0[ny][nx], double v0[ny + 1][nx],
              double bottom[ny][nx], double eta[ny][nx]);

/* Mean sea level in the target box at the final time. */
double cost_function(int nx, int ny, int nt, double eta0[ny][nx], double u0[ny][nx],
                     double v0[ny + 1][nx], double bottom[ny][nx]);

#endif
