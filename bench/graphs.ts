// Draws graphs into docs/images: CPU use and latency of each output by the number of viewers.
// Writes the tables of results into docs/explanation/performance.md. Without an argument, reads bench/results/curves.json.
//
//   node bench/run-all.ts --only curve-flv,curve-whep,curve-srt,curve-hls,curve-ll-hls --servers srs-stack,srs --rounds 1 --out /tmp/curves
//   node bench/graphs.ts /tmp/curves/results.json
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunRecord } from './lib/scenario-run.ts';
import { fillIn } from './report/fill-in.ts';
import { drawLineChart, type Line } from './report/line-chart.ts';
import { type Results, readResults } from './report/results-file.ts';
import type { Step } from './scenarios/viewer-steps.ts';

const keptResults = fileURLToPath(new URL('results/curves.json', import.meta.url));
const docs = new URL('../docs/', import.meta.url);

interface Curve {
  readonly output: string;
  readonly kbps: number;
  readonly steps: readonly Step[];
}

const curveOf = ({ tools }: RunRecord): Curve => tools.curve as Curve;
const coresOf = ({ window }: Step): number => (window ? window.cpu.media / window.seconds : 0);

function lines(runs: readonly RunRecord[], figure: (step: Step) => number): Line[] {
  return runs.map((run) => ({
    name: run.server,
    points: curveOf(run).steps.map((step) => ({ x: step.viewers, y: figure(step) })),
  }));
}

function table(runs: readonly RunRecord[]): string {
  const rows = runs.flatMap((run) =>
    curveOf(run).steps.map((step) => {
      const tools = step.window ? step.window.toolCpu / step.window.seconds : 0;
      const cells = [run.server, step.viewers, coresOf(step).toFixed(3), step.p50.toFixed(1), step.p99.toFixed(1)];
      return `| ${[...cells, tools.toFixed(2)].join(' | ')} |`;
    }),
  );
  return [
    '| | viewers | CPU, cores | p50, ms | p99, ms | load tools, cores |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

const delays: Readonly<Record<string, string>> = {
  HLS: 'request to the whole segment',
  'low-latency HLS': 'last frame of a part to its arrival',
};

function section(scenario: string, runs: readonly RunRecord[]): string {
  const { output, kbps } = curveOf(runs[0]!);
  const file = (kind: string): string => `images/performance-${scenario.replace('curve-', '')}-${kind}.svg`;
  const delay = delays[output] ?? 'publisher to viewer';
  const xTitle = `viewers of ${kbps / 1000} Mbps`;
  const cpu = { title: `${output}: CPU`, yTitle: 'cores', xTitle, lines: lines(runs, coresOf) };
  const late = { title: `${output}: p99`, yTitle: `ms, ${delay}`, xTitle, lines: lines(runs, ({ p99 }) => p99) };
  writeFileSync(new URL(file('cpu'), docs), drawLineChart(cpu));
  writeFileSync(new URL(file('delay'), docs), drawLineChart(late));
  const images = [
    `![${cpu.title} against viewers](../${file('cpu')})`,
    `![${late.title} against viewers](../${file('delay')})`,
  ];
  return [`### ${output}`, '', images.join('\n'), '', `Delay: ${delay}.`, '', table(runs)].join('\n');
}

function machineLine({ startedAt, machine, servers }: Results): string {
  const box = `${machine.cores} cores (${machine.cpu}), ${Math.round(machine.memoryMB / 1000)} GB, Linux ${machine.kernel}, Node ${machine.node.slice(1)}`;
  const named = servers.map(({ name, title }) => `- \`${name}\`: ${title}`);
  return [`Measured on ${startedAt.slice(0, 10)} in one run: ${box}.`, '', ...named].join('\n');
}

const given = process.argv[2];
if (given) copyFileSync(given, keptResults);
const results = readResults(keptResults);
const scenarios = [...new Set(results.runs.map(({ scenario }) => scenario))].filter((id) => id.startsWith('curve-'));
const sections = scenarios.map((id) =>
  section(
    id,
    results.runs.filter(({ scenario, tools }) => scenario === id && tools.curve !== undefined),
  ),
);
const page = new URL('explanation/performance.md', docs);
writeFileSync(page, fillIn(readFileSync(page, 'utf8'), 'curves', [machineLine(results), ...sections].join('\n\n')));
