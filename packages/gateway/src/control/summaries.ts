// Builds `data` of /api/v1/summaries and of the smaller system calls, with the keys of SRS (docs/reference/protocols/media-server-api.md).
import type { LoopRow, SrsSummaryRow } from '@srs-stack/contract/wire/srs-rows.ts';
import type { Engine } from '@srs-stack/engine';
import type { FaultMetrics } from '../faults.ts';
import type { SystemSample } from './system-sampler.ts';

export interface SummaryParts {
  readonly version: string;
  readonly startedAtMs: number;
  readonly sample: SystemSample;
  readonly totals: ReturnType<Engine['totals']>;
  readonly slates: ReturnType<Engine['slateTotals']>;
  readonly faults: FaultMetrics;
  readonly loop: LoopRow;
}

export function toSummaries(parts: SummaryParts): SrsSummaryRow & { readonly ok: true; readonly now_ms: number } {
  const { sample } = parts;
  return { ok: true, now_ms: sample.atMs, self: toSelf(parts), system: toSystem(parts) };
}

function toSelf({
  version,
  startedAtMs,
  sample,
  slates,
  faults,
  loop,
}: SummaryParts): SrsSummaryRow['self'] & Readonly<Record<string, unknown>> {
  const memoryKb = Math.round(process.memoryUsage.rss() / 1024);
  return {
    version,
    pid: process.pid,
    ppid: process.ppid,
    argv: process.argv.join(' '),
    cwd: process.cwd(),
    mem_kbyte: memoryKb,
    mem_percent: ratio(memoryKb, sample.memory.totalKb),
    cpu_percent: sample.ownCpu,
    srs_uptime: Math.round((sample.atMs - startedAtMs) / 1000),
    ext: { faults: faults.count, lastFault: faults.last, loop, slates },
  };
}

function toSystem({ sample, totals }: SummaryParts): SrsSummaryRow['system'] & Readonly<Record<string, unknown>> {
  const { memory, network, sockets } = sample;
  return {
    cpu_percent: sample.systemCpu,
    disk_read_KBps: Math.round(sample.diskReadKbps),
    disk_write_KBps: Math.round(sample.diskWriteKbps),
    disk_busy_percent: sample.diskBusy,
    mem_ram_kbyte: memory.totalKb,
    mem_ram_percent: ratio(memory.totalKb - memory.availableKb, memory.totalKb),
    mem_swap_kbyte: memory.swapTotalKb,
    mem_swap_percent: ratio(memory.swapTotalKb - memory.swapFreeKb, memory.swapTotalKb),
    cpus: sample.cpuCount,
    cpus_online: sample.cpuCount,
    uptime: sample.uptimeSeconds,
    // SRS spells this key `ilde`.
    ilde_time: sample.idleSeconds,
    load_1m: sample.loads[0],
    load_5m: sample.loads[1],
    load_15m: sample.loads[2],
    net_sample_time: sample.atMs,
    net_recv_bytes: network.received,
    net_send_bytes: network.sent,
    net_recvi_bytes: network.innerReceived,
    net_sendi_bytes: network.innerSent,
    srs_sample_time: sample.atMs,
    srs_recv_bytes: totals.receivedBytes,
    srs_send_bytes: totals.sentBytes,
    conn_sys: sockets.all,
    conn_sys_et: sockets.established,
    conn_sys_tw: sockets.timeWait,
    conn_sys_udp: sockets.udp,
    conn_srs: totals.connections,
  };
}

/** Memory of the machine, kB. */
export function toMemoryInfo({ atMs, memory }: SystemSample): object {
  return {
    ok: true,
    sample_time: atMs,
    percent_ram: ratio(memory.totalKb - memory.availableKb, memory.totalKb),
    percent_swap: ratio(memory.swapTotalKb - memory.swapFreeKb, memory.swapTotalKb),
    MemTotal: memory.totalKb,
    MemAvailable: memory.availableKb,
    SwapTotal: memory.swapTotalKb,
    SwapFree: memory.swapFreeKb,
  };
}

/** Resource use of this process; times in milliseconds. */
export function toResourceUsage(): object {
  const usage = process.resourceUsage();
  return {
    ok: true,
    sample_time: Date.now(),
    ru_utime: Math.round(usage.userCPUTime / 1000),
    ru_stime: Math.round(usage.systemCPUTime / 1000),
    ru_maxrss: usage.maxRSS,
    ru_minflt: usage.minorPageFault,
    ru_majflt: usage.majorPageFault,
    ru_inblock: usage.fsRead,
    ru_oublock: usage.fsWrite,
    ru_nvcsw: usage.voluntaryContextSwitches,
    ru_nivcsw: usage.involuntaryContextSwitches,
  };
}

export function toOwnProcess({ atMs, ownCpu }: SystemSample): object {
  return {
    ok: true,
    sample_time: atMs,
    percent: ownCpu,
    pid: process.pid,
    ppid: process.ppid,
    comm: process.title,
    rss: process.memoryUsage.rss(),
  };
}

export function toSystemProcess({ atMs, systemCpu, cpuCount }: SystemSample): object {
  return { ok: true, sample_time: atMs, percent: systemCpu, cpus: cpuCount };
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
