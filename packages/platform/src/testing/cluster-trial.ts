// A Redis, a target and several nodes for one test. Each node is a separate process that the test can kill, freeze or disconnect.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type OneTarget, startOneTarget } from './one-target.ts';
import { startRedis, type TestRedis } from './redis-server.ts';

interface Node {
  readonly child: ChildProcess;
  readonly lines: string[];
}

const script = fileURLToPath(new URL('cluster-node.ts', import.meta.url));

export type ClusterTrial = Trial;

export async function openClusterTrial(): Promise<ClusterTrial> {
  return new Trial(await startRedis(), await startOneTarget());
}

class Trial {
  readonly redis: TestRedis;
  readonly #target: OneTarget;
  readonly #nodes = new Map<string, Node>();
  readonly #output = new EventEmitter();

  constructor(redis: TestRedis, target: OneTarget) {
    this.redis = redis;
    this.#target = target;
  }

  /** Resolves when the node has started. @param url replaces the default address of the Redis. */
  async start(name: string, url = this.redis.url): Promise<void> {
    const child = spawn(process.execPath, [script, url, name, this.#target.address], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const node: Node = { child, lines: [] };
    this.#nodes.set(name, node);
    createInterface(child.stdout!).on('line', (line) => {
      node.lines.push(line);
      this.#output.emit('line');
    });
    await this.waitForLine(name, 'begun');
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#nodes.get(name)?.child.kill(signal);
  }

  /** Resolves when the node has printed a line with this text since the last call. */
  async waitForLine(name: string, text: string): Promise<void> {
    const lines = this.#nodes.get(name)?.lines ?? [];
    for (;;) {
      const at = lines.findIndex((line) => line.includes(text));
      if (at >= 0) {
        lines.splice(0, at + 1);
        return;
      }
      await once(this.#output, 'line');
    }
  }

  /** Resolves with the arrival time of the next bytes from a program that began to send at or after `sinceMs`. */
  nextRun(sinceMs: number): Promise<number> {
    return this.#target.nextAfter(sinceMs);
  }

  get runs(): number {
    return this.#target.sent.length;
  }

  overlaps(): string[] {
    return this.#target.overlaps();
  }

  /** The node that runs the task, according to the store. */
  async holder(): Promise<string> {
    const row = await this.redis.client.hget('srs-stack:{test}:leases:rows', 'forward:x');
    return row?.split(' ')[2] ?? '';
  }

  async close(): Promise<void> {
    for (const { child } of this.#nodes.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await ended;
    }
    await this.#target.close();
    await this.redis.dispose();
  }
}
