#ifndef SCENARIO_H
#define SCENARIO_H

/* A bump of water on a jet, in a channel with a ridge and a bank. */
void set_scenario(int nx, int ny, double eta0[ny][nx], double u0[ny][nx], double v0[ny + 1][nx],
                  double bottom[ny][nx]);

#endif
