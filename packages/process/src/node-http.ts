// `node:http` without what an import of it loads: an ECMAScript import reads every export once, and those named WebSocket and
// MessageEvent bring in Node's client of HTTP (undici), 6 MB for each process. Types come from `node:http` itself.
const http = process.getBuiltinModule('node:http');

export const { Agent, createServer, get, IncomingMessage, request, STATUS_CODES } = http;
/** What {@link Agent} makes. */
export type Agent = InstanceType<typeof http.Agent>;
