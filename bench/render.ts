// Updates the tables in README.md from the published results.
//
//   node bench/render.ts                        from bench/results/published.json
//   node bench/render.ts a.json b.json          from the given files, which replace the published results
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fillIn } from './report/fill-in.ts';
import { goalsTable } from './report/goals.ts';
import { joinResults, publishedResults, type Results, readResults, writeResults } from './report/results-file.ts';
import { scenarioTables } from './report/tables.ts';

const readme = new URL('README.md', import.meta.url);

function introduction({ startedAt, machine, servers, settings, minutes, parts = 1 }: Results): string {
  const { cores, cpu, memoryMB, kernel, node } = machine;
  const box = `${cores} cores (${cpu}), ${Math.round(memoryMB / 1000)} GB, Linux ${kernel}, Node ${node.slice(1)}`;
  const settingsText = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [
    `Measured on ${startedAt.slice(0, 10)} in ${parts === 1 ? 'one run' : `${parts} runs`} of ${Math.round(minutes)} minutes: ${box}; ${settingsText.join(', ')}.`,
    '',
    ...servers.map(({ name, title }) => `- \`${name}\`: ${title}`),
  ].join('\n');
}

export function renderReadme(results: Results): void {
  const parts = { measured: introduction(results), goals: goalsTable(results), tables: scenarioTables(results) };
  const text = Object.entries(parts).reduce(
    (whole, [name, content]) => fillIn(whole, name, content),
    readFileSync(readme, 'utf8'),
  );
  writeFileSync(readme, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = process.argv.slice(2);
  const results = joinResults((files.length > 0 ? files : [publishedResults]).map(readResults));
  if (files.length > 0) writeResults(publishedResults, results);
  renderReadme(results);
}
