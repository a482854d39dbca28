# The service, with its data in the volume or in DynamoDB.
#   docker build -t freehold .
FROM node:22-bookworm-slim AS build
WORKDIR /freehold
COPY . .
# The other engine is for tests alone.
RUN npm ci --ignore-scripts && npm run build && npm prune --omit=dev --ignore-scripts && rm -rf node_modules/@dynoxide

FROM node:22-bookworm-slim
ENV NODE_ENV=production
COPY --from=build /freehold /freehold
# The folder has the data, the secret of cursors and the first API key.
RUN install -d -o node -g node -m 700 /data
WORKDIR /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/freehold/packages/cli/bin/freehold.js"]
CMD ["serve", "--host", "0.0.0.0"]
