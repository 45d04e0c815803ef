# The image the README describes. A test runs the same steps in an empty directory: test/process/ship.

FROM node:24-slim AS build
WORKDIR /app
# better-sqlite3 compiles where it finds no binary made for this Node.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build
RUN npm prune --omit=dev

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production ALERTCARD_DATA=/data ALERTCARD_LISTEN=0.0.0.0:9095
# The one place the program writes to; everything else may be mounted read-only.
RUN mkdir -p /data && chown 1000:1000 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY templates ./templates
COPY LICENSE ./
# uid 1000 is the image's own user "node"; the number lets Kubernetes check runAsNonRoot.
USER 1000:1000
VOLUME /data
EXPOSE 9095
# Asks the process itself, with Node: the image holds no curl. Whoever moves the port moves this too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:9095/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Exec form: SIGTERM reaches the program, which drains and exits 0 within 25 s.
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
