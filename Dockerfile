# Two images of the service. `production` talks to DynamoDB; `trial` has the embedded engine, too.
#   docker build --target production -t freehold .
#   docker build --target trial -t freehold-trial .
FROM node:22-bookworm-slim AS build
WORKDIR /freehold
COPY . .
RUN npm ci --ignore-scripts && npm run build

FROM build AS trial-files
RUN npm prune --omit=dev --ignore-scripts

FROM build AS production-files
RUN npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:22-bookworm-slim AS runtime
ENV NODE_ENV=production
# The folder has the key of cursors and the first API key: keep it, or give FREEHOLD_SECRET.
RUN install -d -o node -g node -m 700 /data
WORKDIR /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/freehold/packages/cli/bin/freehold.js"]
CMD ["serve", "--host", "0.0.0.0"]

FROM runtime AS trial
COPY --from=trial-files /freehold /freehold

FROM runtime AS production
COPY --from=production-files /freehold /freehold
