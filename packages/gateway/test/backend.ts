// Another web server as the backend of a proxied path, and the file that configures the path.
import { once } from 'node:events';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface Backend {
  readonly port: number;
  readonly url: string;
  readonly requests: IncomingMessage[];
}

/** Starts a backend that stops after the test. Its WebSocket sends a greeting, then echoes. */
export async function startBackend(answer: RequestListener): Promise<Backend> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('upgrade', (request, socket) => {
    requests.push(request);
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello ');
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, requests };
}

/** Writes `config/front.json` as the control plane does: writes a temporary file and renames it. */
export async function setFront(dataDir: string, settings: object): Promise<void> {
  const file = join(dataDir, 'config', 'front.json');
  await mkdir(join(dataDir, 'config'), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(settings));
  await rename(`${file}.new`, file);
}
