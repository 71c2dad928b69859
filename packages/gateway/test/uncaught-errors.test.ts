// The gateway as a separate process. Bugs in the handlers of some players must not affect others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { startFakePlatform } from './fake-platform.ts';
import { freePorts, makeDataDir } from './gateway-fixture.ts';
import { publishClip } from './publish-clip.ts';

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message: string };
  readonly path?: string;
  readonly ports?: { readonly http: number; readonly rtmp: number; readonly srsApi: number };
}

/** Starts the process. `line` resolves with the first matching log line, earlier or later. */
async function startFaultyGateway(variables: Record<string, string> = {}) {
  const dataDir = await makeDataDir();
  const platform = await startFakePlatform(join(dataDir, 'p.sock'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'faulty-gateway.ts')], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...freePorts,
      DATA_DIR: dataDir,
      PLATFORM_LISTEN: join(dataDir, 'p.sock'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await platform.close();
  });
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stdout).on('line', (text) => {
    lines.push(JSON.parse(text) as LogLine);
    for (const look of waiting) look();
  });
  const line = (fits: (line: LogLine) => boolean) =>
    new Promise<LogLine>((resolve) => {
      const look = () => {
        const found = lines.find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const { ports } = await line(({ msg }) => msg === 'gateway started');
  return { child, line, ports: ports! };
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => {});
  onTestFinished(() => {
    response.destroy();
  });
  return response;
}

test('uncaught errors do not affect the publisher and other viewers, and are counted', async () => {
  const { child, line, ports } = await startFaultyGateway();
  publishClip(ports.rtmp, 'a');
  await line(({ msg }) => msg === 'publish started');
  const url = `http://127.0.0.1:${ports.http}/live/a.flv`;
  const viewer = await open(url);
  await once(viewer, 'data');

  for (const fault of ['timer', 'rejection', 'close', 'verdict']) {
    const faulty = get(`${url}?fault=${fault}`, { agent: false });
    const ended = new Promise((resolve) => faulty.once('close', resolve));
    faulty.on('error', () => {});
    // The fault `close` is in the disconnect handler, so this player disconnects. For the other faults, the server disconnects the player.
    faulty.on('response', (response) =>
      fault === 'close' ? response.destroy() : response.resume().on('error', () => {}),
    );
    const logged = await line(({ err }) => err?.message === `planted: ${fault}`);
    await ended;
    expect(logged, fault).toMatchObject({
      level: 50,
      process: 'gateway',
      err: { stack: expect.stringContaining('faulty-gateway.ts') },
    });
  }

  await once(viewer, 'data');
  await once(viewer, 'data');
  expect(viewer.destroyed).toBe(false);
  expect(child.exitCode).toBe(null);
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${ports.srsApi}/api/v1/${path}`)).json();
  const { data } = (await ask('summaries')) as { data: { self: object } };
  expect(data.self).toMatchObject({ ext: { faults: 4, lastFault: expect.stringContaining('planted: verdict') } });
  expect(await ask('streams/')).toMatchObject({ streams: [{ name: 'a', publish: { active: true } }] });
});

test('a corrupt stream table ends the process with a log message', async () => {
  const { child, line, ports } = await startFaultyGateway({ CORRUPTION: 'live/a has another publisher' });
  publishClip(ports.rtmp, 'a');
  await line(({ msg }) => msg === 'publish started');
  const ended = once(child, 'exit');
  get(`http://127.0.0.1:${ports.http}/live/a.flv?fault=verdict`, { agent: false }).on('error', () => {});
  expect(await line(({ level }) => level === 60)).toMatchObject({ corruption: 'live/a has another publisher' });
  expect(await ended).toEqual([70, null]);
});
