// Plays HTTP-FLV, HTTP-TS and their WebSocket forms with mpegts.js, which is loaded on first use.
import type Mpegts from 'mpegts.js';
import { codecInMessage } from './codec-name.ts';
import type { MediaSource } from './media-url.ts';
import {
  bufferAhead,
  frameBacklog,
  type Playback,
  type PlaybackEvents,
  type PlaybackProblem,
  problemOfHttpStatus,
} from './playback.ts';

type Library = typeof Mpegts;
type Tracks = { hasAudio?: boolean; hasVideo?: boolean };

/**
 * Above 1.6 s of buffered media, playback is 8 % faster until 0.8 s remain. Larger speed changes are audible; a smaller buffer underruns on
 * mobile networks.
 */
const liveConfig = {
  liveSync: true,
  liveSyncMaxLatency: 1.6,
  liveSyncTargetLatency: 0.8,
  liveSyncPlaybackRate: 1.08,
  enableStashBuffer: false,
  lazyLoad: false,
  autoCleanupSourceBuffer: true,
  autoCleanupMaxBackwardDuration: 30,
  autoCleanupMinBackwardDuration: 10,
} as const;

/**
 * If the FLV header announces a track that never arrives, mpegts.js waits forever. If the video element has no metadata after this time,
 * milliseconds, playback restarts with the next entry of `trackGuesses`.
 */
const trackGuessMs = 6_000;
const trackGuesses: readonly Tracks[] = [{}, { hasAudio: false }, { hasVideo: false }];

/** Starts playback in `video`. Rejects only if the library cannot be loaded. */
export async function startMpegtsPlayback(
  video: HTMLVideoElement,
  source: MediaSource,
  events: PlaybackEvents,
): Promise<Playback> {
  const { default: library } = await import('mpegts.js');
  library.LoggingControl.enableAll = false;
  if (!library.isSupported()) {
    queueMicrotask(() => events.onProblem({ kind: 'browser' }));
    return { video, latency: () => undefined, destroy: () => {} };
  }
  let player = openPlayer(library, video, source, trackGuesses[0] ?? {}, events);
  const watch = watchForMissingTrack(video, (tracks) => {
    player.destroy();
    player = openPlayer(library, video, source, tracks, events);
    void Promise.resolve(player.play()).catch(() => {});
  });
  let destroyed = false;
  return {
    video,
    backlog: frameBacklog,
    latency: () => {
      const seconds = bufferAhead(video);
      return seconds === undefined ? undefined : { kind: 'buffer', seconds };
    },
    destroy: () => {
      if (destroyed) return;
      destroyed = true;
      clearInterval(watch);
      video.playbackRate = 1;
      player.destroy();
    },
  };
}

function openPlayer(
  library: Library,
  video: HTMLVideoElement,
  source: MediaSource,
  tracks: Tracks,
  events: PlaybackEvents,
): Mpegts.Player {
  const type = source.kind === 'ts' ? 'mpegts' : 'flv';
  const player = library.createPlayer({ type, isLive: true, url: source.url, ...tracks }, liveConfig);
  player.on(library.Events.ERROR, (kind: string, detail: string, info: { code?: number; msg?: string }) => {
    events.onProblem(toProblem(library, kind, detail, info));
  });
  player.on(library.Events.LOADING_COMPLETE, () => events.onProblem({ kind: 'ended' }));
  player.on(library.Events.MEDIA_INFO, (info: Mpegts.MSEPlayerMediaInfo) => {
    events.onFacts({
      videoCodec: info.hasVideo ? (info.videoCodec ?? undefined) : undefined,
      audioCodec: info.hasAudio ? (info.audioCodec ?? undefined) : undefined,
    });
  });
  player.on(library.Events.STATISTICS_INFO, (info: Mpegts.MSEPlayerStatisticsInfo) => {
    // `speed` is in KiB per second.
    if (info.speed !== undefined) events.onFacts({ bitrateKbps: (info.speed * 1024 * 8) / 1000 });
  });
  player.attachMediaElement(video);
  player.load();
  return player;
}

/** Tries the entries of `trackGuesses` until the video element has metadata. Returns the timer. */
function watchForMissingTrack(video: HTMLVideoElement, tryTracks: (tracks: Tracks) => void) {
  let guess = 0;
  const timer = setInterval(() => {
    const next = trackGuesses[++guess];
    if (video.readyState > 0 || next === undefined) clearInterval(timer);
    else tryTracks(next);
  }, trackGuessMs);
  return timer;
}

function toProblem(
  library: Library,
  kind: string,
  detail: string,
  info: { code?: number; msg?: string } | undefined,
): PlaybackProblem {
  const message = info?.msg ?? '';
  const { ErrorDetails, ErrorTypes } = library;
  if (kind === ErrorTypes.NETWORK_ERROR) {
    if (detail === ErrorDetails.NETWORK_STATUS_CODE_INVALID) return problemOfHttpStatus(info?.code ?? 0);
    return { kind: 'network', detail: message };
  }
  if (detail === ErrorDetails.MEDIA_CODEC_UNSUPPORTED) {
    return { kind: 'codec', codec: message.split(': ').at(-1) ?? message };
  }
  const refused = codecInMessage(message);
  return refused === undefined ? { kind: 'media', detail: message || detail } : { kind: 'codec', codec: refused };
}
