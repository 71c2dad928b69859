// TLS handshakes start at a limited rate. Waiting connections are served later, and no received byte is lost.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { paceHandshakes } from '@srs-stack/process/handshake-pace.ts';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('handshakes above the rate of an address wait for the next second, and aborted ones cost nothing', async () => {
  const folder = await makeDataDir();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=h'];
  execFileSync('openssl', ['req', '-x509', '-newkey', ...curve, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end('here'),
  );
  paceHandshakes(server, () => 'one address', { mostPerTurn: 1, mostPerSecondOfAddress: 2 });
  const seen = { connections: 0, handshakes: 0 };
  server.on('connection', () => void seen.connections++);
  server.on('secureConnection', () => void seen.handshakes++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const responses = [1, 2, 3].map(() => ask({ port, path: '/', tls: true }));
  const leaving = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => undefined);
  await expect.poll(() => seen, { interval: 1 }).toEqual({ connections: 4, handshakes: 2 });
  leaving.destroy();
  vi.advanceTimersByTime(1_000);
  expect((await Promise.all(responses)).map(({ body }) => body)).toEqual(['here', 'here', 'here']);
  expect(seen.connections).toBe(4);
});
