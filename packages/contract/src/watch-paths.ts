// Paths for pages with a player. A separate file, because these pages load only a few small files of this package.
export const watchPaths = {
  access: '/terraform/v1/watch/access',
  unlock: '/terraform/v1/watch/unlock',
  /** Receives the playback reports of players (docs/reference/playback-reports.md); served by the gateway. */
  reports: '/watch/reports',
  /** Returns a query that authorizes playback for a logged-in operator. */
  console: '/terraform/v1/mgmt/watching/console',
} as const;
