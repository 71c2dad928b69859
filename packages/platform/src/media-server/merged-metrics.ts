// Merges the summaries of several media servers, in the forms of SRS and of the control plane. Counters are summed. In the form of SRS,
// most other fields are from the first server.
import type { SlateMetrics } from '@srs-stack/contract/wire/srs-rows.ts';
import type { MediaServerIdentity, MediaServerSummary } from './media-server.ts';
import type { RawRow } from './merged-rows.ts';

/** `data` of `/api/v1/summaries` as received. */
export interface RawSummary {
  readonly self?: unknown;
  readonly system?: unknown;
  readonly [field: string]: unknown;
}

const addedOfSelf = ['mem_kbyte', 'mem_percent', 'cpu_percent'];
/** Media fields that are summed. Other fields describe the machine. */
const addedOfSystem = ['srs_recv_bytes', 'srs_send_bytes', 'conn_srs'];
const addedOfVhost = ['clients', 'streams', 'send_bytes', 'recv_bytes'];
const addedOfRate = ['recv_30s', 'send_30s'];

/** @param summaries at least one; the first server first. */
export function mergedSummary(summaries: readonly RawSummary[]): RawSummary {
  const selves = summaries.map(({ self }) => fieldsOf(self));
  return {
    ...summaries[0],
    self: { ...selves[0], ...sums(selves, addedOfSelf), ext: faultsOf(selves) },
    system: sumOfParts(
      summaries.map(({ system }) => system),
      addedOfSystem,
    ),
  };
}

/** One row per name, in order of first occurrence. The id is from the first row. */
export function mergedVhostRows(lists: readonly (readonly RawRow[])[]): RawRow[] {
  const byName = Map.groupBy(lists.flat(), ({ name }) => name);
  return [...byName.values()].map((rows) => ({
    ...rows[0]!,
    ...sums(rows, addedOfVhost),
    kbps: sumOfParts(
      rows.map(({ kbps }) => kbps),
      addedOfRate,
    ),
  }));
}

/** Sums the metrics of several servers. `pid` is 0, because there are several processes. */
export function summedMetrics(summaries: readonly MediaServerSummary[]): MediaServerSummary {
  const sum = (take: (summary: MediaServerSummary) => number) =>
    summaries.reduce((total, summary) => total + take(summary), 0);
  return {
    pid: 0,
    receivedBytes: sum(({ receivedBytes }) => receivedBytes),
    sentBytes: sum(({ sentBytes }) => sentBytes),
    cpuCores: sum(({ cpuCores }) => cpuCores),
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
    connections: sum(({ connections }) => connections),
    faults: sum(({ faults }) => faults),
    lastFault: summaries.find(({ lastFault }) => lastFault !== '')?.lastFault ?? '',
    loop: undefined,
    slates: summedSlates(summaries.flatMap(({ slates }) => slates ?? [])),
  };
}

function summedSlates(slates: readonly SlateMetrics[]): SlateMetrics | undefined {
  if (slates.length === 0) return undefined;
  return {
    shown: slates.reduce((sum, { shown }) => sum + shown, 0),
    shownMs: slates.reduce((sum, { shownMs }) => sum + shownMs, 0),
  };
}

/**
 * Joins addresses and versions in one line. `isUp` is true if at least one server is up. `abilities` are the features that all reachable
 * servers have.
 */
export function mergedIdentity(servers: readonly MediaServerIdentity[]): MediaServerIdentity {
  const living = servers.filter(({ isUp }) => isUp);
  const abilities = living[0]?.abilities.filter((ability) => living.every((each) => each.abilities.includes(ability)));
  return {
    api: [...new Set(servers.flatMap(({ api }) => api || []))].join(', '),
    isUp: living.length > 0,
    version: [...new Set(living.map(({ version }) => version))].join(', '),
    abilities: abilities ?? [],
  };
}

type Fields = Readonly<Record<string, unknown>>;

function sumOfParts(parts: readonly unknown[], names: readonly string[]): Fields {
  const rows = parts.map(fieldsOf);
  return { ...rows[0], ...sums(rows, names) };
}

/** A metric that no server reports stays absent. */
function sums(rows: readonly Fields[], names: readonly string[]): Fields {
  const reported = names.filter((name) => rows.some((row) => typeof row[name] === 'number'));
  return Object.fromEntries(reported.map((name) => [name, rows.reduce((sum, row) => sum + numberOf(row[name]), 0)]));
}

function faultsOf(selves: readonly Fields[]): Fields {
  const exts = selves.map(({ ext }) => fieldsOf(ext));
  const lastFault = exts.map((each) => each.lastFault).find((text) => typeof text === 'string' && text !== '') ?? '';
  return { ...exts[0], faults: exts.reduce((sum, { faults }) => sum + numberOf(faults), 0), lastFault };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
