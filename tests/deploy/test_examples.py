"""The examples of clusters in `deploy/`: settings, proxies, NATS, Compose and Kubernetes.

Nothing is run here. The programs check their own files, and linters those for containers:
yamllint, hadolint, the schema of Compose, and the schemas of Kubernetes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from doublecross.server.shell.settings import ServerSettings
from tests.cli.commands import ROOT
from tests.fakes.certificates import make_pair

DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "compose" / "compose.yaml"
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
YAML = [COMPOSE, *KUBERNETES]
VERSIONS = ("1.30.0", "1.37.0")
"""The oldest and the newest version of Kubernetes whose schemas the manifests fit."""
RULES = "{extends: default, rules: {line-length: disable}}"

pytestmark = pytest.mark.processes


def program(name: str, need: str, package: str) -> str:
    """Return the path of a program. Without it the test is skipped, or fails if `need` is set."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=f"{beside}:{os.environ['PATH']}:/usr/sbin")
    if found is None:
        if os.environ.get(need):
            pytest.fail(f"{name} is missing, although {need} is set")
        pytest.skip(f"{name} is missing: {package}")
    return found


def linter(name: str) -> str:
    return program(name, "DOUBLECROSS_NEED_LINTERS", "make check installs it")


def check(*command: str, **variables: str) -> str:
    """Run a command that must succeed; return what it says."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=50, env=os.environ | variables
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def test_the_settings_of_a_node_are_right() -> None:
    settings = ServerSettings(**tomllib.loads((DEPLOY / "cluster" / "serve.toml").read_text()))
    assert settings.cluster
    assert len(settings.nats.split(",")) == 3


def test_the_containers_have_settings_that_there_are() -> None:
    # Compose gives most settings to all nodes, and Kubernetes has them in pairs of lines.
    compose = re.findall(r"^ +DOUBLECROSS_(\w+):", COMPOSE.read_text(), re.MULTILINE)
    manifests = "".join(path.read_text() for path in KUBERNETES)
    kubernetes = re.findall(r"- name: DOUBLECROSS_(\w+)", manifests)
    assert {"CLUSTER", "NODE", "DATABASE", "NATS"} <= set(compose) & set(kubernetes)
    for name in (*compose, *kubernetes):
        assert name.lower() in ServerSettings.model_fields, name
    assert "cluster" in re.findall(r"^ARG EXTRAS=(.*)$", (ROOT / "Dockerfile").read_text(), re.M)[
        0
    ].split(",")


def test_no_password_is_in_a_file() -> None:
    for path in YAML:
        for line in path.read_text().splitlines():
            found = re.search(r"(?i)password|://\w+:[^@]*@", line)
            secret = re.search(r"\$\{?\w*PASSWORD|name: NATS_PASSWORD|key: password", line)
            assert not found or secret or line.lstrip().startswith("#"), f"{path.name}: {line}"


def test_yamllint_finds_nothing() -> None:
    said = check(linter("yamllint"), "--strict", "-d", RULES, *map(str, YAML))
    assert said == ""


def test_hadolint_finds_nothing() -> None:
    assert check(linter("hadolint"), str(ROOT / "Dockerfile")) == ""


def test_compose_fits_its_schema(tmp_path: Path) -> None:
    schema = ("--builtin-schema", "vendor.compose-spec")
    check(linter("check-jsonschema"), *schema, str(COMPOSE))
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(COMPOSE.read_text().replace("    restart:", "    restarts:"))
    with pytest.raises(AssertionError, match="restarts"):
        check(linter("check-jsonschema"), *schema, str(wrong))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifests_fit_the_schemas_of_kubernetes(version: str, tmp_path: Path) -> None:
    command = (linter("kubernetes-validate"), "--strict", "--kubernetes-version", version)
    said = check(*command, *map(str, KUBERNETES))
    assert said.count("passed for resource") == sum(
        len(re.findall(r"^kind:", path.read_text(), re.MULTILINE)) for path in KUBERNETES
    )
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(KUBERNETES[0].read_text().replace("readinessProbe:", "readyProbe:"))
    with pytest.raises(AssertionError, match="readyProbe"):
        check(*command, str(wrong))


def test_haproxy_takes_its_files(tmp_path: Path) -> None:
    haproxy = program("haproxy", "DOUBLECROSS_NEED_PROXIES", "apt-get install haproxy")
    pair = make_pair(tmp_path)
    joined = tmp_path / "games.pem"
    joined.write_text(pair.certificate.read_text() + pair.key.read_text())
    for name in ("cluster", "compose"):
        text = (DEPLOY / name / "haproxy.cfg").read_text()
        file = tmp_path / f"{name}.cfg"
        file.write_text(text.replace("/etc/haproxy/games.pem", str(joined)))
        check(haproxy, "-c", "-f", str(file))


def test_nats_takes_its_files(tmp_path: Path) -> None:
    nats = program("nats-server", "DOUBLECROSS_NEED_CLUSTER", "apt-get install nats-server")
    manifest = (DEPLOY / "kubernetes" / "nats.yaml").read_text()
    inside = re.search(r"  nats\.conf: \|\n((?:    .*\n)+)", manifest)
    assert inside is not None
    file = tmp_path / "nats.conf"
    file.write_text(re.sub(r"^    ", "", inside[1], flags=re.MULTILINE))
    for path in (DEPLOY / "cluster" / "nats.conf", file):
        check(nats, "-t", "-c", str(path), NATS_PASSWORD="secret", POD_NAME="nats-0")
