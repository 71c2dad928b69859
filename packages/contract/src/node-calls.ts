// Paths for requests between the control planes of a cluster about files that only one of them has. They use the internal port of the
// gateways. The caller has already authorized its client, so these paths need only the secret between gateway and control plane.

/** Prefix of the calls from other nodes; a gateway forwards no other calls from them. */
export const nodeCallPrefix = '/terraform/v1/nodes/';
/** Prefix of links to recordings, with the same names as below `recordLinkPrefix`. */
export const nodeRecordPrefix = `${nodeCallPrefix}records/`;
/** Takes a `recordOrder` of `models/node-orders.ts`. */
export const nodeRecordOrders = `${nodeCallPrefix}record-orders`;
/** Takes a `vliveSourceOrder`, returns the sources. */
export const nodeVliveSource = `${nodeCallPrefix}vlive-source`;
/** Header with which a gateway forwards a request of a verified node to its control plane. */
export const nodeCallSecretHeader = 'x-callback-secret';
