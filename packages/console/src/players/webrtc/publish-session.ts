// Publishes the captured media and reconnects until the session is stopped or a retry cannot help.
import { isPublishing, nextPublishState, type PublishEvent, type PublishState } from './publish-state.ts';
import { type RtcSession, startRtcSession } from './rtc-session.ts';
import { type RtcMetrics, readPublishStats, type StatsSample } from './rtc-stats.ts';
import { preferCodec, withStartBitrate } from './sdp-offer.ts';

export interface PublishView {
  state: PublishState;
  /** Undefined while disconnected. */
  metrics: RtcMetrics | undefined;
  nowMs: number;
}

export interface PublishSession {
  start(stream: MediaStream): void;
  stop(): void;
  /** Replaces the published tracks. The connection continues if the kinds of tracks stay unchanged. */
  replace(stream: MediaStream): void;
  limitBitrate(kbps: number): void;
}

/** Sampling interval of state and statistics, milliseconds. */
const tickMs = 500;

export const idleView: PublishView = { state: { name: 'idle' }, metrics: undefined, nowMs: 0 };

/** Initial share of the target bitrate: good quality from the start, and low enough for most networks. */
const startShare = 0.5;

export function createPublishSession(url: string, onView: (view: PublishView) => void): PublishSession {
  let state: PublishState = { name: 'idle' };
  let session: RtcSession | undefined;
  let media: MediaStream | undefined;
  let maxKbps = 0;
  let metrics: RtcMetrics | undefined;
  let before: StatsSample | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  const dispatch = (event: PublishEvent): void => {
    const wasPublishing = isPublishing(state);
    state = nextPublishState(state, event, performance.now(), Math.random());
    if (event.type === 'start' || (wasPublishing && !isPublishing(state))) disconnect();
    if (isPublishing(state) && session === undefined) connect();
    const needsClock = state.name !== 'idle' && state.name !== 'failed';
    if (needsClock) timer ??= setInterval(tick, tickMs);
    else {
      clearInterval(timer);
      timer = undefined;
    }
    publish();
  };

  const publish = (): void => onView({ state, metrics, nowMs: performance.now() });

  const disconnect = (): void => {
    session?.close();
    session = undefined;
    metrics = undefined;
    before = undefined;
  };

  const connect = (): void => {
    const stream = media;
    if (stream === undefined) return;
    if (typeof RTCPeerConnection === 'undefined') {
      queueMicrotask(() => dispatch({ type: 'problem', problem: { kind: 'browser', detail: '' } }));
      return;
    }
    if (stream.getVideoTracks().length > 0 && !canSendH264()) {
      const problem = { kind: 'codec', detail: 'this browser does not send H.264' } as const;
      queueMicrotask(() => dispatch({ type: 'problem', problem }));
      return;
    }
    const mine = startRtcSession({
      url,
      prepare: (peer) => addTracks(peer, stream, maxKbps),
      adjustAnswer: (sdp) => withStartBitrate(sdp, maxKbps * startShare),
      onConnected: () => session === mine && dispatch({ type: 'connected' }),
      onProblem: (problem) => session === mine && dispatch({ type: 'problem', problem }),
    });
    session = mine;
  };

  const tick = (): void => {
    dispatch({ type: 'tick' });
    const current = session;
    if (state.name !== 'live' || current === undefined) return;
    current.peer.getStats().then(
      (report) => {
        if (session !== current) return;
        const read = readPublishStats(report.values(), performance.now(), before);
        // Measures over a full second, because rates of shorter intervals fluctuate.
        if (before !== undefined && read.sample.atMs - before.atMs < 2 * tickMs - tickMs / 2) return;
        before = read.sample;
        metrics = read.metrics;
        publish();
      },
      () => {},
    );
  };

  return {
    start: (stream) => {
      media = stream;
      dispatch({ type: 'start' });
    },
    stop: () => dispatch({ type: 'stop' }),
    replace: (stream) => {
      const sameKinds = media !== undefined && kindsOf(media) === kindsOf(stream);
      media = stream;
      if (session === undefined) return;
      if (sameKinds) replaceTracks(session.peer, stream, maxKbps);
      else dispatch({ type: 'start' });
    },
    limitBitrate: (kbps) => {
      maxKbps = kbps;
      if (session) limitVideo(session.peer, kbps);
    },
  };
}

function kindsOf(stream: MediaStream): string {
  return [...new Set(stream.getTracks().map(({ kind }) => kind))].sort().join();
}

function canSendH264(): boolean {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  return codecs.some(({ mimeType }) => mimeType.toLowerCase() === 'video/h264');
}

/** Adds video first, because some servers derive the track order from the order of SDP sections. */
function addTracks(peer: RTCPeerConnection, stream: MediaStream, maxKbps: number): void {
  for (const track of [...stream.getVideoTracks(), ...stream.getAudioTracks()]) {
    const kind = track.kind === 'video' ? 'video' : 'audio';
    const limit = kind === 'video' && maxKbps > 0 ? { sendEncodings: [{ maxBitrate: maxKbps * 1000 }] } : {};
    const transceiver = peer.addTransceiver(track, { direction: 'sendonly', streams: [stream], ...limit });
    const codecs = RTCRtpSender.getCapabilities(kind)?.codecs ?? [];
    transceiver.setCodecPreferences?.(preferCodec(codecs, kind === 'video' ? 'video/h264' : 'audio/opus'));
  }
}

function replaceTracks(peer: RTCPeerConnection, stream: MediaStream, maxKbps: number): void {
  for (const sender of peer.getSenders()) {
    const track = stream.getTracks().find(({ kind }) => kind === sender.track?.kind);
    // Rejects if the connection was closed meanwhile. The next connection starts with the new tracks.
    if (track) sender.replaceTrack(track).catch(() => {});
  }
  limitVideo(peer, maxKbps);
}

function limitVideo(peer: RTCPeerConnection, kbps: number): void {
  const sender = peer.getSenders().find(({ track }) => track?.kind === 'video');
  if (sender === undefined || kbps <= 0) return;
  const parameters = sender.getParameters();
  for (const encoding of parameters.encodings) encoding.maxBitrate = kbps * 1000;
  sender.setParameters(parameters).catch(() => {});
}
