/**
 * Why a request to the bucket failed. `credentials`: unknown keys, or a wrong clock. `denied`: the keys lack a permission. `bucket`: no
 * such bucket. `region`: the bucket is in another region. `unreachable`: no connection. `tls`: the certificate is not trusted. `slow`:
 * timeout. `full`: no space left. `busy`: the bucket is overloaded or has an internal error. `refused`: any other error. `damaged`: the
 * stored object differs from the sent object.
 */
export const bucketProblemKinds = [
  'credentials',
  'denied',
  'bucket',
  'region',
  'unreachable',
  'tls',
  'slow',
  'full',
  'busy',
  'refused',
  'damaged',
] as const;
export type BucketProblemKind = (typeof bucketProblemKinds)[number];

/** What happens to the local copy after the object is verified. */
export const localCopyChoices = ['keep', 'remove'] as const;
export type LocalCopyChoice = (typeof localCopyChoices)[number];

/**
 * How viewers get a file that exists only in the bucket. `auto`: `server` for http endpoints and private endpoints, `direct` for all
 * others.
 */
export const deliveryChoices = ['auto', 'server', 'direct'] as const;
export type DeliveryChoice = (typeof deliveryChoices)[number];

export const bucketTestSteps = ['write', 'read', 'delete'] as const;
export type BucketTestStep = (typeof bucketTestSteps)[number];

/** `waiting`: queued, or the bucket has an error. `checking`: verifies that the object is complete. */
export const transferStates = ['waiting', 'sending', 'checking'] as const;
export type TransferState = (typeof transferStates)[number];

/** Location of the MP4 of a recording. */
export const recordPlaces = ['server', 'both', 'bucket'] as const;
export type RecordPlace = (typeof recordPlaces)[number];
