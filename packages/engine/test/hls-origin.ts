// An HLS server for tests: files that FFmpeg writes into a folder, and responses that the test creates.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface HlsOrigin {
  readonly url: string;
  readonly port: number;
  /** Folder into which FFmpeg writes. */
  readonly folder: string;
  readonly requests: string[];
  /** Responds to a request. Return false to serve the file from the folder. */
  onRequest: (path: string, response: ServerResponse, request: IncomingMessage) => unknown;
}

export async function startHlsOrigin(onRequest: HlsOrigin['onRequest'] = () => false): Promise<HlsOrigin> {
  const folder = mkdtempSync(join(tmpdir(), 'srs-stack-hls-origin-'));
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    origin.requests.push(path);
    if (origin.onRequest(path, response, request) !== false) return;
    try {
      response.end(readFileSync(join(folder, path.split('?', 1)[0] ?? '')));
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const origin: HlsOrigin = { url: `http://127.0.0.1:${port}`, port, folder, requests: [], onRequest };
  return origin;
}
