// Paths of requests between the control planes of a cluster, on the internal port between their gateways, for files that only one of them
// has. The caller has already authorized its client, so these paths need only the secret between gateway and control plane.

/** Prefix of the calls from other nodes; a gateway forwards no other calls from them. */
export const nodeCallPrefix = '/terraform/v1/nodes/';
/** Prefix of recordings, with the same names as below `recordLinkPrefix`. */
export const nodeRecordPrefix = `${nodeCallPrefix}records/`;
/** Takes a `recordOrder` of `models/node-orders.ts`. */
export const nodeRecordOrders = `${nodeCallPrefix}record-orders`;
/** Takes a `vliveSourceOrder`, returns the sources. */
export const nodeVliveSource = `${nodeCallPrefix}vlive-source`;
/** Header with which a gateway marks a request of a verified node for its control plane. */
export const nodeCallSecretHeader = 'x-callback-secret';
