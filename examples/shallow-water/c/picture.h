#ifndef PICTURE_H
#define PICTURE_H

/* Prints the field with north on top; dark for large, `-`, `=`, `#` for negative values. */
void show(int nx, int ny, double a[ny][nx]);

/* Writes the field as a binary PPM: blue for negative, white for zero, red for positive values.
 * Returns 0, or -1 if the file could not be written. */
int write_ppm(const char *file, int nx, int ny, double a[ny][nx]);

#endif
