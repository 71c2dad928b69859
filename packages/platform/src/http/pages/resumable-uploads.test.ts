import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, resumableUploadPath } from '@srs-stack/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createResumableUploads } from './resumable-uploads.ts';

test('a client that still sends when its upload is refused gets the response, not a closed connection', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'srs-resumable-'));
  const uploads = createResumableUploads({
    folder,
    library: {
      admit: async () => undefined as never,
      guard: () => () => {
        throw new AppError('diskFull');
      },
      takeOver: async () => undefined as never,
    },
  });
  const responded: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responded.push(response);
    uploads.handle(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const created = await fetch(url + resumableUploadPath, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '30000000', 'upload-metadata': 'filename YS5tcDQ=' },
  });
  expect(created.status).toBe(201);

  const socket = connect(port, '127.0.0.1').pause();
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  socket.write(
    `PATCH ${created.headers.get('location')} HTTP/1.1\r\nhost: a\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\n` +
      'content-type: application/offset+octet-stream\r\ncontent-length: 30000000\r\n\r\n',
  );
  socket.write(Buffer.alloc(100_000));
  await expect.poll(() => responded[1]?.writableFinished).toBe(true);
  for (let piece = 0; piece < 3; piece++) {
    await new Promise((resolve) => socket.write(Buffer.alloc(1000), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(errors).toEqual([]);
  const coming = once(socket, 'data');
  socket.resume();
  const [reply] = (await coming) as [Buffer];
  socket.destroy();
  expect(reply.toString()).toContain('HTTP/1.1 507 ');
  expect(reply.toString()).toContain('"name":"diskFull"');
});
