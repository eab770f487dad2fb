"""Train the network with batches of samples, and keep everything that a restart needs.

Theory of operation
-------------------
The loss has four parts: the cross entropy of the policy over the legal edges, that of the
distribution of the score, the distance of its mean from the target, and the cross entropy of the
ownership of each box. AdamW changes the weights. The network that plays has the moving average of
the weights over about the last thousand steps, which plays better than the weights themselves.

On a processor a step adds up the gradients of one batch for each size, because filling small boards
up to the largest size would cost more. A GPU takes all sizes in one batch.

A checkpoint has the weights, their average, the state of the optimiser and of the generator, and
the losses since the checkpoint before. Training on from a checkpoint gives exactly the same network
as training without a stop, on the same machine with one thread.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from doublecross.bots.training.files import replace_file
from doublecross.bots.training.learning.batches import Batch, SampleWindow, pad
from doublecross.bots.training.learning.model import NetOutputs, NetShape, PolicyNet

WEIGHTS: Final = {"policy": 1.0, "score": 0.5, "mean": 0.05, "ownership": 0.5}
"""The weight of each part of the loss."""
_AVERAGE: Final = 0.999
_WARM_UP: Final = 200
"""Steps in which the learning rate rises to its full value."""
_NEVER: Final = -1e4


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """The settings of learning: samples in a step, highest learning rate, and decay of weights."""

    batch: int = 256
    rate: float = 2e-3
    decay: float = 1e-4


class Learner:
    """The network in training. `Learner.load` continues from a checkpoint."""

    def __init__(self, shape: NetShape, settings: LearnerSettings, seed: int) -> None:
        # One thread: the other cores make samples, and the sums stay the same from run to run.
        torch.set_num_threads(1)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(seed)
        self.settings = settings
        self.net = self._place(PolicyNet(shape))
        self.average = self._place(PolicyNet(shape))
        self.average.load_state_dict(self.net.state_dict())
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), lr=settings.rate, weight_decay=settings.decay
        )
        self.rng = np.random.default_rng(seed)
        self.step = 0
        self.losses: dict[str, float] = {}

    def take_over(self, other: Learner) -> None:
        """Take the weights of a network of the same shape, and begin at step 0 with them."""
        self.net.load_state_dict(other.net.state_dict())
        self.average.load_state_dict(other.average.state_dict())

    def _place(self, net: PolicyNet) -> PolicyNet:
        # This order of the numbers in memory makes convolutions a quarter faster.
        return net.to(device=self.device, memory_format=torch.channels_last)

    def learn(self, windows: Sequence[SampleWindow[Any]], steps: int, slow: float = 1.0) -> None:
        """Train for `steps` steps, with the learning rate times `slow`; set `losses` to the means.

        Each step takes the same number of samples of each window.
        """
        count = max(1, self.settings.batch // len(windows))
        sums: dict[str, float] = {}
        for _ in range(steps):
            drawn = [window.draw(count, self.rng) for window in windows]
            batches = drawn if self.device.type == "cpu" else [pad(drawn)]
            rate = self.settings.rate * slow * min(1.0, (self.step + 1) / _WARM_UP)
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            self.optimiser.zero_grad()
            for batch in batches:
                parts = losses(self.net(self._planes(batch)), batch)
                total = sum(WEIGHTS[name] * part for name, part in parts.items()) / len(batches)
                total.backward()
                for name, part in parts.items():
                    sums[name] = sums.get(name, 0.0) + float(part.detach()) / len(batches)
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimiser.step()
            self.step += 1
            self._follow()
        self.losses = {name: value / max(1, steps) for name, value in sums.items()}

    def _planes(self, batch: Batch) -> Tensor:
        planes = torch.from_numpy(batch.planes).to(self.device)
        return planes.to(memory_format=torch.channels_last)

    def _follow(self) -> None:
        # The average of few steps would remember the first, random weights for too long.
        keep = min(_AVERAGE, self.step / (self.step + 10.0))
        with torch.no_grad():
            for slow, fast in zip(self.average.parameters(), self.net.parameters(), strict=True):
                slow.lerp_(fast, 1.0 - keep)

    def save(self, path: Path) -> None:
        """Write a checkpoint; readers see either the old or the new one."""
        state = {
            "shape": asdict(self.net.shape),
            "settings": asdict(self.settings),
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "rng": self.rng.bit_generator.state,
            "step": self.step,
            "losses": self.losses,
        }
        file = io.BytesIO()
        torch.save(state, file)
        replace_file(path, file.getvalue())

    @classmethod
    def load(cls, path: Path) -> Learner:
        """Read a checkpoint.

        Raises:
            ValueError: the file is damaged; the message is a sentence.
        """
        try:
            # Tensors and plain values only: such a file can run no code.
            state: Mapping[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
            learner = cls(NetShape(**state["shape"]), LearnerSettings(**state["settings"]), 0)
            learner.net.load_state_dict(state["net"])
            learner.average.load_state_dict(state["average"])
            learner.optimiser.load_state_dict(state["optimiser"])
            learner.rng.bit_generator.state = state["rng"]
            learner.step = int(state["step"])
            learner.losses = dict(state["losses"])
        except OSError:
            raise
        except Exception as error:  # unpickling raises whatever it likes
            raise ValueError(f"The checkpoint {path.name} is damaged.") from error
        return learner


def losses(outputs: NetOutputs, batch: Batch) -> dict[str, Tensor]:
    """Return the parts of the loss, each a mean over the positions in which its target is known."""
    device = outputs.policy.device
    legal = torch.from_numpy(batch.legal).to(device).flatten(1)
    target = torch.from_numpy(batch.policy).to(device).flatten(1)
    logits = outputs.policy.flatten(1).masked_fill(~legal, _NEVER)
    known = (target.sum(1) > 0).sum().clamp(min=1)
    policy = -(target * functional.log_softmax(logits, 1)).sum() / known
    score = torch.from_numpy(batch.score).to(device)
    span = outputs.score.shape[1] // 2
    scores = torch.arange(-span, span + 1, device=device, dtype=outputs.score.dtype)
    mean = (functional.softmax(outputs.score, 1) * scores).sum(1)
    owned = torch.from_numpy(batch.owned).to(device)
    boxes = functional.binary_cross_entropy_with_logits(
        outputs.ownership, torch.from_numpy(batch.ownership).to(device), reduction="none"
    )
    return {
        "policy": policy,
        "score": functional.cross_entropy(outputs.score, score),
        "mean": functional.smooth_l1_loss(mean, (score - span).to(mean.dtype)),
        "ownership": (boxes * owned).sum() / owned.sum().clamp(min=1.0),
    }
