#include <stdlib.h>
struct node { double v; struct node *next; };
double f(int n, const double *x) {
    struct node *head = NULL, *p; double s = 0;
    for (int i = 0; i < n; i++) {
        struct node *q = malloc(sizeof *q);
        q->v = x[i] * x[i]; q->next = head;
        head = q;
    }
    for (p = head; p; p = p->next) s = s * 0.5 + p->v * p->v;
    while (head) { p = head->next; free(head); head = p; }
    return s;
}
