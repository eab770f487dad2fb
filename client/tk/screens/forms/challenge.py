"""Asks what a match against a certain player is to be, and challenges that player."""

from __future__ import annotations

from client.tk.context import Screen
from client.tk.models.lobby.forms import MatchFields
from client.tk.screens.forms.match import ChallengingDialog
from client.tk.widgets.lobby.match_form import MatchForm
from protocol.common import PlayerInfo


class ChallengeDialog(ChallengingDialog):
    """A bot answers at once, and until then the dialog stays. A person may take some time: what
    was sent is then among one's own offers."""

    def __init__(self, screen: Screen, fields: MatchFields, player: PlayerInfo) -> None:
        super().__init__(
            screen,
            fields,
            name="challenge",
            title=f"Challenge {player.name}",
            action="Challenge",
        )
        self._player = player
        starts = ("Me", player.name, "Chance")
        self.form = MatchForm(self.body, fields, starts=starts)
        self.form.grid(sticky="ew")
        self.appear(self.form.game)

    def confirm(self) -> None:
        """Challenge the player."""
        settings = self.form.settings()
        if settings is None:
            return
        self.remember()
        self.begin(f"Asking {self._player.name} ...")
        self.challenge(self._player.name, settings, patient=self._player.kind == "bot")
