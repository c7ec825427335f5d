"""The service's interface in FastAPI and NumPy, to compare with: straightforward code, one process.

It reads the same world as our own contestant (world.ts): vectors by the text's CRC-32, and
the directions. WORLD names its folder.

Routes declare models of their answers, as FastAPI's documentation teaches: they are what the
OpenAPI document shows. FastAPI then passes each answer through its model. With ANSWERS=ready the
routes give it a ready response instead, which it sends as it is.
"""
import json
import math
import os
import time
import zlib
from collections import deque
from datetime import datetime, timezone
from pathlib import Path
from typing import Dict, List, Optional

import numpy as np
from fastapi import FastAPI, HTTPException
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse
from pydantic import BaseModel, constr

DIMENSIONS = ["firstness", "secondness", "thirdness", "dispositions", "orientations", "engagements", "pertinences", "valeurs"]
FIRSTNESS, SECONDNESS, THIRDNESS, ORIENTATIONS, VALEURS = 0, 1, 2, 4, 7
WEIGHTS = np.array([0.15, 0.25, 0.2, 0.1, 0.1, 0.05, 0.05, 0.1])
CATEGORIES = {
    "epistemic": "firstness", "affective": "dispositions", "cognitive": "thirdness", "relational": "engagements",
    "ethical": "valeurs", "temporal": "orientations", "thematic": "pertinences", "metacognitive": "secondness",
    "vital": "dispositions", "ecosystemic": "engagements", "philosophical": "thirdness",
}

world = Path(os.environ["WORLD"])
bank = np.fromfile(world / "bank.f32", dtype="<f4").reshape(-1, 1024)
directions = json.loads((world / "directions.json").read_text())
answer = JSONResponse if os.environ.get("ANSWERS") == "ready" else dict


def embed(text):
    return bank[zlib.crc32(text.encode()) % len(bank)]


def length(vector):
    return math.sqrt(vector.dot(vector))


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


direction_vectors = np.stack([embed(f"{d['category']}.{d['name']}") for d in directions])
direction_rows = np.array([DIMENSIONS.index(CATEGORIES.get(d["category"], "thirdness")) for d in directions])
reference = np.tile(embed("the person"), (8, 1))


class Process:
    """The current state, its vigilance, and the daemon's counters."""

    def __init__(self):
        self.started = time.monotonic()
        self.began = now()
        self.is_running = False
        self.last_trigger = None
        self.reset()

    def reset(self):
        self.counted_since = time.monotonic()
        self.state_id = 0
        self.timestamp = self.began
        self.rows = np.stack([embed(name) for name in DIMENSIONS])
        self.previous = self.rows
        self.cumulative_drift = 0.0
        self.mode = "idle"
        self.cycles_by_type = {"user": 0, "veille": 0, "corpus": 0, "rumination_free": 0}
        self.total_cycles = 0
        self.last_hour = deque()

    def run(self, is_running):
        """Starts or stops the daemon; None if nothing changes. Its loop would begin after 864 s, and is left out."""
        if self.is_running == is_running:
            return None
        self.is_running = is_running
        self.mode = "autonomous" if is_running else "idle"
        return self.mode

    def trigger(self, kind):
        self.mode = "autonomous" if kind in ("rumination_free", "corpus") else "conversation"
        self.last_trigger = (kind, now(), time.monotonic())
        if kind in self.cycles_by_type:
            self.cycles_by_type[kind] += 1

    def cycle(self, e):
        # The rows and e have unit length, so their products are the cosines.
        dots = self.rows @ e
        scores = 1 - dots
        total = float(WEIGHTS @ scores)
        affected = [name for name, score in zip(DIMENSIONS, scores.tolist()) if score > 0.1]

        # The four methods: each is a coefficient of e - thirdness, except science without support.
        tenacity = 0.1 if dots[THIRDNESS] > 0.8 else 0.0
        m = float(dots[FIRSTNESS] + dots[THIRDNESS] + dots[ORIENTATIONS] + dots[VALEURS]) / 4
        a_priori = 0.15 * m if m > 0.5 else 0.05
        raw = (0.05 * tenacity + 0.25 * a_priori) * (e - self.rows[THIRDNESS]) + 0.45 * 0.05 * (e - self.rows[SECONDNESS])
        magnitude = length(raw)
        if magnitude > 0.001:
            raw *= 0.001 / magnitude
            magnitude = 0.001

        thirdness = self.rows[THIRDNESS] + raw
        rows = self.rows.copy()
        rows[THIRDNESS] = thirdness / length(thirdness)
        self.rows = rows
        self.state_id += 1
        self.timestamp = now()
        self.record(self.check_drift()["level"])
        return {
            "state_id": self.state_id,
            "delta_magnitude": magnitude,
            "dissonance_total": total,
            "is_choc": total > 0.3,
            "dimensions_affected": affected,
        }

    def record(self, level):
        at = time.monotonic()
        self.total_cycles += 1
        self.last_hour.append((at, level))
        self.forget_hours(at)

    def forget_hours(self, at):
        while self.last_hour and self.last_hour[0][0] < at - 3600:
            self.last_hour.popleft()

    def check_drift(self):
        distances = 1 - np.einsum("ij,ij->i", self.rows, reference)
        per_cycle = 0.0
        if self.rows is not self.previous:
            per_cycle = length((self.rows - self.previous).ravel()) / length(self.previous.ravel())
            self.cumulative_drift += per_cycle
            self.previous = self.rows

        drifting = int((distances > 0.05).sum())
        top = [DIMENSIONS[i] for i in np.argsort(-distances, kind="stable")[:3]]
        if self.cumulative_drift > 0.02:
            level, message = "critical", f"The cumulative drift is {self.cumulative_drift:.4f}."
        elif self.cumulative_drift > 0.01 or drifting > 2:
            level, message = "warning", f"The cumulative drift is {self.cumulative_drift:.4f}; {drifting} dimensions drift."
        elif per_cycle > 0.002:
            level, message = "warning", f"One cycle moved the state by {per_cycle:.4f}."
        else:
            level, message = "ok", None
        return {"level": level, "cumulative_drift": self.cumulative_drift, "top_drifting_dimensions": top, "message": message}


def project(rows):
    values = np.einsum("ij,ij->i", rows[direction_rows], direction_vectors).tolist()
    profile = {}
    for direction, row, value in zip(directions, direction_rows, values):
        profile.setdefault(direction["category"], {})[direction["name"]] = {
            "value": round(value, 4),
            "dimension": DIMENSIONS[row],
            "pole_positive": direction["pole_positive"],
            "pole_negative": direction["pole_negative"],
        }
    return profile


class CycleRequest(BaseModel):
    content: constr(min_length=1, regex=r"\S")
    trigger_type: str = "user"
    metadata: dict = {}


class CycleAnswer(BaseModel):
    state_id: int
    delta_magnitude: float
    dissonance_total: float
    is_choc: bool
    dimensions_affected: List[str]
    processing_time_ms: float


class Health(BaseModel):
    status: str
    version: str
    uptime_seconds: float
    state_id: int
    embedding_model: str


class State(BaseModel):
    state_id: int
    timestamp: str
    dimensions: Dict[str, List[float]]


class Vigilance(BaseModel):
    level: str
    cumulative_drift: float
    top_drifting_dimensions: List[str]
    message: Optional[str]


class LastTrigger(BaseModel):
    type: str
    timestamp: str


class DaemonStatus(BaseModel):
    mode: str
    is_ruminating: bool
    daemon_running: bool
    last_trigger: Optional[LastTrigger]
    cycles_breakdown: Dict[str, int]
    cycles_since_last_user: int
    time_since_last_user_seconds: Optional[float]


class ProfileEntry(BaseModel):
    value: float
    dimension: str
    pole_positive: str
    pole_negative: str


class Profile(BaseModel):
    state_id: int
    directions_count: int
    profile: Dict[str, Dict[str, ProfileEntry]]
    reference_profile: Dict[str, Dict[str, ProfileEntry]]
    reference_similarity: float


app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"], allow_credentials=True)
process = Process()


@app.get("/health", response_model=Health)
async def health():
    return answer({
        "status": "ok",
        "version": "0.7.0",
        "uptime_seconds": time.monotonic() - process.started,
        "state_id": process.state_id,
        "embedding_model": "instant",
    })


@app.post("/cycle", response_model=CycleAnswer)
async def cycle(request: CycleRequest):
    began = time.perf_counter()
    process.trigger(request.trigger_type)
    result = process.cycle(embed(request.content))
    return answer({**result, "processing_time_ms": (time.perf_counter() - began) * 1000})


@app.get("/state", response_model=State)
async def state():
    return answer({
        "state_id": process.state_id,
        "timestamp": process.timestamp,
        "dimensions": dict(zip(DIMENSIONS, process.rows[:, :10].tolist())),
    })


@app.get("/daemon/status", response_model=DaemonStatus)
async def daemon_status():
    counts = process.cycles_by_type
    kind, at, since = process.last_trigger or (None, None, None)
    return answer({
        "mode": process.mode,
        "is_ruminating": process.mode == "autonomous",
        "daemon_running": process.is_running,
        "last_trigger": kind and {"type": kind, "timestamp": at},
        "cycles_breakdown": counts,
        "cycles_since_last_user": counts["veille"] + counts["corpus"] + counts["rumination_free"],
        "time_since_last_user_seconds": since and time.monotonic() - since,
    })


@app.get("/vigilance", response_model=Vigilance)
async def vigilance():
    return answer(process.check_drift())


@app.get("/profile", response_model=Profile)
async def profile():
    return answer({
        "state_id": process.state_id,
        "directions_count": len(directions),
        "profile": project(process.rows),
        "reference_profile": project(reference),
        "reference_similarity": round(float(np.einsum("ij,ij->", process.rows, reference)) / 8, 4),
    })


@app.get("/metrics")
async def metrics():
    at = time.monotonic()
    process.forget_hours(at)
    levels = [level for _, level in process.last_hour]
    critical, warning = levels.count("critical"), levels.count("warning")
    return {
        "status": "critical" if critical else "warning" if warning > 2 else "healthy",
        "uptime_hours": (at - process.counted_since) / 3600,
        "total_cycles": process.total_cycles,
        "cycles_last_hour": len(levels),
        "alerts": {"critical": critical, "warning": warning},
    }


@app.post("/translate")
async def translate():
    raise HTTPException(503, "The translator is unavailable.")


@app.post("/reset")
async def reset():
    process.reset()
    return {"status": "ok", "state_id": process.state_id}


@app.post("/daemon/start")
async def start():
    if process.run(True) is None:
        return {"status": "already_running", "message": "The daemon is running."}
    config = {"cycle_interval_seconds": 864, "prob_rumination_free": 0.5, "prob_corpus": 0.3, "prob_unresolved": 0.2}
    return {"status": "started", "message": "The daemon runs.", "config": config}


@app.post("/daemon/stop")
async def stop():
    stopped = process.run(False) is not None
    return {"status": "stopped" if stopped else "not_running", "message": "The daemon is not running."}
