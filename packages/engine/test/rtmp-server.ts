// An RTMP listener with a hub on a loopback port, and processes such as FFmpeg that connect to it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { EngineConfig } from '../src/engine-config.ts';
import { StreamHub } from '../src/hub/stream-hub.ts';
import { createRtmpListener, type RtmpListener } from '../src/listeners/rtmp-listener.ts';
import type { EnginePorts } from '../src/ports.ts';
import type { Refusal, SessionInfo } from '../src/session-info.ts';
import { openGate } from './gate-rig.ts';

export const testConfig: EngineConfig = {
  rtmp: { host: '127.0.0.1', port: 0 },
  hls: {
    enabled: false,
    path: '/nonexistent',
    fragmentSeconds: 2,
    windowSeconds: 30,
    aofRatio: 2.1,
    disposeSeconds: 15,
    lowLatency: false,
    sessionContexts: true,
  },
  mergeWindowMs: 10,
  gopCache: { maxBytes: 32 * 1024 * 1024, maxDurationMs: 60_000 },
  viewerQueue: { maxBytes: 8 * 1024 * 1024, maxDurationMs: 10_000 },
  takeoverSilenceMs: 3000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 30_000,
  maxConnections: 100,
};

export interface RtmpServer {
  readonly hub: StreamHub;
  readonly listener: RtmpListener;
  readonly url: string;
  readonly port: number;
  readonly refusals: Refusal[];
  readonly ended: SessionInfo[];
  readonly logged: { readonly message: string; readonly fields: object }[];
  skip(ms: number): void;
  close(): Promise<void>;
}

const silent = () => {};

/** Starts a server that admits everyone unless `ports` decides otherwise. */
export async function startRtmpServer(
  overrides: { config?: Partial<EngineConfig>; ports?: Partial<EnginePorts> } = {},
): Promise<RtmpServer> {
  const config = { ...testConfig, ...overrides.config };
  const logged: RtmpServer['logged'] = [];
  const write = (fields: object, message: string): void => void logged.push({ fields, message });
  const log = { debug: write, info: write, warn: write, error: write };
  let skippedMs = 0;
  const clock = (): number => performance.now() + skippedMs;
  const hub = new StreamHub({ config, log, clock });
  const ended: SessionInfo[] = [];
  const ports: EnginePorts = {
    log,
    isValidStream: ({ app, stream }) => /^[\w/.-]+$/.test(app) && /^[\w.-]+$/.test(stream),
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: (session) => ended.push(session),
    onStop: (session) => ended.push(session),
    onHlsSegment: silent,
    ...overrides.ports,
  };
  const { gate, refusals } = openGate(hub, ports, config);
  const listener = createRtmpListener({ hub, ports, gate, refusals, config, clock });
  const port = await listener.listen();
  const ticker = setInterval(() => hub.tick(clock()), 100);
  return {
    hub,
    listener,
    port,
    url: `rtmp://127.0.0.1:${port}`,
    refusals: refusals.inOrder,
    ended,
    logged,
    skip: (ms) => {
      skippedMs += ms;
    },
    async close() {
      clearInterval(ticker);
      await listener.close();
      hub.close();
    },
  };
}

export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly done: Promise<ProcessResult>;
  readonly child: ChildProcessWithoutNullStreams;
  kill(signal?: NodeJS.Signals): void;
}

/** Starts a program. `done` resolves with the output, whatever the exit code. */
export function start(program: string, args: readonly string[]): RunningProcess {
  const child = spawn(program, args);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  const done = new Promise<ProcessResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { done, child, kill: (signal = 'SIGKILL') => child.kill(signal) };
}

export const ffmpeg = (...args: string[]): RunningProcess => start('ffmpeg', ['-hide_banner', '-v', 'error', ...args]);

/** Resolves when `condition` returns true. Calls `condition` every few milliseconds. Rejects after `timeoutMs`. */
export async function until(condition: () => boolean, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('condition did not become true');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
