// Enumerations of certificates and their orders.

/** Steps of an order in sequence; the last two end it. */
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
