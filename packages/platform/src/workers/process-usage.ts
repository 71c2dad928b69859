// CPU and memory of a running worker, measured on request, at most once per second.
import { readProcessFacts } from './proc.ts';

/** Shortest interval between CPU measurements, milliseconds. */
const minIntervalMs = 1_000;

export interface Usage {
  /** Percent of one core. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
}

const none: Usage = { cpuPercent: 0, rssBytes: 0 };

export function createUsageMeter(pid: number, nowMs: number, read = readProcessFacts): (nowMs: number) => Usage {
  let before = { cpuMs: 0, atMs: nowMs };
  let usage = none;
  return (atMs) => {
    if (atMs - before.atMs < minIntervalMs && usage !== none) return usage;
    const facts = read(pid);
    if (!facts) return none;
    const elapsedMs = Math.max(1, atMs - before.atMs);
    usage = {
      cpuPercent: Math.max(0, Math.round(((facts.cpuMs - before.cpuMs) / elapsedMs) * 1_000) / 10),
      rssBytes: facts.rssBytes,
    };
    before = { cpuMs: facts.cpuMs, atMs };
    return usage;
  };
}
