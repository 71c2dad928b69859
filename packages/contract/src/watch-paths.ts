// The calls of viewers, apart from all others: the page to watch on loads them alone.
export const watchPaths = {
  access: '/terraform/v1/watch/access',
  unlock: '/terraform/v1/watch/unlock',
} as const;
