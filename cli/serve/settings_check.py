"""Check what the settings name, for `serve --check`: page, database, NATS, address, bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime

from doublecross.cli.serve.residents import find_residents
from doublecross.cli.serve.reviews import server_reviewer
from doublecross.cli.settings.load import Loaded
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.parsing import need_cluster_packages
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.http.certificate import Certificate, TlsError
from doublecross.server.shell.listening import StartError, listen
from doublecross.server.shell.page.files import PageError
from doublecross.server.shell.page.site import PageSite
from doublecross.server.signing.keys import KeyFileError, read_keys
from doublecross.server.store.checking import check_database


def check(loaded: Loaded) -> tuple[list[str], list[str]]:
    """Return sentences about what the settings name: warnings and problems.

    Warnings are about what works, but not for long or not for everybody. Nothing is changed. The
    ports may be in use, and a server may use the database.
    """
    settings = loaded.settings
    warnings: list[str] = []
    problems: list[str] = []

    @contextlib.contextmanager
    def checking(setting: str) -> Iterator[None]:
        try:
            yield
        except (KeyFileError, PageError, Problem, StartError, StoreError, TlsError) as error:
            name = error.setting if isinstance(error, TlsError) else setting
            problems.append(loaded.about(name, str(error)))

    with checking("host"):
        _check_host(settings.host)
    if settings.tls_certificate and settings.tls_key:
        with checking("tls_certificate"):
            certificate = Certificate.load(settings.tls_certificate, settings.tls_key)
            if warning := certificate.warning(datetime.now(UTC)):
                warnings.append(loaded.about("tls_certificate", warning))
    with checking("page"):
        PageSite(settings.page, settings.sources, reload=settings.page_reload)
    if settings.cluster:
        with checking("cluster"):
            need_cluster_packages()
            # Only nodes need the packages that this imports.
            from doublecross.server.cluster.checking import check_nats, check_postgresql

            with checking("database"):
                asyncio.run(check_postgresql(settings.database))
            with checking("nats"):
                asyncio.run(check_nats(settings))
    else:
        with checking("database"):
            asyncio.run(check_database(settings.database))
    if settings.signing_key is not None:
        with checking("signing_key"):
            read_keys(settings.signing_key)
    with checking("bots"):
        find_residents([settings.bots])
    with checking("analysis"):
        server_reviewer(settings.analysis)
    return warnings, problems


def _check_host(host: str) -> None:
    try:
        listen(host, 0).close()
    except StartError:
        # Its own sentence is about a port.
        sentence = f"This machine cannot listen on {host!r}; choose another host."
        raise Problem(sentence) from None
