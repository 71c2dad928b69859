import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { siblingSocket } from '@srs-stack/process/listen-address.ts';
import { expect, onTestFinished, test } from 'vitest';
import { preload } from '../../../scripts/test-run/product-preload.ts';
import { readEnv } from '../src/env.ts';
import { FakeEngine } from './fake-engine.ts';
import { bodyText } from './fake-platform.ts';
import { freePorts, makeDataDir, startFixture } from './gateway-fixture.ts';

const mainFile = join(import.meta.dirname, '../src/main.ts');
const compiledCode = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...preload };

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function runMain(variables: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const child = spawn(process.execPath, [mainFile], {
    env: { ...compiledCode, ...freePorts, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stderr, [code]] = await Promise.all([bodyText(child.stderr), once(child, 'exit')]);
  return { code, stderr };
}

test('no client is admitted before the other gateway has announced its streams', async () => {
  const order: string[] = [];
  /** Delay before the other gateway announces its streams, milliseconds. Longer than the other steps of the start. */
  const announcesAfterMs = 500;
  await startFixture({
    variables: { GATEWAYS: '2', GATEWAY_INDEX: '1' },
    async prepare(dataDir) {
      const other = createHttpServer((_request, response) => {
        response.flushHeaders();
        setTimeout(() => {
          order.push('announced');
          response.write('\n');
        }, announcesAfterMs);
      });
      await mkdir(dirname(siblingSocket(dataDir, 0)), { recursive: true });
      other.listen(siblingSocket(dataDir, 0));
      await once(other, 'listening');
      onTestFinished(() => other.closeAllConnections());
      onTestFinished(() => void other.close());
    },
    whileStarting: async () => void order.push('listens'),
  });
  expect(order).toEqual(['announced', 'listens']);
});

test('prints its version and starts nothing', async () => {
  const child = spawn(process.execPath, [mainFile, '--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [stdout, [code]] = await Promise.all([bodyText(child.stdout), once(child, 'exit')]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test.each(['MGMT_LISTEN', 'HTTPS_LISTEN', 'RTMP_LISTEN', 'RTC_TCP_LISTEN', 'SRS_API_LISTEN'])(
  'a port in use (%s) ends the process with one error message',
  async (variable) => {
    const port = await takenPort();
    const { code, stderr } = await runMain({ DATA_DIR: await makeDataDir(), [variable]: `127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Cannot start: 127.0.0.1:${port} is already in use; stop the program that uses it, or set ${variable} to another port.\n`,
    );
  },
);

test('names the variable of a data folder that cannot be created', async () => {
  const file = join(await makeDataDir(), 'file');
  await writeFile(file, '');
  const { code, stderr } = await runMain({ DATA_DIR: join(file, 'data') });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Cannot start: the folder .*data cannot be used \(.*\); correct .* set DATA_DIR\.\n$/);
});

test.skipIf(process.getuid?.() === 0)('names the variable of a data folder that is not writable', async () => {
  const folder = join(await makeDataDir(), 'data');
  await mkdir(folder);
  await chmod(folder, 0o500);
  const { code, stderr } = await runMain({ DATA_DIR: folder });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is not writable .* set DATA_DIR\.\n$/)]);
});

test('names an invalid variable', async () => {
  const { code, stderr } = await runMain({ DATA_DIR: await makeDataDir(), MGMT_LISTEN: 'http' });
  expect([code, stderr]).toEqual([1, 'Cannot start: MGMT_LISTEN must be a port or host:port, not "http".\n']);
});

test('writes its ports, stops on SIGTERM and removes the file', async () => {
  const dataDir = await makeDataDir();
  const child = spawn(process.execPath, [mainFile], {
    env: { ...compiledCode, ...freePorts, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  expect(JSON.parse(String(line))).toMatchObject({ msg: 'gateway started', process: 'gateway' });
  const ports = JSON.parse(await readFile(join(dataDir, 'run/ports.json'), 'utf8'));
  expect(ports).toEqual({
    pid: child.pid,
    http: expect.any(Number),
    https: expect.any(Number),
    rtmp: expect.any(Number),
    rtsp: expect.any(Number),
    srt: expect.any(Number),
    rtc: expect.any(Number),
    srsApi: expect.any(Number),
  });
  expect((await fetch(`http://127.0.0.1:${ports.srsApi}/api/v1/versions`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  await expect(access(join(dataDir, 'run/ports.json'))).rejects.toThrow();
});

test('the server id survives a restart, the service id does not', async () => {
  const { gateway, env } = await startFixture();
  const read = async (port: number) => (await fetch(`http://127.0.0.1:${port}/api/v1/versions`)).json();
  const first = (await read(gateway.ports.srsApi)) as Record<string, string>;
  await gateway.close();
  const { startGateway } = await import('../src/app.ts');
  const { pino } = await import('pino');
  const again = await startGateway({ env, log: pino({ level: 'silent' }), createEngine: new FakeEngine().create });
  const second = (await read(again.ports.srsApi)) as Record<string, string>;
  await again.close();
  expect(second.server).toBe(first.server);
  expect(second.service).not.toBe(first.service);
});

test('releases everything bound when a later step of the start fails', async () => {
  const port = await takenPort();
  const engine = new FakeEngine();
  const { startGateway } = await import('../src/app.ts');
  const { pino } = await import('pino');
  const env = readEnv({ ...freePorts, DATA_DIR: await makeDataDir(), SRS_API_LISTEN: `127.0.0.1:${port}` });
  const started = startGateway({ env, log: pino({ level: 'silent' }), createEngine: engine.create });
  await expect(started).rejects.toThrow('SRS_API_LISTEN');
  expect(engine.closed).toBe(1);
});
