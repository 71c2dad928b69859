// CPU, disk and process metrics between two samples. A sample is taken only on request, so that an idle server does no work.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseCpuTimes, parseDisks, parseMemory, parseNetwork, parseSockets } from './system-files.ts';

/** Requests within this interval share a sample, milliseconds. /proc counts CPU time in steps of 10 ms. */
const leastIntervalMs = 1_000;

export interface SystemSample {
  readonly atMs: number;
  /** Share of all CPUs, 0 to 1. */
  readonly systemCpu: number;
  /** Share of one CPU. Above 1 when several threads are busy. */
  readonly ownCpu: number;
  readonly diskReadKbps: number;
  readonly diskWriteKbps: number;
  /** Share of the time in which disks were busy, 0 to 1. */
  readonly diskBusy: number;
  readonly memory: ReturnType<typeof parseMemory>;
  readonly network: ReturnType<typeof parseNetwork>;
  readonly sockets: ReturnType<typeof parseSockets>;
  readonly loads: readonly [number, number, number];
  readonly uptimeSeconds: number;
  readonly idleSeconds: number;
  readonly cpuCount: number;
}

interface Counters {
  readonly atMs: number;
  readonly cpu: ReturnType<typeof parseCpuTimes>;
  readonly own: number;
  readonly disks: ReturnType<typeof parseDisks>;
}

/**
 * Returns a function that returns a sample. The sample covers the time since the previous sample or, at the first call, since
 * `createSystemSampler`.
 */
export function createSystemSampler(): () => SystemSample {
  const cpuCount = Math.max(1, cpus().length);
  let before = readCounters();
  let sample: SystemSample | undefined;
  return () => {
    if (sample && Date.now() - sample.atMs < leastIntervalMs) return sample;
    const after = readCounters();
    sample = toSample(before, after, cpuCount);
    before = after;
    return sample;
  };
}

function readCounters(): Counters {
  const own = process.cpuUsage();
  return {
    atMs: Date.now(),
    cpu: parseCpuTimes(read('/proc/stat')),
    own: (own.user + own.system) / 1000,
    disks: parseDisks(read('/proc/diskstats')),
  };
}

function toSample(before: Counters, after: Counters, cpuCount: number): SystemSample {
  const spanMs = Math.max(1, after.atMs - before.atMs);
  const seconds = spanMs / 1000;
  const loads = read('/proc/loadavg').split(' ').map(Number);
  const uptime = read('/proc/uptime').split(' ').map(Number);
  return {
    atMs: after.atMs,
    systemCpu: (after.cpu.busy - before.cpu.busy) / Math.max(1, after.cpu.total - before.cpu.total),
    ownCpu: (after.own - before.own) / spanMs,
    diskReadKbps: (after.disks.readKb - before.disks.readKb) / seconds,
    diskWriteKbps: (after.disks.writtenKb - before.disks.writtenKb) / seconds,
    diskBusy: Math.min(1, (after.disks.busyMs - before.disks.busyMs) / spanMs),
    memory: parseMemory(read('/proc/meminfo')),
    network: parseNetwork(read('/proc/net/dev')),
    sockets: parseSockets(read('/proc/net/sockstat')),
    loads: [loads[0] ?? 0, loads[1] ?? 0, loads[2] ?? 0],
    uptimeSeconds: uptime[0] ?? 0,
    idleSeconds: uptime[1] ?? 0,
    cpuCount,
  };
}

/** Returns '' for an unreadable file, so that the values of /proc are zero on systems without /proc. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
