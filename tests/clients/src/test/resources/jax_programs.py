"""Runs programs in JAX and writes their values and gradients.

    python3 jax_programs.py INPUTS.npz PROGRAMS RESULTS.npz

PROGRAMS holds, for each program, a line `program NAME gradients KEY...` with the keys of its inputs (`values` where it has no
gradients), lines of Python over v0, v1, ..., and a line `return V...` with the values that it yields. RESULTS has NAME_r0,
NAME_r1, ... for them, and NAME_g0, ... for the gradients, by the float inputs, of the sum over all float results of
`x[i] * cos(i + 1)`. What JAX refuses is printed, a line each, and has no results.
"""
import sys

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402


def squash(x):
    return jnp.tanh(x) if jnp.issubdtype(x.dtype, jnp.floating) else x


def weighted(x):
    return jnp.sum(jnp.ravel(x.astype(jnp.float64)) * np.cos(np.arange(1.0, x.size + 1)))


def is_float(x):
    return jnp.issubdtype(x.dtype, jnp.floating)


def loss(f):
    def of(*inputs):
        return sum((weighted(r) for r in f(*inputs) if is_float(r)), jnp.float64(0))

    return of


def run(name, gradients, keys, lines, results):
    given = [jnp.asarray(inputs[key]) for key in keys]
    names = ", ".join(f"v{i}" for i in range(len(keys)))
    scope = {"jax": jax, "jnp": jnp, "squash": squash}
    exec("\n".join([f"def f({names}):", *("    " + line for line in lines), f"    return [{', '.join(results)}]"]), scope)
    try:
        values = scope["f"](*given)
    except Exception as e:
        print(name, str(e).splitlines()[0], flush=True)
        return
    for i, value in enumerate(values):
        found[f"{name}_r{i}"] = np.asarray(value).astype(np.int32) if value.dtype == bool else np.asarray(value)
    floats = [i for i, x in enumerate(given) if is_float(x)]
    if gradients and floats and any(is_float(v) for v in values):
        for i, gradient in zip(floats, jax.grad(loss(scope["f"]), argnums=floats)(*given)):
            found[f"{name}_g{i}"] = np.asarray(gradient)


inputs, found = np.load(sys.argv[1]), {}
for line in open(sys.argv[2], encoding="utf-8"):
    words = line.split()
    if words[0] == "program":
        name, gradients, keys, lines = words[1], words[2] == "gradients", words[3:], []
    elif words[0] == "return":
        run(name, gradients, keys, lines, words[1:])
    else:
        lines.append(line.rstrip())
np.savez(sys.argv[3], **found)
