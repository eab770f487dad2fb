"""Play any game on a server: python3 client.py ws://127.0.0.1:8765 Ben (pip install websockets)."""

import json
import random
import sys
import time
from itertools import count
from pathlib import Path

from websockets import ConnectionClosed
from websockets.sync.client import connect

URL, NAME = sys.argv[1:]
TOKEN = Path(f"{NAME}.token")  # by it the server knows the bot again: keep it secret
ENGINE = {"name": "example", "version": "1"}  # it has a rating of its own


def choose(board):  # this is where your ideas go
    return random.choice([action for action, may in enumerate(board["legal"]) if may == "1"])


def play(socket):
    ids, seats, pinged = count(1), {}, time.monotonic()  # `seats` has mine by room

    def say(**message):
        socket.send(json.dumps({"id": next(ids), **message}))

    token = TOKEN.read_text().strip() if TOKEN.exists() else None
    hello = {"protocol": 2, "kind": "bot", "name": NAME, "token": token, "engine": ENGINE}
    say(type="hello", boards=True, **hello)
    while True:
        if time.monotonic() > pinged + 20:  # the server ends silent connections
            say(type="ping")
            pinged = time.monotonic()
        try:
            m = json.loads(socket.recv(timeout=10))
        except TimeoutError:
            continue
        kind, room = m["type"], m.get("room")
        if kind == "welcome":
            me = m["player"]["name"]
            TOKEN.touch(0o600)
            TOKEN.write_text(m["token"])
            for open_room in m["rooms"]:  # their games go on after a lost connection
                say(type="resume", room=open_room, seq=0)
        elif kind == "challenged":
            say(type="accept_challenge", challenge=m["challenge"], key=m["challenge"])
        elif kind == "rematch_offered":
            say(type="rematch", room=room)
        elif kind == "error":
            print(m["message"], flush=True)
            if m["id"] == 1:
                sys.exit(1)
        elif kind == "room_state":
            seats[room], now = m["seat"], m["snapshot"]
            m |= {"match": now["match"], "ply": len(now["moves"]) - 1, "to_move": now["to_move"]}
        elif kind == "match_started":
            seats[room], m["ply"] = m["players"].index(me), -1
        if m.get("board") and m["to_move"] == seats[room]:
            action = choose(m["board"])
            say(type="move", room=room, match=m["match"], ply=m["ply"] + 1, action=action)


while True:
    try:
        with connect(URL, subprotocols=["doublecross.v1.json"]) as socket:
            play(socket)
    except (OSError, ConnectionClosed) as lost:
        print(lost, flush=True)
        if isinstance(lost, ConnectionClosed) and lost.rcvd and 4001 <= lost.rcvd.code <= 4003:
            sys.exit(1)  # the server wants no further try
        time.sleep(random.uniform(0.5, 2))
