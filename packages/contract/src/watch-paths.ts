// The calls of pages with a player, apart from all others: they load these alone.
export const watchPaths = {
  access: '/terraform/v1/watch/access',
  unlock: '/terraform/v1/watch/unlock',
  /** Where players tell how a stream plays; answered by the gateway (docs/viewers.md). */
  reports: '/watch/reports',
  /** For who is logged in. */
  console: '/terraform/v1/mgmt/watching/console',
} as const;
