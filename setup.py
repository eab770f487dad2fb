"""List the packages, describe them, and make the browser page and manual pages of a wheel.

Everything in the folders beside this file is a part of `doublecross`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent.absolute()
FOLDERS = ("games", "analysis", "stats", "protocol", "processes", "server", "bots", "client", "cli")
FOUND = find_packages(include=[f"{folder}{rest}" for folder in FOLDERS for rest in ("", ".*")])
TOOLS = ROOT / "tests/node/node_modules/.bin"
"""Where `make node` puts esbuild."""
STATIC = "import-statement"
SHARED = 4
"""What so many entries need goes into one chunk, if it is no larger than `SMALL` bytes."""
SMALL = 3000
STYLE = re.compile(r'<link rel="stylesheet" href="\{\{web\}\}/style/(.+)">\n')


class BuildWithPage(build_py):
    """Bundle the page in the copy of `client/web` that goes into the wheel.

    A checkout, and an editable installation of it, serve the page as it is.
    """

    def run(self) -> None:
        """Copy all files, write the manual pages, and bundle the page if there is esbuild."""
        page = Path(self.build_lib, "doublecross/client/web").absolute()
        if not self.editable_mode:
            shutil.rmtree(page, ignore_errors=True)  # Files of an earlier bundle have other names.
        super().run()
        if self.editable_mode:
            return
        esbuild = shutil.which("esbuild", path=f"{TOOLS}{os.pathsep}{os.environ['PATH']}")
        # Beside the package, because several builds may run at once, each into its own folder.
        pages = Path(self.build_lib).parent / "man"
        write_manual(Path(self.build_lib), pages, self.distribution.get_version())
        # The command that installs these reads the list after this one has run.
        self.distribution.data_files = [("share/man/man1", sorted(map(str, pages.iterdir())))]
        if esbuild is None:
            self.warn(
                "The browser page is not bundled, because there is no esbuild. It works, but a"
                " first visit takes more than a hundred requests. Run make node before, or on"
                " Debian and Ubuntu: apt-get install esbuild"
            )
        else:
            bundle(esbuild, page)


def write_manual(package: Path, pages: Path, version: str) -> None:
    """Write the manual pages of all commands of the package in a folder into the folder `pages`."""
    shutil.rmtree(pages, ignore_errors=True)
    # An isolated build has what the commands import on its path.
    path = os.pathsep.join((str(package.absolute()), *sys.path))
    command = (sys.executable, "-PB", "-m", "doublecross.cli.man", str(pages), version)
    subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True)


def bundle(esbuild: str, page: Path) -> None:
    """Join and shorten the modules and the styles of a page in its folder.

    Entries keep their names, because documents name them. Other modules go into chunks beside
    `main.js`, and the styles that `index.html` names into one file. All other files stay.
    """
    index, libraries = page / "index.html", page / "libraries.json"
    text = index.read_text("utf-8")
    styles = STYLE.findall(text)
    whole = '<link rel="stylesheet" href="{{web}}/style/main.css">\n'
    index.write_text(STYLE.sub("", text).replace("{{head}}", f"{whole}{{{{head}}}}"), "utf-8")
    imports = "".join(f'@import "./{name}";\n' for name in styles)
    alone = [path for path in page.glob("style/*.css") if path.name not in styles]
    (page / "style/main.css").write_text(imports, "utf-8")
    entries = [page / "main.js", page / "style/main.css", *page.glob("pages/*.js")]
    # A document names this one too.
    entries += [page / "pages/lobby/view.js", *alone]
    # Debian's esbuild has --alias too, but takes `preact/hooks` for a file below `preact`.
    names = json.loads(libraries.read_text("utf-8"))
    paths = {name: [f"./{path}"] for name, path in names.items()}
    settings, report = page / "tsconfig.json", page / "report.json"
    settings.write_text(json.dumps({"compilerOptions": {"baseUrl": ".", "paths": paths}}), "utf-8")
    command = [
        *(esbuild, *(path.relative_to(page).as_posix() for path in entries)),
        *("--bundle", "--splitting", "--format=esm", "--minify", "--target=es2022"),
        *("--charset=utf8", f"--metafile={report}", "--log-level=warning"),
    ]
    with tempfile.TemporaryDirectory() as tried:
        subprocess.run([*command, f"--outdir={tried}"], cwd=page, check=True)
    # esbuild makes a chunk for each set of entries that share a module, about forty for a visit.
    # `main.js` is there before all other entries, so what it needs goes into one chunk if they
    # import it.
    # So does what a room shares with other entries and is small: a phone waits longer for many
    # requests than for some bytes.
    outputs = json.loads(report.read_text("utf-8"))["outputs"]
    with (page / "main.js").open("a", encoding="utf-8") as module:
        module.writelines(f'import "./{name}";\n' for name in shared_modules(outputs))
    for name in {made.get("entryPoint", "") for made in outputs.values()} - {"main.js"}:
        if name.endswith(".js"):
            with (page / name).open("a", encoding="utf-8") as module:
                module.write(f'import "{"../" * name.count("/") or "./"}main.js";\n')
    subprocess.run([*command, "--outdir=.", "--allow-overwrite"], cwd=page, check=True)
    made = json.loads(report.read_text("utf-8"))
    for name in made["inputs"].keys() - made["outputs"].keys():
        (page / name).unlink()
    for path in (libraries, settings, report):
        path.unlink()
    compress(page)


def compress(page: Path) -> None:
    """Write what brotli makes of scripts and styles beside them: a tenth smaller than by gzip.

    The server has no time for that at each start.
    """
    import brotli

    for path in page.rglob("*"):
        if path.suffix in {".css", ".js"}:
            body = path.read_bytes()
            small = brotli.compress(body, brotli.MODE_TEXT)
            if len(small) < len(body):
                path.with_name(path.name + ".br").write_bytes(small)


def shared_modules(outputs: dict[str, dict[str, Any]]) -> list[str]:
    """Return the small modules that a room and several other entries need."""
    users: Counter[str] = Counter()
    needs: dict[str, list[str]] = {}
    for name, made in outputs.items():
        if made.get("entryPoint", "").endswith(".js"):
            found = [name]
            for path in found:  # the list grows meanwhile
                imports = (each for each in outputs[path]["imports"] if each["kind"] == STATIC)
                found += [each["path"] for each in imports if each["path"] not in found]
            users.update(found)
            needs[made["entryPoint"]] = found
    return [
        module
        for path in needs["pages/room.js"]
        if "entryPoint" not in outputs[path]
        if users[path] >= SHARED and outputs[path]["bytes"] <= SMALL
        for module in outputs[path]["inputs"]
    ]


def description() -> str:
    """Return README.md without pictures and links to files, which a package index lacks."""
    text = (ROOT / "README.md").read_text("utf-8")
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", text)
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)


setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    packages=["doublecross", *(f"doublecross.{name}" for name in FOUND)],
    cmdclass={"build_py": BuildWithPage},
)
