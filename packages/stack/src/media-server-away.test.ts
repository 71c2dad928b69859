import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { findAwayMediaServer } from './media-server-away.ts';

test('an SRS that answers is not away, one that is gone is, and the built-in engine is not asked for', async () => {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await findAwayMediaServer({ MEDIA_SERVER: 'srs', SRS_API_SERVER: api })).toBeUndefined();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(await findAwayMediaServer({ MEDIA_SERVER: 'srs', SRS_API_SERVER: api })).toBe(api);
  expect(await findAwayMediaServer({ MEDIA_SERVER: 'embedded', SRS_API_SERVER: api })).toBeUndefined();
});
