#ifndef PARAMETERS_H
#define PARAMETERS_H

/* Constants of the model: grid spacing, physics, and the target of the cost function. */

#define DX 5.0e3        /* spacing in x, m */
#define DY 5.0e3        /* spacing in y, m */
#define DT 60.0         /* time step, s */
#define GRAVITY 9.81    /* m/s^2 */
#define CORIOLIS 1.0e-4 /* at mid-latitude of the channel, 1/s */
#define BETA 2.0e-11    /* its northward derivative, 1/(m s) */
#define DRAG 1.0e-6     /* linear bottom drag, 1/s */
#define DEPTH 200.0     /* of the undisturbed, flat-bottomed sea, m */

/* The cells over which the cost function takes the mean, a box in the north-east: its first and
 * last column and row. */
#define TARGET_WEST(nx) (5 * (nx) / 8 - 1)
#define TARGET_EAST(nx) (TARGET_WEST(nx) + ((nx) / 20 > 1 ? (nx) / 20 : 1))
#define TARGET_SOUTH(ny) ((ny) / 2 - 1)
#define TARGET_NORTH(ny) (TARGET_SOUTH(ny) + ((ny) / 12 > 1 ? (ny) / 12 : 1))

#endif
