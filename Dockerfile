# A server in a container, behind a proxy; docs/hosting.md explains it.
#   docker build --tag doublecross .
FROM python:3.11.14-slim-bookworm AS build
# What the server can do; "server" alone is the smallest one.
ARG EXTRAS=server,engines,postgresql,cluster
WORKDIR /source
# esbuild bundles the browser page.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends esbuild && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/doublecross
COPY . .
RUN /opt/doublecross/bin/pip install --no-cache-dir --constraint constraints.txt ".[${EXTRAS}]"

FROM python:3.11.14-slim-bookworm
RUN useradd --user-group --uid 10001 --home-dir /data --shell /usr/sbin/nologin doublecross \
    && install --directory --owner doublecross --group doublecross --mode 0700 /data
COPY --from=build /opt/doublecross /opt/doublecross
# DOUBLECROSS_... are settings. The cache has compiled searches, the state the tokens of bots.
ENV PATH=/opt/doublecross/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DOUBLECROSS_HOST=0.0.0.0 \
    DOUBLECROSS_PORT=8765 \
    DOUBLECROSS_DATABASE=/data/games.db \
    XDG_STATE_HOME=/data/state \
    XDG_CACHE_HOME=/data/cache
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['DOUBLECROSS_PORT'] + '/health', timeout=4)"]
ENTRYPOINT ["doublecross"]
CMD ["serve"]
