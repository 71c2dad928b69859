// `node:http` without the cost of an ECMAScript import. Such an import reads every export. The exports WebSocket and MessageEvent load
// Node's HTTP client (undici), 6 MB per process. Types still come from `node:http`.
const http = process.getBuiltinModule('node:http');

export const { Agent, createServer, get, IncomingMessage, request, STATUS_CODES } = http;
/** Instances of the class {@link Agent}. */
export type Agent = InstanceType<typeof http.Agent>;
