"""Trains a model of JaxTrainingTest in JAX with Adam, and prints one loss a step.

    python3 jax_train.py FOLDER MODEL STEPS RATE HEADS

FOLDER holds numbers.bin and shapes.txt as JaxTrainingTest writes them.
"""
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

folder, model, steps, rate, heads = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
numbers = np.fromfile(folder / "numbers.bin", dtype="<f4")
of_params, of_batch = (
    [tuple(map(int, line.strip("()").split())) for line in part.splitlines()]
    for part in (folder / "shapes.txt").read_text().rstrip("\n").split("\n\n")
)
at = 0


def take(shape):
    global at
    size = int(np.prod(shape))
    part = numbers[at : at + size].reshape(shape)
    at += size
    return jnp.asarray(part)


def cross_entropy(logits, labels):
    right = jax.nn.one_hot(labels.astype(jnp.int32), logits.shape[-1])
    return -jnp.mean(jnp.sum(right * jax.nn.log_softmax(logits), -1))


def mlp(p, x, y):
    hidden = jax.nn.relu(x @ p[0] + p[1])
    return cross_entropy(hidden @ p[2] + p[3], y)


def conv(x, kernel, bias):
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias


def pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def convnet(p, x, y):
    x = x.reshape(-1, 8, 8, 1)
    x = pool(jax.nn.relu(conv(x, p[0], p[1])))
    x = pool(jax.nn.relu(conv(x, p[2], p[3])))
    return cross_entropy(x.reshape(x.shape[0], -1) @ p[4] + p[5], y)


def norm(scale, bias, x):
    centred = x - jnp.mean(x, -1, keepdims=True)
    return centred * jax.lax.rsqrt(jnp.mean(centred**2, -1, keepdims=True) + 1e-6) * scale + bias


def transformer(p, ids):
    ids = ids.astype(jnp.int32)
    inputs, labels = ids[:, :-1], ids[:, 1:]
    batch, time = inputs.shape
    x = p[0][inputs] + p[1][:time]
    width = x.shape[-1]
    layers = (len(p) - 6) // 12
    for i in range(layers):
        s1, b1, wqkv, bqkv, wout, bout, s2, b2, wup, bup, wdown, bdown = p[2 + 12 * i : 14 + 12 * i]
        qkv = (norm(s1, b1, x) @ wqkv + bqkv).reshape(batch, time, 3, heads, width // heads)
        mixed = jax.nn.dot_product_attention(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2], is_causal=True)
        x = x + mixed.reshape(batch, time, width) @ wout + bout
        x = x + jax.nn.gelu(norm(s2, b2, x) @ wup + bup) @ wdown + bdown
    scale, bias, head, shift = p[-4:]
    return cross_entropy(norm(scale, bias, x) @ head + shift, labels)


loss = {"mlp": mlp, "convnet": convnet, "transformer": transformer}[model]


@jax.jit
def step(p, t, m, v, batch):
    value, grad = jax.value_and_grad(loss)(p, *batch)
    t = t + 1
    m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grad)
    v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, grad)
    c1, c2 = 1 - 0.9**t, 1 - 0.999**t
    p = jax.tree.map(lambda w, a, b: w - rate * ((a / c1) / (jnp.sqrt(b / c2) + 1e-8)), p, m, v)
    return p, t, m, v, value


params = [take(shape) for shape in of_params]
count = jnp.float32(0)
mean = [jnp.zeros_like(w) for w in params]
square = [jnp.zeros_like(w) for w in params]
for _ in range(steps):
    params, count, mean, square, value = step(params, count, mean, square, [take(shape) for shape in of_batch])
    print(repr(float(value)))
