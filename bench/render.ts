// Rewrites the figures in README.md from the published results.
//
//   node bench/render.ts [results.json]     without a file: bench/results/published.json
import { readFileSync, writeFileSync } from 'node:fs';
import { goalsTable } from './report/goals.ts';
import { publishedResults, type Results, readResults } from './report/results-file.ts';
import { scenarioTables } from './report/tables.ts';

const readme = new URL('README.md', import.meta.url);

function introduction({ startedAt, machine, servers, settings, minutes }: Results): string {
  const { cores, cpu, memoryMB, kernel, node } = machine;
  const box = `${cores} cores (${cpu}), ${Math.round(memoryMB / 1000)} GB, Linux ${kernel}, Node ${node.slice(1)}`;
  const settingsText = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [
    `Measured on ${startedAt.slice(0, 10)} in one run of ${Math.round(minutes)} minutes: ${box}; ${settingsText.join(', ')}.`,
    '',
    ...servers.map(({ name, title }) => `- \`${name}\`: ${title}`),
  ].join('\n');
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. @throws when the markers are missing. */
function fillIn(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${open} … ${close}`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}

export function renderReadme(results: Results): void {
  const parts = { measured: introduction(results), goals: goalsTable(results), tables: scenarioTables(results) };
  const text = Object.entries(parts).reduce(
    (whole, [name, content]) => fillIn(whole, name, content),
    readFileSync(readme, 'utf8'),
  );
  writeFileSync(readme, text);
}

if (import.meta.main) renderReadme(readResults(process.argv[2] ?? publishedResults));
