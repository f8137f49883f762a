"""Trains the MLP of JaxComparisonTest in JAX and prints one loss a step.

    python3 jax_mlp.py FILE STEPS BATCH IN HIDDEN OUT RATE

FILE holds little-endian float32: w1, b1, w2, b2, then for each step the batch's images and its one-hot labels.
"""
import sys

import jax
import jax.numpy as jnp
import numpy as np

path, rate = sys.argv[1], float(sys.argv[7])
steps, batch, inputs, hidden, outputs = map(int, sys.argv[2:7])
numbers = np.fromfile(path, dtype="<f4")
at = 0


def take(*shape):
    global at
    size = int(np.prod(shape))
    part = numbers[at : at + size].reshape(shape)
    at += size
    return jnp.asarray(part)


def loss(p, x, y):
    w1, b1, w2, b2 = p
    h = jax.nn.relu(x @ w1 + b1)
    return -jnp.mean(jnp.sum(y * jax.nn.log_softmax(h @ w2 + b2), axis=1))


@jax.jit
def step(p, x, y):
    value, grad = jax.value_and_grad(loss)(p, x, y)
    return [w - rate * g for w, g in zip(p, grad)], value


params = [take(inputs, hidden), take(hidden), take(hidden, outputs), take(outputs)]
for _ in range(steps):
    x, y = take(batch, inputs), take(batch, outputs)
    params, value = step(params, x, y)
    print(repr(float(value)))
