import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Playback, PlaybackEvents } from '../playback.ts';
import { bestWay } from './best-way.ts';
import type { Way } from './watched-stream.ts';

interface Started {
  readonly way: Way;
  readonly events: PlaybackEvents;
  isDestroyed: boolean;
}

const video = document.createElement('video');
video.play = () => Promise.resolve();
let started: Started[];
let problems: string[];
beforeEach(() => {
  started = [];
  problems = [];
});

const events: PlaybackEvents = { onFacts: () => {}, onProblem: ({ kind }) => problems.push(kind) };
const open = (ways: Way[]) =>
  bestWay({
    video,
    ways,
    onWay: () => {},
    start: (way) => async (own) => {
      const entry: Started = { way, events: own, isDestroyed: false };
      started.push(entry);
      const playback: Playback = {
        video,
        latency: () => undefined,
        destroy: () => {
          entry.isDestroyed = true;
        },
      };
      return playback;
    },
  });
const tried = () => started.map(({ way }) => way);

it('a protocol that cannot work here is replaced by the next one, unnoticed by the viewer', async () => {
  await open(['webrtc', 'flv', 'hls'])(events);
  started[0]?.events.onProblem({ kind: 'media-path' });
  expect(tried()).toEqual(['webrtc', 'flv']);
  expect(started[0]?.isDestroyed).toBe(true);
  expect(problems).toEqual([]);
});

it('a stream that is not live is awaited with the same protocol', async () => {
  await open(['webrtc', 'flv'])(events);
  started[0]?.events.onProblem({ kind: 'not-live' });
  expect(tried()).toEqual(['webrtc']);
  expect(problems).toEqual(['not-live']);
});

it('a protocol that fails before it has started leaves no element behind', async () => {
  const play = bestWay({
    video,
    ways: ['webrtc', 'flv'],
    onWay: () => {},
    start: (way) => async (own) => {
      const entry: Started = { way, events: own, isDestroyed: false };
      started.push(entry);
      if (way === 'webrtc') own.onProblem({ kind: 'browser' });
      const destroy = (): void => {
        entry.isDestroyed = true;
      };
      return { video, latency: () => undefined, destroy };
    },
  });
  const playback = await play(events);
  await Promise.resolve();
  expect(started.map(({ way, isDestroyed }) => [way, isDestroyed])).toEqual([
    ['webrtc', true],
    ['flv', false],
  ]);
  playback.destroy();
  expect(started[1]?.isDestroyed).toBe(true);
});

it('a protocol that cannot even be started is replaced too', async () => {
  const begun: Way[] = [];
  await bestWay({
    video,
    ways: ['webrtc', 'hls'],
    onWay: (way) => begun.push(way),
    start: (way) => async () => {
      if (way === 'webrtc') throw new Error('switched off');
      return { video, latency: () => undefined, destroy: () => {} };
    },
  })(events);
  expect(begun).toEqual(['webrtc', 'hls']);
});

it('if WebRTC does not connect in time, the next protocol starts', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const play = open(['webrtc', 'flv']);
  const connected = await play(events);
  started[0]?.events.onFacts({});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tried()).toEqual(['webrtc']);
  connected.destroy();
  await play(events);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tried()).toEqual(['webrtc', 'webrtc', 'flv']);
});

it('the last protocol reports the error', async () => {
  const play = open(['flv', 'hls']);
  await play(events);
  started[0]?.events.onProblem({ kind: 'codec', codec: 'hvc1' });
  await Promise.resolve();
  started[1]?.events.onProblem({ kind: 'codec', codec: 'hvc1' });
  expect(problems).toEqual(['codec']);
});

it('the next attempt starts with the abandoned protocol', async () => {
  const play = open(['webrtc', 'flv']);
  const first = await play(events);
  started[0]?.events.onProblem({ kind: 'stalled' });
  first.destroy();
  await play(events);
  expect(tried()).toEqual(['webrtc', 'flv', 'flv']);
});

it('late events of an abandoned protocol are ignored', async () => {
  await open(['webrtc', 'flv', 'hls'])(events);
  started[0]?.events.onProblem({ kind: 'media-path' });
  started[0]?.events.onProblem({ kind: 'media-path' });
  expect(tried()).toEqual(['webrtc', 'flv']);
});
