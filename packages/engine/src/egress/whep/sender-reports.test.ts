import { parseRtcp } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { describe, expect, it } from 'vitest';
import type { Kind } from './fan-out.ts';
import { SenderReports } from './sender-reports.ts';

interface Viewer {
  readonly got: { kind: Kind; report: Buffer }[];
  sendReport(kind: Kind, report: Buffer): void;
}

function start(count: number) {
  const reports = new SenderReports<Viewer>({ video: 1, audio: 2 });
  const viewers = Array.from({ length: count }, (): Viewer => {
    const got: Viewer['got'] = [];
    return { got, sendReport: (kind, report) => got.push({ kind, report }) };
  });
  const at = (nowMs: number): void => reports.serve(viewers, { nowMs, mediaToWallMs: 1_000 });
  const total = (): number => viewers.reduce((sum, { got }) => sum + got.length, 0);
  return { reports, viewers, at, total };
}

describe('sender reports', () => {
  it('reach every viewer once in two seconds, evenly spread', () => {
    const { reports, viewers, at, total } = start(100);
    reports.count('video', 10);
    let most = 0;
    for (let nowMs = 10_000; nowMs <= 12_000; nowMs += 20) {
      const before = total();
      at(nowMs);
      most = Math.max(most, total() - before);
    }
    expect(viewers.map(({ got }) => got.length)).toEqual(viewers.map(() => 1));
    expect(most).toBe(1);
  });

  it('reach a single viewer as often', () => {
    const { reports, viewers, at } = start(1);
    reports.count('video', 10);
    for (let nowMs = 10_000; nowMs <= 20_000; nowMs += 33) at(nowMs);
    expect([4, 5]).toContain(viewers[0]!.got.length);
  });

  it('do not go to all at once after a pause', () => {
    const { reports, at, total } = start(100);
    reports.count('video', 10);
    at(0);
    at(60_000);
    expect(total()).toBe(10);
  });

  it('report the sent packets of each track, and its time on the wall clock', () => {
    const { reports, viewers } = start(1);
    reports.count('video', 10);
    reports.count('audio', 20);
    reports.count('audio', 20);
    reports.send(viewers, { nowMs: 3_000, mediaToWallMs: 1_000 });
    const [video, audio] = viewers[0]!.got;
    expect(parseRtcp(video!.report)).toMatchObject([{ ssrc: 1, ntpMs: 3_000, rtpTimestamp: 180_000 }]);
    expect(parseRtcp(audio!.report)).toMatchObject([{ ssrc: 2, ntpMs: 3_000, rtpTimestamp: 96_000 }]);
    expect(audio!.report.readUInt32BE(20)).toBe(2);
    expect(audio!.report.readUInt32BE(24)).toBe(40);
  });

  it('omit a track that was never sent', () => {
    const { reports, viewers } = start(1);
    reports.count('audio', 20);
    reports.send(viewers, { nowMs: 3_000, mediaToWallMs: 1_000 });
    expect(viewers[0]!.got.map(({ kind }) => kind)).toEqual(['audio']);
  });

  it('continue when viewers leave', () => {
    const { reports, viewers, at, total } = start(10);
    reports.count('video', 10);
    for (let nowMs = 0; nowMs <= 1_900; nowMs += 20) at(nowMs);
    viewers.splice(1);
    for (let nowMs = 2_000; nowMs <= 4_000; nowMs += 20) at(nowMs);
    expect(total()).toBeGreaterThan(0);
  });
});
