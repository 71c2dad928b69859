// A real `redis-server` for one test, on a free local port. The test can kill the server and restart it with its data.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { parseClusterAddress } from '../store/redis/cluster-address.ts';
import type { ClusterSettings } from '../store/redis/open-redis-store.ts';

/** Without `redis-server`, tests that need it are skipped. `npm test` installs it if possible. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
export const testClusterSecret = 'a secret of sixteen letters and more';

const startMs = 20_000;
const attempts = 5;

export interface TestRedis {
  readonly port: number;
  readonly url: string;
  readonly client: Redis;
  cluster(changes?: Partial<ClusterSettings>): ClusterSettings;
  /** `kill -9`. Resolves when the process has exited. */
  kill(): Promise<void>;
  /** Restarts on the old port with the old files. `empty` removes the files first. */
  restart(options?: { empty?: boolean }): Promise<void>;
  dispose(): Promise<void>;
}

/** By default, every write is on disk before its response. */
const safest = ['--appendonly', 'yes', '--appendfsync', 'always'];

export async function startRedis(options: readonly string[] = safest): Promise<TestRedis> {
  for (let attempt = 1; ; attempt++) {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'srs-redis-')), options);
    try {
      await server.start();
      return server;
    } catch (error) {
      // Meanwhile another program may have taken the port.
      await server.dispose();
      if (attempt === attempts) throw error;
    }
  }
}

class RedisServer implements TestRedis {
  readonly port: number;
  readonly client: Redis;
  readonly #folder: string;
  readonly #options: readonly string[];
  #child: ChildProcess | undefined;

  constructor(port: number, folder: string, options: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
    const password = options[options.indexOf('--requirepass') + 1];
    this.client = new Redis({
      ...{ port, lazyConnect: true, retryStrategy: () => 50, maxRetriesPerRequest: null },
      ...(options.includes('--requirepass') && password !== undefined && { password }),
    });
    this.client.on('error', () => undefined);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  cluster(changes: Partial<ClusterSettings> = {}): ClusterSettings {
    return { address: parseClusterAddress(this.url), name: 'test', secret: testClusterSecret, ...changes };
  }

  async start(): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    const child = spawn('redis-server', [...own, '--enable-debug-command', 'yes', ...this.#options], {
      stdio: 'ignore',
    });
    this.#child = child;
    const deadline = performance.now() + startMs;
    while (!(await isListening(this.port))) {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error('redis-server has not started');
      await sleep(20);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async restart({ empty = false }: { empty?: boolean } = {}): Promise<void> {
    await this.kill();
    if (empty) await rm(join(this.#folder, 'appendonlydir'), { recursive: true, force: true });
    await this.start();
  }

  async dispose(): Promise<void> {
    this.client.disconnect();
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function isListening(port: number): Promise<boolean> {
  const probe = new Redis({ port, lazyConnect: true, retryStrategy: null, enableReadyCheck: false });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    // Any response counts, because the server may require a password.
    const reply = await probe.ping().catch((error: Error) => error.message);
    return reply === 'PONG' || reply.startsWith('NOAUTH');
  } catch {
    return false;
  } finally {
    probe.disconnect();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
