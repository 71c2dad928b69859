// The calls of pages with a player, apart from all others: they load these alone.
export const watchPaths = {
  access: '/terraform/v1/watch/access',
  unlock: '/terraform/v1/watch/unlock',
  /** For who is logged in. */
  console: '/terraform/v1/mgmt/watching/console',
} as const;
