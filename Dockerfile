# Sonde on Debian's Node image: docs/deployment/containers.md. One image; the command says which process it is.
ARG BASE=docker.io/library/node:24-bookworm-slim
FROM ${BASE} AS client
WORKDIR /opt/sonde
COPY . .
RUN npm ci --no-audit --no-fund

FROM ${BASE}
WORKDIR /opt/sonde
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY package.json package-lock.json node-version.cjs ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY . .
# What the service offers for installation, built with the tools of development.
COPY --from=client /opt/sonde/client/sonde-client.tgz client/
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "-r", "./node-version.cjs", "server/main.ts"]
