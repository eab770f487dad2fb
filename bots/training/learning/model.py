"""The network that is trained: residual blocks with pooling, for boards of any size.

Theory of operation
-------------------
A few residual blocks see the planes of `doublecross.bots.zero.planes`, or in other games than Dots
and Boxes those of `doublecross.bots.zero.grids`. Convolutions see only the neighbourhood of a cell,
but who must open a chain depends on the whole board. So every second block, and both heads, *pool*:
they add a function of the sum, the mean and the maximum over all cells. The sum distinguishes
sizes, the mean does not.

There is no normalisation over the batch. The second convolution of each block starts at zero, so
that a deep network trains from the first step, and a position has the same outputs in every batch.

Boards of several sizes can share a batch: the smaller ones are filled up with zeros. The plane
ON_BOARD says where a board is. All other cells are set to zero before each convolution and left out
of each pool, so the outputs are those of the board alone.

Source: D. Wu, Accelerating self-play learning in Go, 2019 (pooling, one network for all sizes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from doublecross.bots.zero.net import SPAN
from doublecross.bots.zero.planes import ON_BOARD, PLANES

SUM_UNIT = 32.0
"""Sums over cells are divided by this, so that they are about as large as means."""
HIDDEN = 64
"""The width of the last layer of the score."""
_OFF_BOARD = 1e4


@dataclass(frozen=True, slots=True)
class NetShape:
    """The shape of a network: residual blocks and their channels; `head` channels for each head.

    `actions` is the number of logits of a cell: two edges, or one target in other games.
    """

    blocks: int = 4
    channels: int = 40
    head: int = 24
    planes: int = PLANES
    span: int = SPAN
    actions: int = 2


class NetOutputs(NamedTuple):
    """Logits: `policy` (n, actions, H, W), `score` (n, 2 * span + 1), `ownership` (n, H, W)."""

    policy: Tensor
    score: Tensor
    ownership: Tensor


def pooled(x: Tensor, mask: Tensor) -> Tensor:
    """Return sum, mean and maximum over the cells in `mask`: (n, 3 * channels, 1, 1)."""
    x = x * mask
    total = x.sum((2, 3), keepdim=True)
    cells = mask.sum((2, 3), keepdim=True)
    most = (x - (1.0 - mask) * _OFF_BOARD).amax((2, 3), keepdim=True)
    return torch.cat([total / SUM_UNIT, total / cells, most], 1)


class Block(nn.Module):
    """A residual block of two convolutions; with `pool` it also sees the whole board."""

    def __init__(self, channels: int, *, pool: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Conv2d(3 * channels, channels, 1) if pool else None
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the output; `x` must be zero outside `mask`, and so is the output."""
        y = torch.relu(self.first(torch.relu(x)))
        if self.pool is not None:
            y = torch.relu(y + self.pool(pooled(y, mask)))
        y = self.second(y * mask)
        return x + y * mask


class PolicyNet(nn.Module):
    """The network; see the top of this file."""

    def __init__(self, shape: NetShape) -> None:
        super().__init__()
        self.shape = shape
        channels, head = shape.channels, shape.head
        self.stem = nn.Conv2d(shape.planes, channels, 3, padding=1)
        self.blocks = nn.ModuleList(
            Block(channels, pool=number % 2 == 1) for number in range(shape.blocks)
        )
        self.policy = nn.Conv2d(channels, head, 1)
        self.policy_pool = nn.Conv2d(3 * channels, head, 1)
        self.policy_out = nn.Conv2d(head, shape.actions, 1)
        self.score = nn.Conv2d(channels, head, 1)
        self.score_hidden = nn.Conv2d(3 * head, HIDDEN, 1)
        self.score_out = nn.Conv2d(HIDDEN, 2 * shape.span + 1, 1)
        self.ownership = nn.Conv2d(channels, 1, 1)

    def forward(self, planes: Tensor) -> NetOutputs:
        """Evaluate positions (n, planes, H, W); all may be of different sizes."""
        mask = planes[:, ON_BOARD : ON_BOARD + 1]
        x = self.stem(planes) * mask
        for block in self.blocks:
            x = block(x, mask)
        x = torch.relu(x)
        policy = torch.relu(self.policy(x) + self.policy_pool(pooled(x, mask)))
        score = torch.relu(self.score(x))
        score = torch.relu(self.score_hidden(pooled(score, mask)))
        return NetOutputs(
            self.policy_out(policy), self.score_out(score).flatten(1), self.ownership(x).squeeze(1)
        )
