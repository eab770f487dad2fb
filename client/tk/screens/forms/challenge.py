"""The dialog that challenges a player to a match."""

from __future__ import annotations

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import MatchFields
from doublecross.client.tk.screens.forms.match import ChallengingDialog
from doublecross.client.tk.widgets.lobby.match_form import MatchForm
from doublecross.protocol.common import PlayerInfo


class ChallengeDialog(ChallengingDialog):
    """Asks for the settings of the match and challenges `player`.

    The dialog waits for a bot, which answers at once. After a challenge to a person it closes, and
    the lobby lists the challenge among this player's own offers.
    """

    def __init__(self, screen: Screen, fields: MatchFields, player: PlayerInfo) -> None:
        super().__init__(
            screen,
            fields,
            name="challenge",
            title=tr("Challenge {name}", name=player.name),
            action=tr("Challenge"),
        )
        self._player = player
        starts = (tr("Me"), player.name, tr("Chance"))
        self.form = MatchForm(self.body, fields, starts=starts, rates=True)
        self.form.grid(sticky="ew")
        self.appear(self.form.game)

    def confirm(self) -> None:
        """Send the challenge."""
        settings = self.form.settings()
        if settings is None:
            return
        self.remember()
        self.begin(tr("Challenging {name} ...", name=self._player.name))
        self.challenge(self._player.name, settings, wait=self._player.kind == "bot")
