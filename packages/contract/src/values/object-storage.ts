// Words of object storage: why a bucket does not do what it should, what becomes of local copies, how files are delivered.

/**
 * Why the bucket did not do what was asked. `credentials`: it does not know the keys, or the clock is wrong. `denied`: the keys lack a
 * right. `bucket`: there is none of this name. `region`: it is in another region. `unreachable`: no connection. `tls`: its certificate
 * cannot be trusted. `slow`: it did not answer in time. `full`: it has no room. `busy`: it asks to come back later, or has a fault of its
 * own. `refused`: anything else it said no to. `damaged`: what it holds is not what was sent.
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

/** What becomes of the copy on this server once the object is proven to be whole. */
export const localCopyChoices = ['keep', 'remove'] as const;
export type LocalCopyChoice = (typeof localCopyChoices)[number];

/** How a file that is only in the bucket comes to its viewer: `auto` is `server` for http and private endpoints, else `direct`. */
export const deliveryChoices = ['auto', 'server', 'direct'] as const;
export type DeliveryChoice = (typeof deliveryChoices)[number];

/** Steps of the test of a bucket, in their order. */
export const bucketTestSteps = ['write', 'read', 'delete'] as const;
export type BucketTestStep = (typeof bucketTestSteps)[number];

/** `waiting`: in the queue, or until the bucket works again. `sending`. `checking`: the bucket is asked whether it has all of it. */
export const transferStates = ['waiting', 'sending', 'checking'] as const;
export type TransferState = (typeof transferStates)[number];

/** Where the MP4 of a recording is. */
export const recordPlaces = ['server', 'both', 'bucket'] as const;
export type RecordPlace = (typeof recordPlaces)[number];
