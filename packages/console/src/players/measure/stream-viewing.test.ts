import { beforeEach, describe, expect, it } from 'vitest';
import type { VideoSample } from './output-meter.ts';
import { StreamViewing } from './stream-viewing.ts';

let nowMs: number;
let position: number;
let viewing: StreamViewing;
let calls: number;
beforeEach(() => {
  nowMs = 1_000;
  position = 0;
  calls = 0;
  viewing = new StreamViewing(() => {
    calls += 1;
  });
});

type Attempt = ReturnType<StreamViewing['begin']>;
const still: VideoSample = {
  position: 0,
  isResting: false,
  frames: 0,
  droppedFrames: 0,
  delay: undefined,
  bitrateKbps: undefined,
  receivedBytes: undefined,
};

/** Simulates samples over `seconds`, with playing or stalled video. */
function run({ meter }: Attempt, seconds: number, isMoving: boolean, more: Partial<VideoSample> = {}): void {
  for (let step = 0; step < seconds * 4; step++) {
    nowMs += 250;
    if (isMoving) position += 0.25;
    meter.sample({ ...still, position, ...more }, nowMs);
  }
}

function play(output: 'webrtc' | 'flv' | 'hls' = 'flv', joinMs = 600): Attempt {
  const attempt = viewing.begin(output, nowMs);
  nowMs += joinMs;
  viewing.showFrame(attempt, nowMs, false);
  attempt.meter.sample(still, nowMs);
  return attempt;
}

describe('a viewer', () => {
  it('smooth playback reports its time to first frame once, and its duration', () => {
    const attempt = play();
    run(attempt, 10, true, { bitrateKbps: 2_000, delay: 1.5 });
    expect(viewing.take(nowMs)).toEqual([{ output: 'flv', seconds: 10, bytes: 2_500_000, delay: 1.5, join: 0.6 }]);
    run(attempt, 10, true);
    expect(viewing.take(nowMs)).toEqual([{ output: 'flv', seconds: 10 }]);
    expect(calls).toBe(1);
  });

  it('a pause of two seconds is one stall, and the viewer has stalled in one minute', () => {
    const attempt = play();
    run(attempt, 4, true);
    run(attempt, 2, false);
    run(attempt, 4, true);
    const [report] = viewing.take(nowMs);
    expect(report).toMatchObject({ seconds: 10, stalls: 1, stalledLately: true });
    expect(report?.stalledSeconds).toBeCloseTo(2.25, 1);
    run(attempt, 40, true);
    expect(viewing.take(nowMs)[0]).toMatchObject({ stalledLately: true });
    run(attempt, 40, true);
    expect(viewing.take(nowMs)[0]).not.toHaveProperty('stalledLately');
  });

  it('a pause of half a second is no stall', () => {
    const attempt = play();
    run(attempt, 4, true);
    run(attempt, 0.5, false);
    run(attempt, 4, true);
    expect(viewing.take(nowMs)[0]).not.toHaveProperty('stalls');
  });

  it('paused or hidden time is not reported', () => {
    const attempt = play();
    run(attempt, 2, true);
    run(attempt, 30, false, { isResting: true });
    run(attempt, 2, true);
    const [report] = viewing.take(nowMs);
    expect(report?.seconds).toBeCloseTo(3.75);
    expect(report).not.toHaveProperty('stalls');
  });

  it('time while the machine slept is not reported', () => {
    const attempt = play();
    run(attempt, 2, true);
    nowMs += 3_600_000;
    run(attempt, 2, true);
    expect(viewing.take(nowMs)[0]?.seconds).toBeLessThan(5);
  });

  it('a broken connection is a stall until the next frame', () => {
    const attempt = play();
    run(attempt, 2, true);
    viewing.fail(attempt, { kind: 'network' }, nowMs);
    viewing.end(attempt, nowMs, false);
    play('flv', 3_000);
    const [report] = viewing.take(nowMs);
    expect(report).toMatchObject({ stalls: 1, stalledSeconds: 3, errors: { network: 1 } });
  });

  it('a stopped encoder is no stall, and the next playback is a new request', () => {
    const attempt = play();
    viewing.take(nowMs);
    viewing.fail(attempt, { kind: 'ended' }, nowMs);
    viewing.end(attempt, nowMs, false);
    nowMs += 600_000;
    play('flv', 700);
    expect(viewing.take(nowMs)).toEqual([{ output: 'flv', seconds: 0, join: 0.7 }]);
  });

  it('with a failed WebRTC connection, the wait counts from the first request, and the fallback is reported', () => {
    const attempt = viewing.begin('webrtc', nowMs);
    nowMs += 4_000;
    viewing.end(attempt, nowMs, false);
    play('flv', 500);
    expect(viewing.take(nowMs)).toEqual([
      { output: 'webrtc', seconds: 0, moves: 1, errors: { 'media-path': 1 } },
      { output: 'flv', seconds: 0, join: 4.5 },
    ]);
  });

  it('a protocol that the viewer selects is no fallback', () => {
    const attempt = play('flv');
    viewing.take(nowMs);
    viewing.end(attempt, nowMs, false);
    play('hls');
    expect(viewing.take(nowMs)).toEqual([{ output: 'hls', seconds: 0, join: 0.6 }]);
  });

  it('a hidden page reports no time to first frame', () => {
    const attempt = viewing.begin('flv', nowMs);
    nowMs += 60_000;
    viewing.showFrame(attempt, nowMs, true);
    expect(viewing.take(nowMs)).toEqual([]);
  });

  it('never reports more than the server accepts', () => {
    const attempt = play();
    run(attempt, 300, false);
    const [report] = viewing.take(nowMs);
    expect(report?.seconds).toBe(60);
    expect(report?.stalledSeconds).toBe(60);
  });
});
