import { expect, test } from 'vitest';
import { viewerCharts, viewerFormats } from './viewer-charts.ts';

const column = [null, 1, 2];
const nothing = [null, null, null];
const metrics = {
  viewers: column,
  joinP50: column,
  joinP95: column,
  stalledShare: column,
  stallsPerHour: column,
  receivedBps: column,
  delayP50: nothing,
};

test('each output protocol has a line in its own colour, and no line without reports', () => {
  const charts = viewerCharts({
    outputs: [
      { output: 'webrtc', ...metrics, delayP50: column },
      { output: 'flv', ...metrics },
    ],
  });
  const labels = Object.fromEntries(charts.map(({ id, lines }) => [id, lines.map(({ label }) => label)]));
  expect(labels).toMatchObject({
    viewers: ['WebRTC', 'HTTP-FLV'],
    join: ['WebRTC p50', 'WebRTC p95', 'HTTP-FLV p50', 'HTTP-FLV p95'],
    delay: ['WebRTC'],
  });
  const join = charts.find(({ id }) => id === 'join')!;
  expect(join.lines.map(({ isDashed = false }) => isDashed)).toEqual([false, true, false, true]);
  const colours = charts.flatMap(({ lines }) => lines.filter(({ label }) => label.startsWith('WebRTC')));
  expect(new Set(colours.map(({ color }) => color)).size).toBe(1);
});

test('metrics are formatted for the locale', () => {
  const { people, seconds, share, rate } = viewerFormats('en');
  expect([people(1.5), people(12.04)]).toEqual(['2', '12']);
  expect([seconds(0.625), seconds(12.4), share(0.254), rate(2_500_000)]).toEqual(['0.63 s', '12 s', '25%', '2.5 Mbps']);
});
