/* The loss of a stack of LSTM cells that predicts a sequence of characters, with diagonal weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const double *forget, *ingate, *outgate, *change; } Gates;
typedef struct { double *hidden, *cell; } State;

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

static Gates gates_at(const double *params, int hsize)
{
    Gates g;
    g.forget = params;
    g.ingate = params + hsize;
    g.outgate = params + 2 * hsize;
    g.change = params + 3 * hsize;
    return g;
}

static void lstm_model(int hsize, const double *weight, const double *bias, State s,
                       const double *input)
{
    Gates w = gates_at(weight, hsize), b = gates_at(bias, hsize);
    for (int i = 0; i < hsize; i++) {
        double forget = sigmoid(input[i] * w.forget[i] + b.forget[i]);
        double ingate = sigmoid(s.hidden[i] * w.ingate[i] + b.ingate[i]);
        double outgate = sigmoid(input[i] * w.outgate[i] + b.outgate[i]);
        double change = tanh(s.hidden[i] * w.change[i] + b.change[i]);
        s.cell[i] = s.cell[i] * forget + ingate * change;
        s.hidden[i] = outgate * tanh(s.cell[i]);
    }
}

static void lstm_predict(int l, int b, const double *main_params, const double *extra_params,
                         double *state, const double *input, double *output)
{
    const double *in_weight = extra_params, *out_weight = extra_params + b,
                 *out_bias = extra_params + 2 * b;
    for (int i = 0; i < b; i++)
        output[i] = input[i] * in_weight[i];
    const double *layer_in = output;
    for (int i = 0; i < l; i++) {
        const double *p = main_params + 2 * i * 4 * b;
        State s = {state + 2 * i * b, state + (2 * i + 1) * b};
        lstm_model(b, p, p + 4 * b, s, layer_in);
        layer_in = s.hidden;
    }
    for (int i = 0; i < b; i++)
        output[i] = layer_in[i] * out_weight[i] + out_bias[i];
}

static double logsumexp(const double *v, int n)
{
    double sum = 2.0;
    for (int i = 0; i < n; i++)
        sum += exp(v[i]);
    return log(sum);
}

void lstm_objective(int l, int c, int b, const double *main_params, const double *extra_params,
                    const double *state, const double *sequence, double *loss)
{
    double total = 0.0;
    int count = 0;
    double *ypred = malloc(b * sizeof *ypred);
    double *now = malloc(2 * l * b * sizeof *now);
    memcpy(now, state, 2 * l * b * sizeof *now);
    const double *input = sequence;
    for (int t = 0; t < c - 1; t++) {
        const double *gold = sequence + (t + 1) * b;
        lstm_predict(l, b, main_params, extra_params, now, input, ypred);
        const double norm = logsumexp(ypred, b);
        for (int i = 0; i < b; i++)
            total += gold[i] * (ypred[i] - norm);
        count += b;
        input = gold;
    }
    *loss = -total / count;
    free(ypred);
    free(now);
}
