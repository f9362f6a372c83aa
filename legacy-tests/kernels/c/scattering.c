/* Scattering self-energies: sums of products of small complex matrices over neighbours (NPBench
 * scattering_self_energies).
 *
 *   sigma[k,e,a] += (g[k,e-w,neigh[a,b]] dh[a,b,i]) (dh[a,b,j] d[q,w,a,b,i,j]),  e >= w.
 *
 * Products of inputs, the inner ones run again.  True tape: 0 bytes. */
#include <complex.h>

void scattering(int nk, int ne, int nq, int nw, int n3, int na, int nb, int no, int neigh[na][nb],
                double complex dh[na][nb][n3][no][no], double complex g[nk][ne][na][no][no],
                double complex d[nq][nw][na][nb][n3][n3], double complex sigma[nk][ne][na][no][no])
{
    double complex hg[no][no], hd[no][no];
    int k, e, q, w, i, j, a, b, x, y, z;

    for (k = 0; k < nk; k++)
        for (e = 0; e < ne; e++)
            for (q = 0; q < nq; q++)
                for (w = 0; w < nw; w++)
                    for (i = 0; i < n3; i++)
                        for (j = 0; j < n3; j++)
                            for (a = 0; a < na; a++)
                                for (b = 0; b < nb; b++)
                                    if (e - w >= 0) {
                                        for (x = 0; x < no; x++)
                                            for (y = 0; y < no; y++) {
                                                hg[x][y] = 0.0;
                                                for (z = 0; z < no; z++)
                                                    hg[x][y] = hg[x][y]
                                                        + g[k][e - w][neigh[a][b]][x][z]
                                                            * dh[a][b][i][z][y];
                                                hd[x][y] = dh[a][b][j][x][y] * d[q][w][a][b][i][j];
                                            }
                                        for (x = 0; x < no; x++)
                                            for (y = 0; y < no; y++)
                                                for (z = 0; z < no; z++)
                                                    sigma[k][e][a][x][y] = sigma[k][e][a][x][y]
                                                        + hg[x][z] * hd[z][y];
                                    }
}
