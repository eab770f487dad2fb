"""The addresses for the ways to log in: passkeys, codes of apps, e-mail addresses and links.

The docstring of each handler describes its address to users.
"""

from __future__ import annotations

import inspect

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from doublecross.server.core.errors import bad_parameter
from doublecross.server.core.people.accounts import Login
from doublecross.server.shell.accounts.issuing import check_session
from doublecross.server.shell.accounts.second_factor import new_key
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.addresses.origins import Origin, Origins
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, Handler, read_body
from doublecross.server.shell.web.limits import address_of, source_of
from doublecross.server.shell.web.managing import login_answers as answers
from doublecross.server.shell.web.managing.account import (
    endpoint,
    identified,
    issued_answer,
    private,
)
from doublecross.server.shell.web.managing.account_answers import DoneAnswer, IssuedAnswer


def login_endpoints(authority: Authority, sources: Sources, origins: Origins) -> list[Endpoint]:
    """Return the endpoints; `origins` knows which sites are this server's own."""
    service, recovery, passkeys = authority.accounts, authority.recovery, authority.passkeys
    can_mail = authority.mailer.account is not None

    def source(request: Request) -> str:
        """Return the source of a visitor, who is not banned."""
        service.bans.check_address(address_of(sources, request.scope))
        return source_of(sources, request.scope)

    def site(request: Request) -> Origin:
        headers, client = request.headers, request.scope["client"]
        origin = ", ".join(headers.getlist("origin"))
        forwarded = ", ".join(headers.getlist("x-forwarded-host"))
        own = origins.own(origin, headers.get("host", ""), client[0] if client else "", forwarded)
        if own is None:
            raise bad_parameter("Passkeys are for the server's own page in a browser.")
        return own

    async def person(request: Request) -> Login:
        login, _ = await identified(authority.accounts, sources, request)
        check_session(login)
        return login

    # -- visitors ----------------------------------------------------------------------------

    async def ways(_: Request) -> Response:
        """Tell what visitors may use to log in."""
        return private(answers.WaysAnswer(mail=can_mail))

    async def forgotten(request: Request) -> Response:
        """Mail a link that sets a new password, if there is such an account; not told here."""
        asked = await read_body(request, answers.ForgottenQuestion)
        recovery.forgotten(asked.who.strip(), source(request))
        return private(DoneAnswer())

    async def reset(request: Request) -> Response:
        """Set a new password with the link of a mail or of the host. All sessions end."""
        asked = await read_body(request, answers.ResetQuestion)
        login = await recovery.reset(asked.link, asked.password, source(request))
        return private(answers.NameAnswer(name=login.player.name))

    async def confirm(request: Request) -> Response:
        """Confirm an e-mail address with the link of a mail."""
        asked = await read_body(request, answers.LinkQuestion)
        authority.admission.check(source(request), Action.PASSWORD)
        await recovery.confirm(asked.link)
        return private(DoneAnswer())

    async def login_options(request: Request) -> Response:
        """Return what a browser needs to log in with a passkey."""
        await read_body(request, answers.NothingQuestion)
        options = await passkeys.login_options(site(request))
        return private(answers.OptionsAnswer(options=options))

    async def log_in(request: Request) -> Response:
        """Begin a session with a passkey."""
        asked = await read_body(request, answers.PasskeyQuestion)
        issued = await passkeys.log_in(asked.credential, asked.label, source(request))
        return private(issued_answer(issued))

    # -- the owner of an account -------------------------------------------------------------

    async def show(request: Request) -> Response:
        """Tell how you log in beside your password."""
        return await shown(await person(request))

    async def shown(login: Login) -> Response:
        known = await authority.store.accounts.credentials([login.account.account_id])
        labels, kinds = {each.kind: each.label for each in known}, [each.kind for each in known]
        answer = answers.LoginsAnswer(
            mail=can_mail,
            email=labels.get("email"),
            unconfirmed=labels.get("confirm"),
            second_factor="app" in kinds,
            recovery_codes=kinds.count("recovery"),
            passkeys=[
                answers.PasskeyLine(id=each.credential_id, label=each.label, made=each.created_ms)
                for each in known
                if each.kind == "passkey"
            ],
        )
        return private(answer)

    async def set_email(request: Request) -> Response:
        """Mail a link that confirms your e-mail address, or forget your address."""
        asked, login = await read_body(request, answers.EmailQuestion), await person(request)
        async with service.confirmed(login, asked.current, source(request)) as login:
            await recovery.set_email(login, asked.email or "", source(request))
        return await shown(login)

    async def key(request: Request) -> Response:
        """Make a key for an app that shows codes; nothing is changed yet."""
        await read_body(request, answers.NothingQuestion)
        made, uri = new_key((await person(request)).player.name)
        return private(answers.AppKeyAnswer(key=made, uri=uri))

    async def turn_on(request: Request) -> Response:
        """Ask for a code of your app at logins from now on."""
        asked, login = await read_body(request, answers.AppQuestion), await person(request)
        async with service.confirmed(login, asked.current, source(request)) as login:
            codes = await service.second_factor.turn_on(login, asked.key, asked.code)
        return private(answers.CodesAnswer(codes=codes))

    async def turn_off(request: Request) -> Response:
        """Ask for no codes at logins any more."""
        asked, login = await read_body(request, answers.CurrentQuestion), await person(request)
        async with service.confirmed(login, asked.current, source(request)) as login:
            await service.second_factor.turn_off(login)
        return await shown(login)

    async def new_options(request: Request) -> Response:
        """Return what a browser needs to make a passkey."""
        asked, login = await read_body(request, answers.CurrentQuestion), await person(request)
        async with service.confirmed(login, asked.current, source(request)) as login:
            options = await passkeys.new_options(login, site(request))
        return private(answers.OptionsAnswer(options=options))

    async def add_passkey(request: Request) -> Response:
        """Add the passkey that your browser has made."""
        asked, login = await read_body(request, answers.PasskeyQuestion), await person(request)
        await passkeys.add(login, asked.credential, asked.label)
        return await shown(login)

    async def remove_passkey(request: Request) -> Response:
        """Remove a passkey."""
        asked = await read_body(request, answers.RemovedPasskeyQuestion)
        login = await person(request)
        await passkeys.remove(login, asked.id)
        return await shown(login)

    async def sign_out(request: Request) -> Response:
        """End all your sessions, this one too. API tokens go on."""
        await read_body(request, answers.NothingQuestion)
        login = await person(request)
        async with service.turns.of(login.account.account_id):
            await service.end_sessions(login.account.account_id)
        return private(DoneAnswer())

    def at(
        path: str,
        handle: Handler,
        question: type[BaseModel] | None,
        answer: type[BaseModel] = answers.LoginsAnswer,
    ) -> Endpoint:
        return endpoint(f"/api/{path}", handle, inspect.getdoc(handle) or "", answer, question)

    return [
        at("login/ways", ways, None, answers.WaysAnswer),
        at("login/forgotten", forgotten, answers.ForgottenQuestion, DoneAnswer),
        at("login/reset", reset, answers.ResetQuestion, answers.NameAnswer),
        at("login/confirm", confirm, answers.LinkQuestion, DoneAnswer),
        at("login/passkey/options", login_options, answers.NothingQuestion, answers.OptionsAnswer),
        at("login/passkey", log_in, answers.PasskeyQuestion, IssuedAnswer),
        at("account/logins", show, None),
        at("account/email", set_email, answers.EmailQuestion),
        at("account/app/key", key, answers.NothingQuestion, answers.AppKeyAnswer),
        at("account/app/on", turn_on, answers.AppQuestion, answers.CodesAnswer),
        at("account/app/off", turn_off, answers.CurrentQuestion),
        at("account/passkeys/options", new_options, answers.CurrentQuestion, answers.OptionsAnswer),
        at("account/passkeys/new", add_passkey, answers.PasskeyQuestion),
        at("account/passkeys/remove", remove_passkey, answers.RemovedPasskeyQuestion),
        at("account/sign-out", sign_out, answers.NothingQuestion, DoneAnswer),
    ]
