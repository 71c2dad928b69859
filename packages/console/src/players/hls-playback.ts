// Plays HLS with hls.js where Media Source Extensions exist, else with the browser's own HLS (iPhone).
import type Hls from 'hls.js';
import type { ErrorData, HlsConfig } from 'hls.js';
import { isLowLatencyPlaylist } from './low-latency-playlist.ts';
import type { MediaSource } from './media-url.ts';
import { movedRecording } from './moved-recording.ts';
import {
  type LatencyMeasure,
  type Playback,
  type PlaybackEvents,
  type PlaybackProblem,
  problemOfHttpStatus,
  wallClockLatency,
} from './playback.ts';

type Library = typeof Hls;

/** Time limits of one request, milliseconds. No retries, because the live session retries. */
const onePlaylistAttempt = {
  default: { maxTimeToFirstByteMs: 10_000, maxLoadTimeMs: 20_000, timeoutRetry: null, errorRetry: null },
};

const liveConfig: Partial<HlsConfig> = {
  maxLiveSyncPlaybackRate: 1.08,
  backBufferLength: 30,
  manifestLoadPolicy: onePlaylistAttempt,
};

/** Distances to the live edge, in target durations. Low-latency playlists define smaller distances themselves. */
const segmentDistances: Partial<HlsConfig> = { liveSyncDurationCount: 2, liveMaxLatencyDurationCount: 8 };

const audioCodecName = /^(?:mp4a|opus|mp3|[ae]c-3|flac)/i;

/** Distance added after a stall, seconds: one part. The library's default of one second suits whole segments. */
const partDistances: Partial<HlsConfig> = { liveSyncOnStallIncrease: 0.33 };
/**
 * Maximum distance to the live edge of a low-latency playlist, in target durations. A player further behind seeks to the live edge. Set
 * after construction: the constructor of hls.js accepts this limit only with `liveSyncDurationCount`, which overrides the playlist.
 */
const mostPartsBehind = 4;

/** A player in the rewind window plays at normal speed instead of catching up with the live edge. */
const rewound: Partial<HlsConfig> = { maxLiveSyncPlaybackRate: 1 };

function configFor({ url, behindSeconds }: MediaSource): Partial<HlsConfig> {
  if (behindSeconds !== undefined) return { ...liveConfig, ...rewound };
  return { ...liveConfig, ...(isLowLatencyPlaylist(url) ? partDistances : segmentDistances) };
}

/** Starts playback in `video`. Rejects only if the library cannot be loaded. */
export async function startHlsPlayback(
  video: HTMLVideoElement,
  source: MediaSource,
  events: PlaybackEvents,
): Promise<Playback> {
  const file = await movedRecording(source.url);
  if (file !== undefined) return playByBrowser(video, { ...source, url: file }, events);
  const { default: library } = await import('hls.js');
  if (library.isSupported()) return playWithLibrary(library, video, source, events);
  return playNatively(video, source, events);
}

function playWithLibrary(
  library: Library,
  video: HTMLVideoElement,
  source: MediaSource,
  events: PlaybackEvents,
): Playback {
  const hls = new library(configFor(source));
  if (source.behindSeconds === undefined && isLowLatencyPlaylist(source.url))
    hls.config.liveMaxLatencyDurationCount = mostPartsBehind;
  let mayRecover = true;
  let receivedBytes = 0;
  hls.on(library.Events.ERROR, (_event, data) => {
    if (!data.fatal) return;
    const problem = toProblem(library, data);
    if (problem.kind === 'media' && mayRecover) {
      mayRecover = false;
      hls.recoverMediaError();
      return;
    }
    events.onProblem(problem);
  });
  hls.on(library.Events.BUFFER_CODECS, (_event, tracks) => {
    // Low-latency parts have one track for video and audio. The codec string of this track names two codecs.
    const both = tracks.audiovideo?.codec?.split(',') ?? [];
    events.onFacts({
      videoCodec: tracks.video?.codec ?? both.find((codec) => !audioCodecName.test(codec)),
      audioCodec: tracks.audio?.codec ?? both.find((codec) => audioCodecName.test(codec)),
    });
  });
  hls.on(library.Events.FRAG_BUFFERED, (_event, { frag, part, stats }) => {
    const { duration } = part ?? frag;
    receivedBytes += stats.total;
    events.onFacts({ receivedBytes });
    if (duration > 0 && stats.total > 0) events.onFacts({ bitrateKbps: (stats.total * 8) / 1000 / duration });
  });
  if (source.height !== undefined) keepToHeight(library, hls, source.height);
  if (source.behindSeconds !== undefined) beginBehind(library, hls, { video, seconds: source.behindSeconds });
  hls.attachMedia(video);
  hls.loadSource(source.url);
  let destroyed = false;
  return {
    video,
    latency: () => libraryLatency(hls),
    range: () => {
      const details = hls.latestLevelDetails;
      return details ? { start: details.fragmentStart, end: details.edge } : undefined;
    },
    destroy: () => {
      if (destroyed) return;
      destroyed = true;
      hls.destroy();
    },
  };
}

/** Restricts playback to the rendition whose height is nearest to `height`. */
function keepToHeight(library: Library, hls: Hls, height: number): void {
  hls.once(library.Events.MANIFEST_PARSED, () => {
    const distance = (index: number): number => Math.abs((hls.levels[index]?.height ?? 0) - height);
    const nearest = hls.levels.reduce((best, _level, index) => (distance(index) < distance(best) ? index : best), 0);
    hls.startLevel = nearest;
    hls.loadLevel = nearest;
  });
}

/** Sets the start position before the first media request. */
function beginBehind(
  library: Library,
  hls: Hls,
  { video, seconds }: { video: HTMLVideoElement; seconds: number },
): void {
  hls.once(library.Events.LEVEL_UPDATED, (_event, { details }) => {
    const at = Math.max(details.fragmentStart, details.edge - seconds);
    const seek = (): void => {
      video.currentTime = at;
    };
    hls.stopLoad();
    hls.startLoad(at);
    if (video.readyState > 0) seek();
    else video.addEventListener('loadedmetadata', seek, { once: true });
  });
}

function libraryLatency(hls: Hls): LatencyMeasure | undefined {
  const stamp = hls.playingDate;
  const measured = stamp === null ? undefined : wallClockLatency(stamp.getTime(), Date.now());
  if (measured !== undefined) return measured;
  return hls.latency > 0 ? { kind: 'live-edge', seconds: hls.latency } : undefined;
}

function toProblem(library: Library, data: ErrorData): PlaybackProblem {
  const { ErrorDetails, ErrorTypes } = library;
  if (data.details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR) {
    return { kind: 'codec', codec: data.error.message.split(' ').at(-1) ?? '' };
  }
  if (data.details === ErrorDetails.BUFFER_ADD_CODEC_ERROR) {
    return { kind: 'codec', codec: /codecs=([^;]+)/.exec(data.mimeType ?? '')?.[1] ?? data.mimeType ?? '' };
  }
  if (data.type === ErrorTypes.NETWORK_ERROR) {
    const status = data.response?.code ?? 0;
    return status > 0 ? problemOfHttpStatus(status) : { kind: 'network', detail: data.details };
  }
  return { kind: 'media', detail: data.details };
}

function playNatively(video: HTMLVideoElement, source: MediaSource, events: PlaybackEvents): Playback {
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') {
    queueMicrotask(() => events.onProblem({ kind: 'browser' }));
  }
  return playByBrowser(video, source, events);
}

function playByBrowser(video: HTMLVideoElement, source: MediaSource, events: PlaybackEvents): Playback {
  const abort = new AbortController();
  const onError = () => void describeNativeError(video, source).then((problem) => events.onProblem(problem));
  video.addEventListener('error', onError, { signal: abort.signal });
  video.addEventListener('ended', () => events.onProblem({ kind: 'ended' }), { signal: abort.signal });
  video.src = source.url;
  return {
    video,
    latency: () => nativeLatency(video),
    destroy: () => {
      if (abort.signal.aborted) return;
      abort.abort();
      video.removeAttribute('src');
      video.load();
    },
  };
}

/** Requests the playlist to find the error, because a media element does not report the cause. */
async function describeNativeError(video: HTMLVideoElement, source: MediaSource): Promise<PlaybackProblem> {
  const detail = video.error?.message ?? '';
  try {
    const response = await fetch(source.url, { cache: 'no-store' });
    return response.ok ? { kind: 'media', detail } : problemOfHttpStatus(response.status);
  } catch {
    return { kind: 'network', detail };
  }
}

function nativeLatency(video: HTMLVideoElement): LatencyMeasure | undefined {
  const startDate = (video as { getStartDate?: () => Date }).getStartDate?.().getTime() ?? Number.NaN;
  const measured = Number.isNaN(startDate)
    ? undefined
    : wallClockLatency(startDate + video.currentTime * 1000, Date.now());
  if (measured !== undefined) return measured;
  const { seekable, currentTime } = video;
  if (seekable.length === 0) return undefined;
  return { kind: 'live-edge', seconds: Math.max(0, seekable.end(seekable.length - 1) - currentTime) };
}
