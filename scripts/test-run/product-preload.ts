// What a test gives the servers it starts, so that under `npm test` they come from the bundles of the run.

/** Variables of Node, none without bundles (`product-bundles.ts`): as with `npx vitest`, and an operator's servers. */
export const preload: Readonly<Record<string, string>> = process.env.PRODUCT_PRELOAD
  ? { NODE_OPTIONS: `--import=${process.env.PRODUCT_PRELOAD}` }
  : {};
