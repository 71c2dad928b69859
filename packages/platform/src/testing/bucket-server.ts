// An S3 server on this machine (s3rver), behind a proxy that can deny requests, break connections and lose responses.
/// <reference path="./s3rver.d.ts" />
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** The only valid keys of s3rver, which does not verify signatures of version 4. */
export const serverKeys = { accessKey: 'S3RVER', secretKey: 'S3RVER' };
export const serverBucket = 'recordings';

interface BucketRequest {
  readonly method: string;
  readonly url: string;
  /** Kind of request, e.g. `part 2`, `complete`, `put`, `head`, `get`, `delete` or `begin`. */
  readonly what: string;
  readonly headers: IncomingMessage['headers'];
}

/**
 * `pass`: the response of the server. An object: this error response. `hang`: no response. `lose`: the connection breaks after the server
 * has executed the request. `break`: the connection breaks before the server receives the request. A promise delays the behaviour.
 */
type Behaviour = 'pass' | 'hang' | 'lose' | 'break' | { status: number; code: string; headers?: object };

export interface BucketServer {
  readonly endpoint: string;
  readonly requests: BucketRequest[];
  behave: (request: BucketRequest) => Behaviour | Promise<Behaviour>;
  close(): Promise<void>;
}

export async function startBucketServer(): Promise<BucketServer> {
  const directory = await mkdtemp(join(tmpdir(), 'srs-bucket-'));
  const options = { address: '127.0.0.1', port: 0, silent: true, directory };
  const inner = new S3rver({ ...options, configureBuckets: [{ name: serverBucket }] });
  const { port } = await inner.run();
  const requests: BucketRequest[] = [];
  const door = createServer((incoming, response) => {
    const described = describe(incoming);
    requests.push(described);
    Promise.resolve(server.behave(described)).then(
      (behaviour) => respond(behaviour, port, incoming, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const server: BucketServer = {
    endpoint: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    requests,
    behave: () => 'pass',
    async close() {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      inner.httpServer.closeAllConnections();
      await inner.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
}

function describe({ method = '', url = '', headers }: IncomingMessage): BucketRequest {
  const query = new URL(url, 'http://bucket').searchParams;
  const part = query.get('partNumber');
  const isUpload = query.has('uploadId');
  const names: Record<string, string> = {
    POST: isUpload ? 'complete' : 'begin',
    DELETE: isUpload ? 'abort' : 'delete',
  };
  const what = part ? `part ${part}` : (names[method] ?? method.toLowerCase());
  return { method, url, what, headers };
}

function respond(behaviour: Behaviour, port: number, incoming: IncomingMessage, response: ServerResponse): void {
  if (behaviour === 'break') incoming.socket.destroy();
  else if (typeof behaviour === 'object') refuse(behaviour, incoming, response);
  else if (behaviour !== 'hang') passOn(behaviour === 'lose', port, incoming, response);
}

function refuse(
  { status, code, headers = {} }: Exclude<Behaviour, string>,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  incoming.resume();
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>as the test says</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', ...headers });
  response.end(incoming.method === 'HEAD' ? undefined : body);
}

function passOn(losesAnswer: boolean, port: number, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (upstream) => {
    if (losesAnswer) {
      upstream.resume();
      upstream.once('end', () => incoming.socket.destroy());
      return;
    }
    response.writeHead(upstream.statusCode ?? 502, upstream.headers);
    upstream.pipe(response);
  });
  onward.once('error', () => response.destroy());
  incoming.pipe(onward);
}
