import { describe, expect, it } from 'vitest';
import { parseViewerReport } from './viewer-report.ts';

const flv = { output: 'flv', seconds: 10 };
const report = { app: 'live', stream: 'x', outputs: [flv] };
const parse = (value: unknown) => parseViewerReport(JSON.stringify(value));
const withOutput = (more: object) => parse({ ...report, outputs: [{ ...flv, ...more }] });

describe('a report', () => {
  it('is read with all its metrics', () => {
    const full = {
      ...flv,
      stalls: 1,
      stalledSeconds: 2.5,
      stalledLately: true,
      frames: 300,
      droppedFrames: 3,
      bytes: 1_000_000,
      delay: 1.2,
      join: 0.4,
      moves: 1,
      errors: { network: 2 },
    };
    expect(withOutput(full)).toEqual({ ok: true, report: { ...report, outputs: [full] } });
  });

  it('drops unknown members', () => {
    const more = { name: 'Alice', errors: { network: 1, alice: 7 } };
    expect(parse({ ...report, viewer: 'Alice', outputs: [{ ...flv, ...more }] })).toEqual({
      ok: true,
      report: { ...report, outputs: [{ ...flv, errors: { network: 1 } }] },
    });
  });

  it.each([
    null,
    [],
    'text',
    {},
    { ...report, app: 7 },
    { ...report, stream: '../../etc/passwd' },
    { ...report, stream: 'a'.repeat(500) },
    { ...report, stream: 'x{output="y"}' },
    { ...report, outputs: [] },
    { ...report, outputs: [flv, flv] },
    { ...report, outputs: Array.from({ length: 50 }, () => flv) },
    { ...report, outputs: [7] },
    { ...report, outputs: [{ output: 'telepathy', seconds: 1 }] },
  ])('is refused when it is %j', (value) => {
    expect(parse(value)).toMatchObject({ ok: false });
  });

  it.each([
    { seconds: -1 },
    { seconds: 61 },
    { seconds: '10' },
    { seconds: null },
    { stalls: -1 },
    { stalls: 1e308 },
    { stalledSeconds: 11 },
    { frames: 1e9 },
    { frames: 10, droppedFrames: 11 },
    { bytes: 1e15 },
    { delay: -0.1 },
    { join: 1e6 },
    { moves: 1e6 },
    { errors: [] },
    { errors: { network: 1e6 } },
    { errors: { network: -1 } },
  ])('is refused with %j', (more) => {
    expect(withOutput(more)).toMatchObject({ ok: false });
  });

  it.each([
    '',
    '{',
    '{"app":"live"',
    '\u0000',
    '[['.repeat(1_000),
    `{"app":"live","stream":"x","outputs":[{"output":"flv","seconds":1e999}]}`,
  ])('is refused when it is the text %j', (text) => {
    expect(parseViewerReport(text)).toMatchObject({ ok: false });
  });
});
