// `node:http` without the cost of importing it. An ECMAScript import reads every export once, and reading WebSocket and MessageEvent loads
// Node's HTTP client (undici), 6 MB per process. Types come from `node:http` itself.
const http = process.getBuiltinModule('node:http');

export const { Agent, createServer, get, IncomingMessage, request, STATUS_CODES } = http;
/** Created by {@link Agent}. */
export type Agent = InstanceType<typeof http.Agent>;
