// Results file of a run: rewritten after every scenario and read by the tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RunRecord } from '../lib/scenario-run.ts';

export interface Results {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly minutes: number;
  /** Number of merged runs; 1 when absent. All servers of a scenario were measured in one run. */
  readonly parts?: number;
  readonly settings: Readonly<Record<string, number | boolean>>;
  readonly machine: {
    readonly cores: number;
    readonly cpu: string;
    readonly memoryMB: number;
    readonly kernel: string;
    readonly node: string;
  };
  readonly servers: readonly { readonly name: string; readonly title: string }[];
  /** Runs that were skipped because the time limit was reached. */
  readonly leftOut: readonly string[];
  readonly runs: readonly RunRecord[];
}

/** The run whose tables are in README.md. */
export const publishedResults = fileURLToPath(new URL('../results/published.json', import.meta.url));

export function describeMachine(): Results['machine'] {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? '',
    memoryMB: Math.round(totalmem() / 1e6),
    kernel: release(),
    node: process.version,
  };
}

/** Fractions are rounded to five significant digits to keep the file small and readable. */
export function writeResults(file: string, results: Results): void {
  const short = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
  writeFileSync(file, `${JSON.stringify(results, short, 1)}\n`);
}

/** Merges runs of one machine: takes each scenario, with all its servers, from the last run of this scenario. @throws for an empty list. */
export function joinResults(all: readonly Results[]): Results {
  const [first] = all;
  if (!first) throw new Error('no results');
  if (all.length === 1) return first;
  const lastOf = new Map(all.flatMap((each) => each.runs.map(({ scenario }) => [scenario, each] as const)));
  const runs = all.flatMap((each) => each.runs.filter(({ scenario }) => lastOf.get(scenario) === each));
  const titles = new Map(all.flatMap(({ servers }) => servers.map(({ name, title }) => [name, title] as const)));
  return {
    ...first,
    minutes: all.reduce((sum, { minutes }) => sum + minutes, 0),
    parts: all.length,
    servers: [...titles].map(([name, title]) => ({ name, title })),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    runs,
  };
}

export function readResults(file: string): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}
