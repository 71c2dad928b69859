// Paths of what the control planes of a cluster ask each other for, on the internal port between their gateways: calls about files that only
// one of them has. Who asks has judged the caller already, so these paths take the secret between gateway and control plane alone.

/** Below it are the calls of other nodes; a gateway passes on nothing else that comes from them. */
export const nodeCallPrefix = '/terraform/v1/nodes/';
/** Below it a recording is named as below `recordLinkPrefix`. */
export const nodeRecordPrefix = `${nodeCallPrefix}records/`;
/** Takes a `recordOrder` of `models/node-orders.ts`. */
export const nodeRecordOrders = `${nodeCallPrefix}record-orders`;
/** Takes a `vliveSourceOrder`, answers the sources. */
export const nodeVliveSource = `${nodeCallPrefix}vlive-source`;
/** Whom the gateway believes to be a node shows this to its control plane. */
export const nodeCallSecretHeader = 'x-callback-secret';
