// Environment that makes servers in tests load from the bundles of the run under `npm test`.

/** Environment variables for Node; none without bundles (`product-bundles.ts`), as under `npx vitest`. */
export const preload: Readonly<Record<string, string>> = process.env.PRODUCT_PRELOAD
  ? { NODE_OPTIONS: `--import=${process.env.PRODUCT_PRELOAD}` }
  : {};
