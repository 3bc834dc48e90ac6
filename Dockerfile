# semcrawl in a container: docker build -t semcrawl . ; docker run --rm -v "$PWD:/data" semcrawl --help
FROM python:3.12-slim
RUN useradd --create-home crawler && mkdir /data && chown crawler /data
COPY pyproject.toml README.md LICENSE constraints.txt /src/
COPY semcrawl /src/semcrawl
COPY queries /src/queries
COPY ontologies /src/ontologies
COPY examples /src/examples
RUN pip install --no-cache-dir -c /src/constraints.txt /src
USER crawler
WORKDIR /data
ENTRYPOINT ["semcrawl"]
CMD ["--help"]
