# The explorer and its HTTP API over a directory of tables:
#
#   docker build -t sakmak .
#   docker run --rm -p 9000:9000 -v "$PWD/tables:/tables:ro" sakmak
#
# Other commands: docker run --rm -v "$PWD/tables:/tables" sakmak sakmak generate bare-4
FROM rust:1-slim-bookworm AS build
WORKDIR /sakmak
COPY Cargo.toml Cargo.lock ./
COPY benches benches
COPY capi capi
COPY cli cli
COPY examples examples
COPY explorer explorer
COPY play play
COPY python python
COPY src src
COPY study study
COPY tables/published.json tables/
COPY tools/feeders tools/feeders
RUN cargo build --release --locked --bin sakmak --features serve,download --config profile.release.strip=true

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --no-create-home sakmak \
 && mkdir /tables && chown sakmak /tables
COPY --from=build /sakmak/target/release/sakmak /usr/local/bin/
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/sakmak/
ENV SAKMAK_TABLES=/tables
USER sakmak
EXPOSE 9000
CMD ["sakmak", "serve", "--bind", "0.0.0.0:9000"]
