# Sonde on Debian's Node image: docs/deployment/containers.md. One image; the command says which process it is.
ARG BASE=docker.io/library/node:24-bookworm-slim
FROM ${BASE}
WORKDIR /opt/sonde
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY package.json package-lock.json node-version.cjs ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY . .
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "-r", "./node-version.cjs", "server/main.ts"]
