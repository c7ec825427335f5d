# The service in a container: docs/operations.md#container says how to use it.
# For a fixed base, replace the tag by its digest: node@sha256:…
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
# The package as it is published, and what it needs.
RUN npm ci && npm pack --pack-destination /tmp
WORKDIR /app
# More packages for the service, for example "ai@7 @ai-sdk/anthropic@4".
ARG EXTRA_PACKAGES=""
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund /tmp/processual-state-*.tgz ${EXTRA_PACKAGES}

FROM node:24-bookworm-slim
# One arena of memory for all threads: 8 MB less are resident, and a cycle takes the same time.
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME ["/data"]
EXPOSE 8100
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8100}/livez`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The service handles SIGTERM itself and starts no processes, so it needs no init.
ENTRYPOINT ["node", "node_modules/processual-state/dist/cli.js"]
CMD ["serve"]
