import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SentReport } from '../viewers/viewer-reports.ts';
import { ReportRelay } from './report-relay.ts';

let offered: string[];
let relay: ReportRelay;

beforeEach(() => {
  vi.useFakeTimers();
  offered = [];
  const offer = async (reports: readonly SentReport[]) => {
    offered.push(...reports.map(({ ip }) => ip));
    return [];
  };
  relay = new ReportRelay({ others: () => [offer], refuse: () => undefined });
});
afterEach(() => {
  relay.close();
  vi.useRealTimers();
});

const report = (ip: string): SentReport => ({
  ip,
  report: { app: 'live', stream: 'x', outputs: [{ output: 'hls', seconds: 10 }] },
});
const taken = (count: number, ip: string) =>
  Array.from({ length: count }, () => relay.push(report(ip))).filter(Boolean);

test('a flood from one address uses only its share of the queue', async () => {
  expect(taken(10_000, '203.0.113.9').length).toBeLessThan(1_000);
  expect(relay.push(report('198.51.100.1'))).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(offered).toContain('198.51.100.1');
  // A sent report does not count towards the limit.
  expect(relay.push(report('203.0.113.9'))).toBe(true);
});

test('a proxy on this machine has no limit per address', () => {
  expect(taken(10_000, '127.0.0.1')).toHaveLength(4_000);
});
