// Waiting for the crawl's description, which a view may need before it can ask for more.

/** The answer of /api/crawl, as soon as it is there; never where the view is left before. */
export function knownCrawl(state, signal) {
  if (state.crawl) return Promise.resolve(state.crawl);
  return new Promise((resolve) => {
    const end = state.on(["crawl"], () => {
      end();
      resolve(state.crawl);
    });
    signal?.addEventListener("abort", end, { once: true });
  });
}
