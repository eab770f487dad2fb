"""List the packages: everything in the folders beside this file is a part of `doublecross`."""

from setuptools import find_packages, setup

FOLDERS = ("games", "analysis", "stats", "protocol", "processes", "server", "bots", "client", "cli")
FOUND = find_packages(include=[f"{folder}{rest}" for folder in FOLDERS for rest in ("", ".*")])

setup(packages=["doublecross", *(f"doublecross.{name}" for name in FOUND)])
