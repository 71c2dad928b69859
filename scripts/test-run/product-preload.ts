// Environment with which servers load from the bundles of the test run.

/** Environment variables for Node. Empty without bundles (`product-bundles.ts`), as under `npx vitest`. */
export const preload: Readonly<Record<string, string>> = process.env.PRODUCT_PRELOAD
  ? { NODE_OPTIONS: `--import=${process.env.PRODUCT_PRELOAD}` }
  : {};
