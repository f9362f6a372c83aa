static double key = -1.0, table[4] = {1.0, 2.0, 0.5};
static int filled = 0;
double head(double x)
{
    if (!filled) { table[0] *= x; table[3] += x*x; filled = 1; }
    if (key < 0.0) key = x;
    return table[0] + table[1]*x + table[2]*table[3] + key;
}
