/** Steps of an order in sequence; the last two are final. */
export const certificateOrderSteps = [
  'checking',
  'account',
  'challenge',
  'validating',
  'issuing',
  'installing',
  'done',
  'failed',
] as const;
