// CPU and memory of the machine and of this process between two samples. Without /proc, CPU times come from `os`.
import { readFileSync } from 'node:fs';
import { cpus, freemem, totalmem } from 'node:os';

export interface MachineMetrics {
  /** Share of all cores, 0 to 1. */
  readonly machineCpu: number;
  readonly cores: number;
  readonly platformCpuCores: number;
  readonly totalBytes: number;
  readonly usedBytes: number;
  readonly platformBytes: number;
}

interface Counters {
  readonly busyTicks: number;
  readonly totalTicks: number;
  readonly ownMs: number;
  readonly atMs: number;
}

/** Returns a function that measures the time since its previous call, or since the start. */
export function createMachineMetrics(monotonicMs: () => number): () => MachineMetrics {
  const cores = Math.max(1, cpus().length);
  let before = readCounters(monotonicMs());
  return () => {
    const after = readCounters(monotonicMs());
    const ticks = after.totalTicks - before.totalTicks;
    const values = {
      machineCpu: ticks > 0 ? (after.busyTicks - before.busyTicks) / ticks : 0,
      cores,
      platformCpuCores: (after.ownMs - before.ownMs) / Math.max(1, after.atMs - before.atMs),
      totalBytes: totalmem(),
      usedBytes: totalmem() - freemem(),
      platformBytes: process.memoryUsage.rss(),
    };
    before = after;
    return values;
  };
}

function readCounters(atMs: number): Counters {
  const own = process.cpuUsage();
  return { ...readTicks(), ownMs: (own.user + own.system) / 1_000, atMs };
}

/** First line of /proc/stat (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal. iowait counts as idle. */
export function parseTicks(text: string): { busyTicks: number; totalTicks: number } {
  const line = /^cpu +([\d ]+)$/m.exec(text)?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, steal = 0] = line
    .split(' ')
    .map(Number);
  const busyTicks = user + nice + system + irq + softIrq + steal;
  return { busyTicks, totalTicks: busyTicks + idle + wait };
}

function readTicks(): { busyTicks: number; totalTicks: number } {
  try {
    return parseTicks(readFileSync('/proc/stat', 'utf8'));
  } catch {
    const times = cpus().map((cpu) => cpu.times);
    const busyTicks = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0);
    return { busyTicks, totalTicks: times.reduce((sum, { idle }) => sum + idle, busyTicks) };
  }
}
