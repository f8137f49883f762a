"""The trainings of Programs.java in JAX; each line of the standard input, as `mlp_pipelined 50`, is answered by milliseconds a step."""
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

random = np.random.default_rng(1)


def normal(*shape):
    return jnp.asarray(random.standard_normal(shape), jnp.float32)


def dense(i, o):
    return normal(i, o) * (2 / (i + o)) ** 0.5, jnp.zeros(o)


def affine(p, x):
    return x @ p[0] + p[1]


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.one_hot(labels, logits.shape[-1]) * jax.nn.log_softmax(logits), -1))


def descend(loss, rate):
    def step(p, batch):
        value, grad = jax.value_and_grad(loss)(p, batch)
        return jax.tree.map(lambda w, g: w - rate * g, p, grad), value

    return step


# ---- MLP 784-512-512-10


def mlp_loss(p, batch):
    hidden = jax.nn.relu(affine(p[0], batch[0]))
    hidden = jax.nn.relu(affine(p[1], hidden))
    return cross_entropy(affine(p[2], hidden), batch[1])


# ---- a line through 1,000 points


def line_loss(p, batch):
    return jnp.mean((batch[0] @ p[0] + p[1] - batch[1]) ** 2)


# ---- transformer: 4 layers, 128 wide, 4 heads

TOKENS, TIME, WIDTH, HEADS, LAYERS, TEXTS = 96, 64, 128, 4, 4, 16


def norm(p, x):
    centred = x - jnp.mean(x, -1, keepdims=True)
    return centred * jax.lax.rsqrt(jnp.mean(centred**2, -1, keepdims=True) + 1e-6) * p[0] + p[1]


def attend(p, x):
    batch, t, _ = x.shape
    q, k, v = jnp.moveaxis(affine(p["qkv"], x).reshape(batch, t, 3, HEADS, WIDTH // HEADS), 2, 0)
    mixed = jax.nn.dot_product_attention(q, k, v, is_causal=True)
    return affine(p["out"], mixed.reshape(batch, t, WIDTH))


def transformer_loss(p, ids):
    inputs, labels = ids[:, :-1], ids[:, 1:]
    x = p["tokens"][inputs] + p["positions"][: inputs.shape[1]]
    for block in p["blocks"]:
        x = x + attend(block, norm(block["before"], x))
        x = x + affine(block["down"], jax.nn.gelu(affine(block["up"], norm(block["between"], x))))
    return cross_entropy(affine(p["head"], norm(p["last"], x)), labels)


def ones():
    return jnp.ones(WIDTH), jnp.zeros(WIDTH)


def transformer():
    return {
        "tokens": normal(TOKENS, WIDTH) * WIDTH**-0.5,
        "positions": normal(TIME, WIDTH) * WIDTH**-0.5,
        "blocks": [
            {
                "before": ones(),
                "qkv": dense(WIDTH, 3 * WIDTH),
                "out": dense(WIDTH, WIDTH),
                "between": ones(),
                "up": dense(WIDTH, 4 * WIDTH),
                "down": dense(4 * WIDTH, WIDTH),
            }
            for _ in range(LAYERS)
        ],
        "last": ones(),
        "head": dense(WIDTH, TOKENS),
    }


def adam(loss, rate):
    def step(state, batch):
        p, t, m, v = state
        value, grad = jax.value_and_grad(loss)(p, batch)
        t = t + 1
        m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grad)
        v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, grad)
        c1, c2 = 1 - 0.9**t, 1 - 0.999**t
        p = jax.tree.map(lambda w, a, b: w - rate * (a / c1) / (jnp.sqrt(b / c2) + 1e-8), p, m, v)
        return (p, t, m, v), value

    return step


class Training:
    def __init__(self, step, state, batch):
        self.step, self.state, self.batch = jax.jit(step), state, batch

    def pipelined(self, steps):
        for _ in range(steps):
            self.state, loss = self.step(self.state, self.batch)
        return float(loss)

    def waiting(self, steps):
        for _ in range(steps):
            self.state, loss = self.step(self.state, self.batch)
            float(loss)


def fresh(rate):
    p = transformer()
    zeros = jax.tree.map(jnp.zeros_like, p)
    texts = jnp.asarray(random.integers(0, TOKENS, (TEXTS, TIME + 1)), jnp.int32)
    return Training(adam(transformer_loss, rate), (p, jnp.float32(0), zeros, zeros), texts)


def compiled(seed):
    """Traces and compiles a step that nobody compiled before."""
    training = fresh(1e-3 + 1e-6 * seed)
    begun = time.perf_counter()
    training.step.lower(training.state, training.batch).compile()
    return time.perf_counter() - begun


labels = jnp.asarray(random.integers(0, 10, 128), jnp.int32)
trainings = {
    "mlp": Training(
        descend(mlp_loss, 0.05), [dense(784, 512), dense(512, 512), dense(512, 10)], (normal(128, 784), labels)
    ),
    "tiny": Training(
        descend(line_loss, 0.1), (jnp.zeros(10), jnp.float32(0)), (normal(1000, 10), normal(1000))
    ),
    "transformer": fresh(1e-3),
}

print("JAX", jax.__version__, flush=True)
for line in sys.stdin:
    work, count = line.split()
    if work == "compile":
        print(1000 * compiled(int(count)), flush=True)
        continue
    name, how = work.split("_")
    begun = time.perf_counter()
    getattr(trainings[name], how)(int(count))
    print(1000 * (time.perf_counter() - begun) / int(count), flush=True)
