"""
The kernels' work in NumPy: matrices instead of loops, the fewest calls that give the same
numbers, and a cache of what is known of unchanged rows. With the word `plainly` after the
scene's file, a cycle is written as its formulas read instead. The library path determines
which BLAS multiplies.

Speaks the same lines as limit.c.
"""
import json
import math
import sys
import time

import numpy as np

WIDTH, ROWS, INPUTS, DIRECTIONS, MANY, BEST = 1024, 8, 64, 128, 10000, 10
SECONDNESS, THIRDNESS, VALEURS = 1, 2, 7
LIMIT = 0.001
PULL = np.zeros(ROWS, np.float32)
PULL[[SECONDNESS, THIRDNESS, VALEURS]] = 0.0225, 0.0125, 0
PULL_OF_INPUT = float(PULL.sum())

floats = np.fromfile(sys.argv[1], np.float32).reshape(-1, WIDTH)
begin, reference, inputs, directions, many = np.split(floats, np.cumsum([ROWS, ROWS, INPUTS, DIRECTIONS]))
# Direction i is projected on row i % 8; the directions of a row are one matrix.
by_row = [np.ascontiguousarray(directions[row::ROWS]) for row in range(ROWS)]
both = np.ascontiguousarray(np.stack([begin, reference], axis=1))
many = np.ascontiguousarray(many)


def norms_of(rows):
    return np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))


reference_norms = norms_of(reference)
many_norms = norms_of(many).astype(np.float32)


def distance(row, d, norm):
    gap = row - reference[d]
    return (float(gap @ gap) - (norm - reference_norms[d]) ** 2) / (2 * norm * reference_norms[d])


class State:
    def __init__(self):
        self.rows = begin.copy()
        self.norms = norms_of(begin)
        self.distances = np.array([distance(begin[d], d, self.norms[d]) for d in range(ROWS)])
        self.drift = 0.0

    def cycle(self, e):
        rows, norms = self.rows, self.norms
        dots = rows @ e
        ee = float(e @ e)
        self.cosines = dots / (math.sqrt(ee) * norms)
        self.gaps = np.sqrt(ee - 2 * dots + norms * norms)
        raw = PULL_OF_INPUT * e - PULL @ rows
        magnitude = math.sqrt(float(raw @ raw))
        old = rows[THIRDNESS]
        new = old + raw * (LIMIT / magnitude) if magnitude > LIMIT else old + raw
        new /= math.sqrt(float(new @ new))
        step = new - old
        self.drift += math.sqrt(float(step @ step) / float(norms @ norms))
        rows[THIRDNESS] = new
        norms[THIRDNESS] = norm = math.sqrt(float(new @ new))
        self.distances[THIRDNESS] = distance(new, THIRDNESS, norm)


class PlainState:
    def __init__(self):
        self.rows = begin.copy()
        self.drift = 0.0

    def cycle(self, e):
        norm = np.linalg.norm
        rows = self.rows
        lengths = norm(rows, axis=1)
        self.cosines = rows @ e / (norm(e) * lengths)
        second, third, values = rows[SECONDNESS], rows[THIRDNESS], rows[VALEURS]
        pulls = PULL[[SECONDNESS, THIRDNESS, VALEURS]]
        away = np.stack([e - second, e - third, e - values])
        all_gaps = norm(away, axis=1)
        self.gaps = np.zeros(ROWS)
        self.gaps[[SECONDNESS, THIRDNESS, VALEURS]] = all_gaps
        raw = pulls @ away
        magnitude = norm(raw)
        delta = raw * (LIMIT / magnitude) if magnitude > LIMIT else raw
        moved = third + delta
        new = rows.copy()
        new[THIRDNESS] = moved / norm(moved)
        self.distances = 1 - np.sum(new * reference, axis=1) / (norm(new, axis=1) * reference_norms)
        self.drift += float(norm(new - rows) / norm(rows))
        self.rows = new


def cycles(count):
    state = PlainState() if "plainly" in sys.argv else State()
    for i in range(count):
        state.cycle(inputs[i % INPUTS])
    return state


def profile():
    values = np.empty((2, DIRECTIONS), np.float32)
    for row in range(ROWS):
        values[:, row::ROWS] = both[row] @ by_row[row].T
    return values


def nearest(e):
    cosines = (many @ e) / (many_norms * math.sqrt(float(e @ e)))
    places = np.argpartition(cosines, -BEST)[-BEST:]
    places = places[np.argsort(-cosines[places])]
    return places, cosines[places]


def results():
    state = cycles(100)
    places, near = nearest(inputs[0])
    return {
        "thirdness": state.rows[THIRDNESS].tolist(),
        "cosines": state.cosines.tolist(),
        "gaps": state.gaps[[SECONDNESS, THIRDNESS, VALEURS]].tolist(),
        "distances": state.distances.tolist(),
        "drift": state.drift,
        "profile": profile().ravel().tolist(),
        "places": places.tolist(),
        "near": near.tolist(),
    }


def run(task, count):
    if task == "cycle":
        cycles(count)
    elif task == "profile":
        for _ in range(count):
            profile()
    else:
        for i in range(count):
            nearest(inputs[i % INPUTS])


for line in sys.stdin:
    words = line.split()
    if len(words) == 1:
        print(json.dumps(results()), flush=True)
    else:
        began = time.perf_counter_ns()
        run(words[0], int(words[1]))
        print((time.perf_counter_ns() - began) / int(words[1]), flush=True)
