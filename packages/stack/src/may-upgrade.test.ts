// `npm run may-upgrade` as a process, against a control plane with fixed responses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('may-upgrade.ts', import.meta.url));
/** Milliseconds. Starting a process takes seconds on a busy machine. */
const timeout = 60_000;
const login = { token: 't', createAt: '2026-01-01T00:00:00Z', expireAt: '2027-01-01T00:00:00Z', bearer: 'b' };
const night = {
  start: '23:00',
  end: '05:00',
  opensAt: '2026-01-01T23:00:00.000Z',
  closesAt: '2026-01-02T05:00:00.000Z',
  serverTime: '2026-01-01T12:00:00.000Z',
  timeZone: 'UTC',
  revision: 'r',
};

let dataDir: string;
let server: Server | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'may-upgrade-'));
});
afterEach(async () => {
  server?.close();
  server = undefined;
  await rm(dataDir, { recursive: true });
});

async function controlPlane(responses: Record<string, [number, object]>): Promise<string> {
  server = createServer((request, response) => {
    const [status, data] = responses[request.url ?? ''] ?? [404, {}];
    response.writeHead(status).end(JSON.stringify({ code: status === 200 ? 0 : 1, server: 1, data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function mayUpgrade(listen: string, password = 'correct') {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PLATFORM_LISTEN: listen, MGMT_PASSWORD: password };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const [code] = await once(child, 'close');
  return { code, output: output.trim() };
}

it('succeeds while the window is open', { timeout }, async () => {
  const listen = await controlPlane({
    [endpoints.login.path]: [200, login],
    [endpoints.queryUpgradeWindow.path]: [200, { ...night, isOpen: true, liveStreams: 1 }],
  });
  expect(await mayUpgrade(listen)).toEqual({
    code: 0,
    output: `The upgrade window is open until ${night.closesAt}; 1 live stream would be interrupted.`,
  });
});

it('fails while it is closed, and prints when it opens', { timeout }, async () => {
  const listen = await controlPlane({
    [endpoints.login.path]: [200, login],
    [endpoints.queryUpgradeWindow.path]: [200, { ...night, isOpen: false, liveStreams: 0 }],
  });
  const output = `No upgrade now: the upgrade window is closed and opens at ${night.opensAt}.`;
  expect(await mayUpgrade(listen)).toEqual({ code: 1, output });
});

it('prints a refusal as an error message', { timeout }, async () => {
  const refusal = { message: 'the password is wrong', name: 'passwordWrong' };
  const listen = await controlPlane({ [endpoints.login.path]: [401, refusal] });
  expect(await mayUpgrade(listen)).toEqual({ code: 1, output: 'No upgrade now: the password is wrong.' });
});

it('fails when no server runs, or the password is unknown', { timeout }, async () => {
  const listen = await controlPlane({});
  server?.close();
  expect(await mayUpgrade(listen)).toEqual({ code: 1, output: 'No upgrade now: the server is not running.' });
  const { code, output } = await mayUpgrade(listen, '');
  expect(code).toBe(1);
  expect(output).toMatch(/^No upgrade now: no admin password in .*\.env; open the console and set a password first\.$/);
});
