// Converts `versions` and `summaries` of SRS to displayed metrics; missing values become 0. Pure.
import type { SrsSummaryRow, SrsVersionsRow } from '@srs-stack/contract/wire/srs-rows.ts';

export interface Summary {
  readonly version: string;
  readonly uptimeSeconds: number;
  readonly connections: number;
  /** CPU use of SRS in processors: 1 is one fully used processor. */
  readonly cpuShare: number;
  readonly memoryBytes: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly cpus: number;
  readonly systemCpuShare: number;
  readonly systemMemoryBytes: number;
  readonly systemMemoryShare: number;
  readonly load: readonly [number, number, number];
}

export function toSummary({ product, version }: SrsVersionsRow, { self, system }: SrsSummaryRow): Summary {
  return {
    version: product ? `${product} (SRS API ${version})` : version,
    uptimeSeconds: self.srs_uptime,
    connections: system.conn_srs,
    cpuShare: self.cpu_percent,
    memoryBytes: self.mem_kbyte * 1024,
    receivedBytes: system.srs_recv_bytes,
    sentBytes: system.srs_send_bytes,
    cpus: system.cpus,
    systemCpuShare: system.cpu_percent,
    systemMemoryBytes: system.mem_ram_kbyte * 1024,
    systemMemoryShare: system.mem_ram_percent,
    load: [system.load_1m, system.load_5m, system.load_15m],
  };
}
