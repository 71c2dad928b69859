// `versions` and `summaries` of SRS as the figures a page shows; what is missing is 0. Pure.
import type { SrsRow } from '../api/srs-api.ts';

export interface Summary {
  readonly version: string;
  readonly uptimeSeconds: number;
  readonly connections: number;
  /** Of one processor. */
  readonly cpuShare: number;
  readonly memoryBytes: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly cpus: number;
  readonly systemCpuShare: number;
  readonly systemMemoryBytes: number;
  readonly systemMemoryShare: number;
  /** Of 1, 5 and 15 minutes. */
  readonly load: readonly [number, number, number];
}

export function toSummary(versions: SrsRow, summaries: SrsRow): Summary {
  const self = (summaries.self ?? {}) as SrsRow;
  const system = (summaries.system ?? {}) as SrsRow;
  const of = (row: SrsRow, key: string): number => (typeof row[key] === 'number' ? row[key] : 0);
  const product = typeof versions.product === 'string' ? versions.product : '';
  const api = typeof versions.version === 'string' ? versions.version : '';
  return {
    version: product ? `${product} (SRS API ${api})` : api,
    uptimeSeconds: of(self, 'srs_uptime'),
    connections: of(system, 'conn_srs'),
    cpuShare: of(self, 'cpu_percent'),
    memoryBytes: of(self, 'mem_kbyte') * 1024,
    receivedBytes: of(system, 'srs_recv_bytes'),
    sentBytes: of(system, 'srs_send_bytes'),
    cpus: of(system, 'cpus'),
    systemCpuShare: of(system, 'cpu_percent'),
    systemMemoryBytes: of(system, 'mem_ram_kbyte') * 1024,
    systemMemoryShare: of(system, 'mem_ram_percent'),
    load: [of(system, 'load_1m'), of(system, 'load_5m'), of(system, 'load_15m')],
  };
}
