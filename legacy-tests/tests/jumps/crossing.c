/* Jumps that cross each other, a label on a statement that is no item of a block, jumps from one arm
   into the other, and a loop with two entries. */
void f(int n, const double *x, double *y) {
    double s = x[0], t = x[1];
    int i = 0;
    if (n > 4)
        goto second;
first:
    s += t * x[i % n];
    i++;
    if (i > 3 * n)
        goto last;
second:
    t = t * 0.7 + s * 0.2;
    i++;
    if (i % 3 == 0)
        goto first;
    if (i < 2 * n)
        goto second;
    if (t > s)
        goto arm;
    else if (t > 0.5 * s) {
        s *= 1.5;
    } else
    arm:
        s += t * t;
    while (s < 3.0)
    again:
        if ((s += 0.5 + 0.1 * t) < 1.5)
            goto again;
last:
    y[0] = s * t;
    y[1] = s + t;
}
