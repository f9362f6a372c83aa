/* out = min(max(a1, 2), 10) a + a2 b + c in integers (NPBench compute). */
void compute(int n, int a1[n], int a2[n], int a, int b, int c, int out[n])
{
    int i, x;

    for (i = 0; i < n; i++) {
        x = a1[i] < 2 ? 2 : a1[i];
        x = x > 10 ? 10 : x;
        out[i] = x * a + a2[i] * b + c;
    }
}
