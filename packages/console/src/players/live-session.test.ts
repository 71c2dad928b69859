import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LiveSession, type LiveView, startLiveSession } from './live-session.ts';
import type { BacklogRule, Playback, PlaybackEvents } from './playback.ts';

function createFakeVideo() {
  const video = document.createElement('video');
  const state = { currentTime: 0, end: 0, paused: false, playError: undefined as DOMException | undefined };
  Object.defineProperties(video, {
    currentTime: { get: () => state.currentTime, set: (value: number) => (state.currentTime = value) },
    HAVE_CURRENT_DATA: { value: 2 },
    readyState: { get: () => (state.end > 0 ? 4 : 0) },
    paused: { get: () => state.paused },
    buffered: { get: () => ({ length: state.end > 0 ? 1 : 0, end: () => state.end }) },
    getVideoPlaybackQuality: { value: () => ({ totalVideoFrames: Math.round(state.currentTime * 25) }) },
  });
  video.play = () => (state.playError ? Promise.reject(state.playError) : Promise.resolve());
  return { video, state };
}

type FakeVideo = ReturnType<typeof createFakeVideo>;

let started: { events: PlaybackEvents; fake: FakeVideo; destroyed: boolean }[];
let views: LiveView[];
let session: LiveSession;

function open(options: { backlog?: BacklogRule; playError?: DOMException } = {}): void {
  session = startLiveSession(
    async (events) => {
      const fake = createFakeVideo();
      fake.state.playError = options.playError;
      fake.state.paused = options.playError !== undefined;
      const entry = { events, fake, destroyed: false };
      started.push(entry);
      const playback: Playback = {
        video: fake.video,
        ...(options.backlog ? { backlog: options.backlog } : {}),
        latency: () => ({ kind: 'buffer', seconds: fake.state.end - fake.state.currentTime }),
        destroy: () => {
          entry.destroyed = true;
        },
      };
      return playback;
    },
    (view) => views.push(view),
  );
}

const latest = () => views.at(-1)!;
const current = () => started.at(-1)!;

/** Simulates playback with half a second of buffered media. */
async function run(seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 2; step++) {
    current().fake.state.currentTime += 0.5;
    current().fake.state.end = current().fake.state.currentTime + 0.5;
    await vi.advanceTimersByTimeAsync(500);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  started = [];
  views = [];
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('live session', () => {
  it('shows the video with its frame rate and latency', async () => {
    open();
    expect(latest().state.name).toBe('connecting');
    await run(4);
    current().events.onFacts({ videoCodec: 'avc1.64001f' });
    await run(1);
    expect(latest()).toMatchObject({
      state: { name: 'playing', stalled: false },
      latency: { kind: 'buffer', seconds: 0.5 },
      facts: { videoCodec: 'avc1.64001f' },
    });
    expect(Math.round(latest().fps)).toBe(25);
  });

  it('resumes by itself when the stream ends and returns', async () => {
    open();
    await run(2);
    current().events.onProblem({ kind: 'ended' });
    expect(latest().state.name).toBe('waiting');
    expect(current().destroyed).toBe(true);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(started).toHaveLength(2);
    await run(1);
    expect(latest().state.name).toBe('playing');
  });

  it('reconnects when data stops without an end', async () => {
    open();
    await run(2);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(latest().state).toMatchObject({ name: 'playing', stalled: true });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(started).toHaveLength(2);
    expect(started[0]?.destroyed).toBe(true);
  });

  it('lets a viewer pause for as long as they like', async () => {
    open();
    await run(1);
    current().fake.state.paused = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(latest().state).toMatchObject({ name: 'playing', stalled: false });
    expect(started).toHaveLength(1);
  });

  it('waits for a gesture when the browser blocks autoplay', async () => {
    open({ playError: new DOMException('no', 'NotAllowedError') });
    await vi.advanceTimersByTimeAsync(0);
    current().fake.state.end = 1;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(latest()).toMatchObject({ needsGesture: true, state: { name: 'playing' } });
    current().fake.state.playError = undefined;
    session.play();
    expect(started).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(latest().needsGesture).toBe(false);
  });

  it('skips a backlog only for formats that require it', async () => {
    open({ backlog: { maxSeconds: 8, keepSeconds: 1 } });
    await run(1);
    current().fake.state.end = 30;
    await vi.advanceTimersByTimeAsync(500);
    expect(current().fake.state.currentTime).toBe(29);
    session.close();
    open();
    await run(1);
    current().fake.state.end = 30;
    await vi.advanceTimersByTimeAsync(500);
    expect(current().fake.state.currentTime).toBe(1);
  });

  it('stops permanently when closed, also while it starts', async () => {
    open();
    session.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started).toHaveLength(1);
    expect(started[0]?.destroyed).toBe(true);
  });
});
