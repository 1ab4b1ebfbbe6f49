# Everything but the database driver and ripgrep is bundled into dist, so the image holds dist, these and Node.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
RUN node scripts/build.mjs
# The driver's own sources and its binaries for other systems stay behind.
RUN cd node_modules/@photostructure/sqlite && rm -rf src scripts binding.gyp prebuilds/darwin-* prebuilds/win32-*

FROM node:24-bookworm-slim
ENV NODE_ENV=production HERMES_HOME=/data
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules/@photostructure node_modules/@photostructure
COPY --from=build /build/node_modules/node-gyp-build node_modules/node-gyp-build
COPY --from=build /build/node_modules/@vscode node_modules/@vscode
COPY --from=build /build/dist dist
COPY config config
RUN ln -s /app/dist/main.js /usr/local/bin/hermes \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
# The page listens on loopback unless config.yaml gives platforms.web a host and a token.
EXPOSE 8642
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s CMD ["node", "/app/dist/main.js", "status"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["gateway"]
