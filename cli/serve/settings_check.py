"""Check what the settings name, for `serve --check`: page, database, NATS, address, bots."""

from __future__ import annotations

import asyncio
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


def warnings(loaded: Loaded) -> list[str]:
    """Return one sentence for each thing that works, but not for long or not for everybody."""
    try:
        certificate = certificate_of(loaded)
    except TlsError:
        return []
    sentence = None if certificate is None else certificate.warning(datetime.now(UTC))
    return [] if sentence is None else [loaded.origins["tls_certificate"].before(sentence)]


def certificate_of(loaded: Loaded) -> Certificate | None:
    """Return the certificate that the settings name, if they do.

    Raises:
        TlsError: it cannot be used.
    """
    files = loaded.settings.tls_certificate, loaded.settings.tls_key
    return None if files[0] is None or files[1] is None else Certificate.load(files[0], files[1])


def problems(loaded: Loaded) -> list[str]:
    """Return one sentence for each thing that a setting names and that cannot be used.

    Nothing is changed. The ports may be in use, and a server may use the database.
    """
    return [loaded.origins[name].before(sentence) for name, sentence in _found(loaded)]


def _found(loaded: Loaded) -> Iterator[tuple[str, str]]:
    settings = loaded.settings
    try:
        listen(settings.host, 0).close()
    except StartError:
        yield "host", f"This machine cannot listen on {settings.host!r}; choose another host."
    try:
        certificate_of(loaded)
    except TlsError as error:
        yield error.setting, str(error)
    try:
        PageSite(settings.page, settings.sources, reload=settings.page_reload)
    except PageError as error:
        yield "page", str(error)
    if settings.cluster:
        yield from _found_of_cluster(loaded)
    else:
        try:
            asyncio.run(check_database(settings.database))
        except StoreError as error:
            yield "database", str(error)
    if settings.signing_key is not None:
        try:
            read_keys(settings.signing_key)
        except KeyFileError as error:
            yield "signing_key", str(error)
    try:
        find_residents([settings.bots])
    except Problem as problem:
        yield "bots", problem.sentence
    try:
        server_reviewer(settings.analysis)
    except Problem as problem:
        yield "analysis", problem.sentence


def _found_of_cluster(loaded: Loaded) -> Iterator[tuple[str, str]]:
    try:
        need_cluster_packages()
    except Problem as problem:
        yield "cluster", problem.sentence
        return
    # Only nodes need the packages that this imports.
    from doublecross.server.cluster.checking import check_nats, check_postgresql
    from doublecross.server.cluster.process import ClusterTerms

    try:
        asyncio.run(check_postgresql(loaded.settings.database))
    except (StoreError, StartError) as error:
        yield "database", str(error)
    try:
        asyncio.run(check_nats(ClusterTerms.of(loaded.settings).nats))
    except StartError as error:
        yield "nats", str(error)
