// Plays WebRTC (WHEP) with the browser's own implementation.
import type { MediaSource } from '../media-url.ts';
import type { Playback, PlaybackEvents, PlaybackProblem } from '../playback.ts';
import { requestVideoAndAudio } from './rtc-offer.ts';
import type { RtcProblem } from './rtc-problem.ts';
import { startRtcSession } from './rtc-session.ts';
import { playDelaySeconds, type RtcMetrics, readPlayStats, type StatsSample } from './rtc-stats.ts';

/** Interval of reading statistics, milliseconds. */
const statsMs = 1_000;
/** If no byte arrives within this time after connecting, milliseconds, the stream counts as not live. */
const nothingArrivesMs = 4_000;

/** Starts playback in `video`. */
export async function startWhepPlayback(
  video: HTMLVideoElement,
  source: MediaSource,
  events: PlaybackEvents,
): Promise<Playback> {
  if (typeof RTCPeerConnection === 'undefined') {
    queueMicrotask(() => events.onProblem({ kind: 'browser' }));
    return { video, latency: () => undefined, destroy: () => {} };
  }
  let metrics: RtcMetrics | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const session = startRtcSession({
    url: source.url,
    begun: window.earlyWhep?.take(source.url),
    prepare: requestVideoAndAudio,
    onConnected: () => {
      timer = watchStats(session.peer, (next, bytes, sinceMs) => {
        metrics = next;
        events.onFacts({ ...next, receivedBytes: bytes });
        if (sinceMs < nothingArrivesMs) return;
        if (bytes === 0) events.onProblem({ kind: 'not-live' });
        else show(video, next.videoCodec === undefined ? soundOnly : stream);
      });
    },
    onProblem: (problem) => events.onProblem(toPlaybackProblem(problem)),
  });
  const tracks = session.peer.getReceivers().map(({ track }) => track);
  const stream = new MediaStream(tracks);
  const soundOnly = new MediaStream(tracks.filter(({ kind }) => kind === 'audio'));
  video.srcObject = stream;
  return {
    video,
    latency: () => {
      const seconds = metrics && playDelaySeconds(metrics);
      return seconds === undefined ? undefined : { kind: 'jitter-buffer', seconds };
    },
    destroy: () => {
      clearInterval(timer);
      session.close();
      video.srcObject = null;
    },
  };
}

/** Shows `stream`, which must not contain a video track without frames, because the video element would wait for a frame. */
function show(video: HTMLVideoElement, stream: MediaStream): void {
  if (video.srcObject === stream) return;
  video.srcObject = stream;
  video.play().catch(() => {});
}

function watchStats(
  peer: RTCPeerConnection,
  onMetrics: (metrics: RtcMetrics, bytes: number, sinceMs: number) => void,
): ReturnType<typeof setInterval> {
  const startedMs = performance.now();
  let before: StatsSample | undefined;
  const read = async (): Promise<void> => {
    const report = await peer.getStats();
    const nowMs = performance.now();
    const { sample, metrics } = readPlayStats(report.values(), nowMs, before);
    before = sample;
    if (peer.connectionState !== 'closed') onMetrics(metrics, sample.bytes, nowMs - startedMs);
  };
  return setInterval(() => void read().catch(() => {}), statsMs);
}

export function toPlaybackProblem(problem: RtcProblem): PlaybackProblem {
  switch (problem.kind) {
    case 'unauthorized':
    case 'refused':
      return { kind: 'not-allowed' };
    case 'codec':
      // The server names the codec that the browser does not support. If the server names no codec, the browser lacks H.264.
      return { kind: 'codec', codec: problem.codec ?? 'h264' };
    case 'ended':
    case 'media-path':
    case 'browser':
      return { kind: problem.kind };
    default:
      return { kind: 'network', detail: problem.detail };
  }
}
