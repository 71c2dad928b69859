// The calls of pages with a player. A separate file, because these pages load only this part of the contract.
export const watchPaths = {
  access: '/terraform/v1/watch/access',
  unlock: '/terraform/v1/watch/unlock',
  /** Where players send playback reports; the gateway responds (docs/reference/playback-reports.md). */
  reports: '/watch/reports',
  /** Returns a query that authorizes playback for a logged-in operator. */
  console: '/terraform/v1/mgmt/watching/console',
} as const;
