// The registry with real FFmpeg processes and a real store: kills, hangs, refusals, and a killed control plane.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { endLeftovers, workerRecords } from './leftovers.ts';
import { readProcessFacts } from './proc.ts';
import type { PlanResult } from './worker-plan.ts';
import { createWorkerRegistry, type WorkerRegistry } from './worker-registry.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const ownerId = `test-${process.pid}`;

let folder: string;
let registry: WorkerRegistry;
let store: ReturnType<typeof createSqliteStore>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-workers-'));
  const database = new DatabaseSync(':memory:');
  migrate(database);
  store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  registry = createWorkerRegistry({ store, ownerId, log: silent });
  await registry.open();
});
afterEach(async () => {
  await registry.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

function plan(output: string[]): () => Promise<PlanResult> {
  const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=10', '-c:v', 'libx264', '-g', '10'];
  const args = ['-nostdin', '-progress', 'pipe:1', ...source, ...output];
  return async () => ({
    kind: 'run',
    plan: { mayUse: forwardLimits, args, secrets: [], watchesSpeed: true, facts: {} },
  });
}
const toNowhere = ['-f', 'null', '-'];

async function until(id: string, state: string) {
  await vi.waitUntil(() => registry.view(id).state === state, { timeout: 30_000, interval: 20 });
  return registry.view(id);
}
const isAlive = (pid: number) => readProcessFacts(pid)?.isZombie === false;

describe('workers', () => {
  it('run, are recorded, and exit when they are stopped', async () => {
    registry.run('a', plan(toNowhere));
    const { pid } = await until('a', 'running');
    await vi.waitUntil(() => registry.view('a').rssBytes > 1_000_000, { timeout: 10_000 });
    const record = await store.collection(workerRecords).get('a');
    expect(record).toMatchObject({ pid, command: expect.arrayContaining(['ffmpeg', '-progress']) });
    await registry.halt('a');
    expect(isAlive(pid)).toBe(false);
    expect(await store.collection(workerRecords).get('a')).toBeUndefined();
    expect(registry.view('a')).toMatchObject({ state: 'stopped', pid: 0 });
  });

  it('restart after kill -9', async () => {
    registry.run('a', plan(toNowhere));
    const { pid } = await until('a', 'running');
    process.kill(pid, 'SIGKILL');
    await until('a', 'retrying');
    expect(registry.view('a').reason).toBe('killed');
    const again = await until('a', 'running');
    expect(again.pid).not.toBe(pid);
    expect(again.restarts).toBe(1);
  });

  it('report a refusing target, without affecting others', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    registry.run('good', plan(toNowhere));
    registry.run('bad', plan(['-f', 'flv', `rtmp://127.0.0.1:${port}/live/x`]));
    expect(await until('bad', 'retrying')).toMatchObject({ reason: 'connection-refused' });
    expect(await until('good', 'running')).toMatchObject({ restarts: 0 });
  });

  it('fail for a target that accepts connections without responding, and for one that stops reading', async () => {
    const silentPeer = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silentPeer, 'listening');
    const { port } = silentPeer.address() as AddressInfo;
    const fifo = join(folder, 'never-read');
    await once(spawn('sh', ['-c', 'mkfifo "$0"', fifo]), 'exit');
    // Opens the pipe without reading from it, so that writes block once the pipe is full.
    const holder = spawn('sh', ['-c', 'exec 3<>"$0"; sleep 60', fifo]);
    registry.run('hangs', plan(['-f', 'flv', `rtmp://127.0.0.1:${port}/live/x`]));
    registry.run('stalls', plan(['-b:v', '8M', '-f', 'rawvideo', '-c:v', 'rawvideo', '-y', fifo]));
    expect(await until('hangs', 'retrying')).toMatchObject({
      reason: 'timeout',
      reasonDetail: expect.stringContaining('target'),
    });
    await vi.waitUntil(() => ['stalled', 'timeout'].includes(registry.view('stalls').reason), { timeout: 30_000 });
    holder.kill();
    silentPeer.close();
  });

  it('are not recorded after the registry closed', async () => {
    registry.run('a', plan(toNowhere));
    const { pid } = await until('a', 'running');
    await registry.close();
    registry.run('b', plan(toNowhere));
    expect(isAlive(pid)).toBe(false);
    expect(registry.view('b').state).toBe('idle');
  });
});

describe('a control plane that was killed', () => {
  /** Runs a registry and its worker in a separate process, which prints the pid of the worker. */
  async function startOther(owner: string): Promise<{ child: ChildProcess; workerPid: number; storePath: string }> {
    const storePath = join(folder, 'store.sqlite');
    const script = fileURLToPath(new URL('../testing/worker-owner.ts', import.meta.url));
    const child = spawn(process.execPath, [script, storePath, owner], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout!), 'line');
    return { child, workerPid: Number(line), storePath };
  }

  async function killAndOpen(owner: string) {
    const { child, workerPid, storePath } = await startOther(owner);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(workerPid)).toBe(true);
    const database = new DatabaseSync(storePath);
    return { workerPid, left: createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1))) };
  }

  it('leaves no orphan: the next one kills it by its record', async () => {
    const { workerPid, left } = await killAndOpen(`${ownerId}-a`);
    const records = left.collection(workerRecords);
    expect(await endLeftovers({ records, ownerId: 'nobody', log: silent })).toBe(1);
    expect(isAlive(workerPid)).toBe(false);
    expect((await records.entries()).size).toBe(0);
    await left.close();
  });

  it('leaves no orphan without a record either, and does not kill a reused pid', async () => {
    const { workerPid, left } = await killAndOpen(`${ownerId}-b`);
    const records = left.collection(workerRecords);
    const [[id, record]] = [...(await records.entries())] as [
      [string, { pid: number; startTicks: number; command: string[] }],
    ];
    await records.put(id, { ...record, startTicks: record.startTicks + 1 });
    await records.put('us', { ...record, pid: process.pid });
    expect(await endLeftovers({ records, ownerId: 'nobody', log: silent })).toBe(0);
    expect(isAlive(workerPid)).toBe(true);
    expect(await endLeftovers({ records, ownerId: `${ownerId}-b`, log: silent })).toBe(1);
    expect(isAlive(workerPid)).toBe(false);
    await left.close();
  });
});
