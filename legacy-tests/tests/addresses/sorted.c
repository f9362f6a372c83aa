#include <stdlib.h>

typedef struct {
	double d;
	int i;
} item;

static int compare(const void *a, const void *b) {
	const item *p = (const item *)a, *q = (const item *)b;
	return p->d < q->d ? -1 : p->d > q->d ? 1 : q->i - p->i;
}

static void order(int n, const double *x, int *index) {
	item *list = (item *)malloc(n * sizeof(item));
	for (int i = 0; i < n; i++) {
		list[i].d = x[i];
		list[i].i = i;
	}
	qsort(list, n, sizeof(item), compare);
	for (int i = 0; i < n; i++) index[i] = list[i].i;
	free(list);
}

double f(int n, const double *x) {
	int index[16];
	double s = 0;
	order(n, x, index);
	for (int i = 0; i < n; i++) s += (i + 1) * x[index[i]] * x[index[0]];
	return s;
}
