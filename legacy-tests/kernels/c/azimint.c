/* Means of data over rings of the radius (NPBench azimint_naive).
 *
 * Linear in data; which data are in a ring is read off the radius again, and the number of them is
 * counted again.  True tape: 0 bytes. */
void azimint(int n, int npt, double rmax, double data[n], double radius[n], double res[npt])
{
    double low, high, total;
    int i, j, found;

    for (i = 0; i < npt; i++) {
        low = rmax * i / npt;
        high = rmax * (i + 1) / npt;
        total = 0.0;
        found = 0;
        for (j = 0; j < n; j++)
            if (low <= radius[j] && radius[j] < high) {
                total = total + data[j];
                found = found + 1;
            }
        res[i] = 0.0;
        if (found > 0)
            res[i] = total / found;
    }
}
