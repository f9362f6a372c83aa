#include <stdlib.h>
struct node { double v; struct node *next; };
static struct node *push(struct node *head, double v) {
    struct node *q = malloc(sizeof *q);
    q->v = v; q->next = head;
    return q;
}
double f(int n, const double *x) {
    struct node *head = NULL, *p; double s = 0;
    for (int i = 0; i < n; i++) head = push(head, x[i] * x[i]);
    for (p = head; p; p = p->next) s = s * 0.5 + p->v * p->v;
    while (head) { p = head->next; free(head); head = p; }
    return s;
}
