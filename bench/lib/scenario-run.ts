// One run of one scenario on one server: starts the server and the tools, measures CPU and memory, and stops everything.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gatewayCount, type Server } from '../conf/servers.ts';
import { rememberProcess, stopTree, Tool } from './child-process.ts';
import { type LoopDelays, readLoopDelays } from './loop-windows.ts';
import { untilPorts } from './open-ports.ts';
import {
  isAlive,
  machineFigures,
  type ProcessFigures,
  processFigures,
  processTree,
  proportionalBytes,
  sumFigures,
  treeFigures,
} from './process-figures.ts';
import { untilAnswered } from './product-api.ts';

const startTimeoutMs = 20_000;
const portsFreeTimeoutMs = 10_000;
/** Wait between opening of the ports and measuring of idle memory, milliseconds. */
const idlePauseMs = 1_000;
const memoryPollMs = 1_000;
const portsPollMs = 20;

interface Memory {
  readonly tree: number;
  /** Value of the processes that carry media; `tree` is the value of all processes. Both are equal for a server with one process. */
  readonly media: number;
}

export interface Window {
  readonly seconds: number;
  /** CPU seconds of the server: all its processes, and the processes that carry media. */
  readonly cpu: Memory;
  readonly systemCpu: Memory;
  readonly memory: Memory;
  /** CPU seconds of the bench's tools, of all other processes, and (`steal`) of other virtual machines on the same host. */
  readonly toolCpu: number;
  readonly otherCpu: number;
  readonly steal: number;
}

/** One run in the results file. */
export interface RunRecord {
  readonly scenario: string;
  readonly server: string;
  readonly round: number;
  facts: Record<string, number | string>;
  idleMemory?: Memory;
  peakMemory?: number;
  /** Memory some seconds after the load has ended. */
  restMemory?: Memory;
  window?: Window;
  loop?: LoopDelays;
  /** Results of the tools, by the name that the scenario assigned. */
  tools: Record<string, unknown>;
  error?: string;
}

interface Snapshot {
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  readonly tree: ProcessFigures;
  readonly media: ProcessFigures;
  readonly toolCpu: number;
  readonly machine: ReturnType<typeof machineFigures>;
}

export interface RunFolders {
  readonly run: string;
}

function readPid(file: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined; // not written yet
  }
}

export class ScenarioRun {
  readonly record: RunRecord;
  readonly server: Server;
  readonly stream: string;
  readonly #folders: RunFolders;
  readonly #tools: Tool[] = [];
  #pid = 0;
  /** Process ids of the product's gateways; for every other server, the id of its only process. */
  #mediaPids: readonly number[] = [];
  #memoryTimer: NodeJS.Timeout | undefined;

  constructor(server: Server, scenario: string, round: number, folders: RunFolders) {
    this.server = server;
    this.#folders = folders;
    this.stream = `${scenario}x${round}x${process.pid}`;
    this.record = { scenario, server: server.name, round, facts: {}, tools: {} };
    mkdirSync(folders.run, { recursive: true });
  }

  /** Address of this run's stream. `suffix` distinguishes several streams (the tools replace `{i}`). */
  address(template: string | undefined, suffix = ''): string {
    if (template === undefined)
      throw new Error(`the server ${this.server.name} does not offer the protocol of this scenario`);
    return template.replace('{s}', this.stream + suffix);
  }

  async startServer(extraEnvironment: Record<string, string> = {}): Promise<void> {
    const { server } = this;
    await untilPorts(server, 'free', portsFreeTimeoutMs);
    const log = openSync(join(this.#folders.run, `${server.name}.log`), 'a');
    const child = spawn(server.command, server.args, {
      stdio: ['ignore', log, log],
      cwd: this.#folders.run,
      env: { ...process.env, ...server.env, ...extraEnvironment },
    });
    closeSync(log);
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    this.#pid = child.pid!;
    rememberProcess(this.#pid);
    await untilPorts(server, 'open', startTimeoutMs);
    if (server.isProduct) await untilAnswered(startTimeoutMs);
    this.#mediaPids = server.isProduct ? await this.#gatewayPids() : [this.#pid];
    await delay(idlePauseMs);
    this.record.idleMemory = this.memory();
    this.#memoryTimer = setInterval(() => this.#notePeak(), memoryPollMs);
  }

  get folder(): string {
    return this.#folders.run;
  }

  get mediaPid(): number {
    return this.#mediaPids[0] ?? this.#pid;
  }

  memory(): Memory {
    return { tree: treeFigures(this.#pid).rssBytes, media: sumFigures(this.#mediaPids).rssBytes };
  }

  /** Memory of each process of the server, bytes. */
  processes(): { pid: number; main: string; rssBytes: number; proportionalBytes: number }[] {
    return processTree(this.#pid).map((pid) => {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
      const main = words.findLast((word) => word.includes('/')) ?? words[0] ?? '';
      return {
        pid,
        main: main.split('/').slice(-3).join('/'),
        rssBytes: processFigures(pid).rssBytes,
        proportionalBytes: proportionalBytes(pid),
      };
    });
  }

  tool(name: string, args: readonly (string | number)[]): Tool {
    const file = fileURLToPath(new URL(`../load/${name}.ts`, import.meta.url));
    return this.#start(name, process.execPath, [file, ...args]);
  }

  program(name: string, args: readonly (string | number)[]): Tool {
    return this.#start(name, join(this.#folders.run, name), args);
  }

  /** Starts a program of the system. */
  command(name: string, args: readonly (string | number)[]): Tool {
    return this.#start(name, name, args);
  }

  /** Waits for the READY line. @throws when no session was accepted. */
  async untilReady(tool: Tool): Promise<number> {
    const ready = Number((await tool.line('READY'))?.split(' ')[1] ?? 0);
    if (ready === 0) throw new Error(`refused: ${JSON.stringify(await tool.finish())}`);
    return ready;
  }

  /** Measures CPU and memory between WINDOW_START and WINDOW_END of the tool, then waits for the tool's result. */
  async measure(name: string, tool: Tool): Promise<void> {
    const startLine = await tool.line('WINDOW_START');
    const before = startLine === undefined ? undefined : this.#snapshot();
    const endLine = await tool.line('WINDOW_END');
    if (before && endLine !== undefined) await this.#noteWindow(before);
    await this.noteResult(name, tool);
  }

  async measureFor(work: number | Promise<unknown>): Promise<void> {
    const before = this.#snapshot();
    await (typeof work === 'number' ? delay(work) : work);
    await this.#noteWindow(before);
  }

  /** Stores the result of a tool; `stop` ends the tool first. */
  async noteResult(name: string, tool: Tool, how: 'wait' | 'stop' = 'wait'): Promise<void> {
    this.record.tools[name] = how === 'stop' ? await tool.finish() : await tool.result();
    if (this.record.tools[name] === undefined) throw new Error(`the load tool ${name} returned no result`);
  }

  /** Stops the tools and the server; safe to call in any state. */
  async end(): Promise<void> {
    clearInterval(this.#memoryTimer);
    for (const tool of this.#tools) await tool.kill();
    if (this.#pid === 0) return;
    if (![this.#pid, ...this.#mediaPids].every(isAlive)) this.record.error ??= 'a server process exited during the run';
    await stopTree(this.#pid);
  }

  #start(name: string, command: string, args: readonly (string | number)[]): Tool {
    const tool = new Tool({ command, args, log: join(this.#folders.run, `${name}.err`) });
    this.#tools.push(tool);
    return tool;
  }

  /** A gateway writes its process id to its ports file as soon as its ports are open. */
  async #gatewayPids(): Promise<number[]> {
    const folder = join(this.server.env?.DATA_DIR ?? '', 'run');
    const names = Array.from(
      { length: gatewayCount(this.server) },
      (_, index) => `ports${index ? `-${index}` : ''}.json`,
    );
    for (const deadline = performance.now() + startTimeoutMs; ; await delay(portsPollMs)) {
      const pids = names.map((name) => readPid(join(folder, name)));
      if (pids.every((pid) => pid !== undefined && isAlive(pid))) return pids as number[];
      if (performance.now() > deadline)
        throw new Error(`not every gateway started in time; their process ids are expected in ${folder}`);
    }
  }

  #notePeak(): void {
    this.record.peakMemory = Math.max(this.record.peakMemory ?? 0, treeFigures(this.#pid).rssBytes);
  }

  #snapshot(): Snapshot {
    const own = process.cpuUsage();
    const toolCpu = this.#tools.filter(({ hasEnded }) => !hasEnded).map(({ pid }) => treeFigures(pid).cpu);
    return {
      at: performance.now(),
      wallMs: Date.now(),
      tree: treeFigures(this.#pid),
      media: sumFigures(this.#mediaPids),
      toolCpu: toolCpu.reduce((sum, cpu) => sum + cpu, (own.user + own.system) / 1e6),
      machine: machineFigures(),
    };
  }

  async #noteWindow(before: Snapshot): Promise<void> {
    const after = this.#snapshot();
    const cpu = after.tree.cpu - before.tree.cpu;
    const toolCpu = after.toolCpu - before.toolCpu;
    this.record.window = {
      seconds: (after.at - before.at) / 1000,
      cpu: { tree: cpu, media: after.media.cpu - before.media.cpu },
      systemCpu: {
        tree: after.tree.systemCpu - before.tree.systemCpu,
        media: after.media.systemCpu - before.media.systemCpu,
      },
      memory: { tree: after.tree.rssBytes, media: after.media.rssBytes },
      toolCpu,
      otherCpu: after.machine.busy - before.machine.busy - cpu - toolCpu,
      steal: after.machine.steal - before.machine.steal,
    };
    this.#notePeak();
    const loop = this.server.isProduct ? await readLoopDelays(before.wallMs) : undefined;
    if (loop) this.record.loop = loop;
  }
}
