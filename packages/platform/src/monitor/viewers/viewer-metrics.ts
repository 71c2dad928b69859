// Playback reports as points for Prometheus. Pure.
import { delaySteps, joinSteps, type ViewerOutput, viewerErrors } from '@srs-stack/contract/values/viewers.ts';
import type { StepCounts, ViewerCounts } from '@srs-stack/contract/viewer-counts.ts';
import type { Monitor } from '../monitor.ts';
import type { MetricPoint } from '../prometheus-text.ts';
import type { ViewerTotal } from './viewer-history.ts';

export function viewerMetrics({ rows, results }: ReturnType<Monitor['viewerTotals']>) {
  const ofRow = (take: (counts: ViewerCounts) => number): MetricPoint[] =>
    rows.map((row) => ({ value: take(row.counts), labels: labelsOf(row) }));
  const ofOutput = (take: (counts: ViewerCounts) => number, more: Readonly<Record<string, string>> = {}) =>
    [...byOutput(rows, take)].map(([output, value]) => ({ value, labels: { output, ...more } }));
  return {
    viewerReports: Object.entries(results).map(([result, value]) => ({ value, labels: { result } })),
    viewerSeconds: ofRow(({ seconds }) => seconds),
    viewerStalledSeconds: ofRow(({ stalledSeconds }) => stalledSeconds),
    viewerStalls: ofRow(({ stalls }) => stalls),
    viewerBytes: ofRow(({ bytes }) => bytes),
    viewerFrames: ofRow(({ frames }) => frames),
    viewerDropped: ofRow(({ droppedFrames }) => droppedFrames),
    viewerMoves: ofOutput(({ moves }) => moves),
    viewerErrors: viewerErrors.flatMap((kind) => ofOutput(({ errors }) => errors[kind], { kind })),
    viewerJoin: rows.flatMap((row) => histogram(row.counts.joins, joinSteps, labelsOf(row))),
    viewerDelay: rows.flatMap((row) => histogram(row.counts.delays, delaySteps, labelsOf(row))),
  };
}

function labelsOf({ app, stream, output }: ViewerTotal): Record<'app' | 'stream' | 'output', string> {
  return { app, stream, output };
}

function byOutput(rows: readonly ViewerTotal[], take: (counts: ViewerCounts) => number): Map<ViewerOutput, number> {
  const sums = new Map<ViewerOutput, number>();
  for (const { output, counts } of rows) sums.set(output, (sums.get(output) ?? 0) + take(counts));
  return sums;
}

function histogram(
  { counts, sum }: StepCounts,
  edges: readonly number[],
  labels: Readonly<Record<string, string>>,
): MetricPoint[] {
  const total = counts.reduce((all, count) => all + count, 0);
  if (total === 0) return [];
  let below = 0;
  const steps = edges.map((edge, index): MetricPoint => {
    below += counts[index] ?? 0;
    return { value: below, labels: { ...labels, le: String(edge) }, part: '_bucket' };
  });
  return [
    ...steps,
    { value: total, labels: { ...labels, le: '+Inf' }, part: '_bucket' },
    { value: sum, labels, part: '_sum' },
    { value: total, labels, part: '_count' },
  ];
}
