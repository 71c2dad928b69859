import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { maxRequestsOfConnection } from '../src/front/limits/front-limits.ts';
import { makeDataDir, startFixture } from './gateway-fixture.ts';
import { ask } from './http-exchange.ts';

function makeCertificate(folder: string, name: string): void {
  const files = ['-keyout', join(folder, 'nginx.key'), '-out', join(folder, 'nginx.crt')];
  const subject = ['-subj', `/CN=${name}`, '-days', '2', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject, ...files],
    {
      stdio: 'pipe',
    },
  );
}

async function handshake(port: number, options: { maxVersion?: 'TLSv1.1' } = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

const nameOf = (socket: TLSSocket): unknown => socket.getPeerCertificate().subject?.CN;

async function reload(srsApi: number): Promise<void> {
  await ask({ port: srsApi, path: '/api/v1/raw?rpc=reload' });
  for (;;) {
    const { data } = JSON.parse((await ask({ port: srsApi, path: '/api/v1/raw?rpc=reload-fetch' })).body);
    if (data.state === 90) return;
  }
}

test('without a certificate handshakes fail; with one they succeed, over the same listener', async () => {
  const { gateway, env } = await startFixture();
  await expect(handshake(gateway.ports.https)).rejects.toThrow();
  makeCertificate(join(env.dataDir, 'config'), 'first.example');
  await reload(gateway.ports.srsApi);
  const answer = await ask({ port: gateway.ports.https, path: '/terraform/v1/x', tls: true });
  expect(answer.body).toBe('{"code":0}');
  await expect(handshake(gateway.ports.https, { maxVersion: 'TLSv1.1' })).rejects.toThrow();
});

test('the control plane gets the protocol of the client (TLS)', async () => {
  const { gateway, platform } = await startFixture({
    prepare: async (dataDir) => {
      const { mkdir } = await import('node:fs/promises');
      await mkdir(join(dataDir, 'config'));
      makeCertificate(join(dataDir, 'config'), 'tv.example');
    },
  });
  platform.answer = (incoming, response) => response.end(incoming.headers['x-forwarded-proto']);
  expect((await ask({ port: gateway.ports.https, path: '/terraform/v1/x', tls: true })).body).toBe('https');
});

test('a new certificate serves new connections while old ones continue', async () => {
  const { gateway, env } = await startFixture();
  const { https, srsApi } = gateway.ports;
  const config = join(env.dataDir, 'config');
  makeCertificate(config, 'first.example');
  await reload(srsApi);
  const old = await handshake(https);
  makeCertificate(config, 'second.example');
  await reload(srsApi);
  const fresh = await handshake(https);
  expect([nameOf(old), nameOf(fresh)]).toEqual(['first.example', 'second.example']);
  old.write('GET /terraform/v1/x HTTP/1.1\r\nHost: h\r\n\r\n');
  const [bytes] = await once(old, 'data');
  expect(String(bytes)).toMatch(/^HTTP\/1\.1 200/);
  old.destroy();
  fresh.destroy();
});

test('a key that does not match keeps the working certificate', async () => {
  const { gateway, env } = await startFixture();
  const config = join(env.dataDir, 'config');
  makeCertificate(config, 'first.example');
  await reload(gateway.ports.srsApi);
  const other = await makeDataDir();
  makeCertificate(other, 'other.example');
  await copyFile(join(other, 'nginx.key'), join(config, 'nginx.key'));
  await reload(gateway.ports.srsApi);
  const socket = await handshake(gateway.ports.https);
  expect(nameOf(socket)).toBe('first.example');
  socket.destroy();
});

test('pipelined requests over TLS: the allowed number gets responses, the connection ends, and others are served', async () => {
  const { gateway } = await startFixture({
    prepare: async (dataDir) => {
      await mkdir(join(dataDir, 'config'), { recursive: true });
      makeCertificate(join(dataDir, 'config'), 'live.example');
    },
  });
  const socket = await handshake(gateway.ports.https);
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  socket.on('error', () => undefined);
  socket.write('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(1_000));
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(maxRequestsOfConnection);
  expect((await ask({ port: gateway.ports.https, path: '/healthz', tls: true })).status).toBe(200);
});
