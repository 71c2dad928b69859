// Paths of requests between the control planes of a cluster about files that only one node stores. The requests use the internal port of
// the gateways. The calling node has already authorized the client, so only the callback secret is needed.

/** Prefix of all calls between nodes. From other nodes, a gateway forwards only calls with this prefix. */
export const nodeCallPrefix = '/terraform/v1/nodes/';
/** Prefix of links to recordings. The rest of each path is as in public links (`recordLinkPrefix`). */
export const nodeRecordPrefix = `${nodeCallPrefix}records/`;
/** Receives a `recordOrder` (`models/node-orders.ts`). */
export const nodeRecordOrders = `${nodeCallPrefix}record-orders`;
/** Receives a `vliveSourceOrder`, returns the sources. */
export const nodeVliveSource = `${nodeCallPrefix}vlive-source`;
/** Header in which a gateway adds the callback secret to a request of a verified node. */
export const nodeCallSecretHeader = 'x-callback-secret';
