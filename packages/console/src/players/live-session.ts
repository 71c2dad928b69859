// Starts a playback, monitors its progress, and restarts it after a failure. The caller renders the `LiveView`; this module does not access
// the DOM.
import {
  type BacklogRule,
  bufferAhead,
  type LatencyMeasure,
  type Playback,
  type PlaybackFacts,
  type StartPlayback,
} from './playback.ts';
import { firstState, isActive, nextState, type SessionEvent, type SessionState } from './session-state.ts';

/** Displayed state; a new object on every change, and at least every `sampleMs`. */
export interface LiveView {
  state: SessionState;
  facts: PlaybackFacts;
  latency: LatencyMeasure | undefined;
  /** Size of the decoded video, pixels; 0 before the first frame. */
  width: number;
  height: number;
  fps: number;
  nowMs: number;
  /** Autoplay is blocked even for muted video, so the viewer must press play. */
  needsGesture: boolean;
}

export interface LiveSession {
  /** Reconnects immediately, in any state. */
  retry(): void;
  play(): void;
  close(): void;
}

/** Sampling interval of progress, latency and frame rate, milliseconds. */
const sampleMs = 500;

export function startLiveSession(start: StartPlayback, onView: (view: LiveView) => void): LiveSession {
  let state = firstState(performance.now());
  let playback: Playback | undefined;
  let facts: PlaybackFacts = {};
  let generation = 0;
  let lastTime = 0;
  let needsGesture = false;
  const frames = createFrameMeter();

  const dispatch = (event: SessionEvent): void => {
    const wasActive = isActive(state);
    const next = nextState(state, event, performance.now(), Math.random());
    const restart = event.type === 'retry' || (isActive(next) && !wasActive);
    state = next;
    if (restart || (!isActive(state) && wasActive)) stop();
    if (restart) connect();
    publish();
  };

  const stop = (): void => {
    generation++;
    playback?.destroy();
    playback = undefined;
    facts = {};
  };

  const connect = (): void => {
    const mine = ++generation;
    lastTime = 0;
    frames.reset();
    const current = () => mine === generation;
    start({
      onProblem: (problem) => current() && dispatch({ type: 'problem', problem }),
      onFacts: (more) => {
        if (current()) facts = { ...facts, ...more };
      },
    }).then(
      (started) => {
        if (!current()) return started.destroy();
        playback = started;
        play();
      },
      (error: unknown) =>
        current() && dispatch({ type: 'problem', problem: { kind: 'network', detail: String(error) } }),
    );
  };

  const play = (): void => {
    const mine = generation;
    needsGesture = false;
    playback?.video.play().catch((error: unknown) => {
      // Only blocked autoplay needs a gesture. A reconnect also rejects `play`, because reconnecting aborts loading.
      if (mine === generation) needsGesture = error instanceof DOMException && error.name === 'NotAllowedError';
    });
  };

  const publish = (): void => {
    const video = playback?.video;
    onView({
      state,
      facts,
      latency: state.name === 'playing' ? playback?.latency() : undefined,
      width: video?.videoWidth ?? 0,
      height: video?.videoHeight ?? 0,
      fps: frames.fps(),
      nowMs: performance.now(),
      needsGesture,
    });
  };

  const sample = (): void => {
    const video = playback?.video;
    let moves = false;
    if (video !== undefined) {
      const hasVideo = video.readyState >= video.HAVE_CURRENT_DATA;
      const pausedByViewer = video.paused && (state.name === 'playing' || (needsGesture && hasVideo));
      const moved = video.currentTime !== lastTime && hasVideo && !video.paused;
      lastTime = video.currentTime;
      frames.sample(video, performance.now());
      if (!video.paused && playback?.backlog) skipBacklog(video, playback.backlog);
      moves = moved || pausedByViewer;
    }
    dispatch({ type: moves ? 'progress' : 'tick' });
  };

  const timer = setInterval(sample, sampleMs);
  connect();
  publish();
  return {
    retry: () => dispatch({ type: 'retry' }),
    play,
    close: () => {
      clearInterval(timer);
      stop();
    },
  };
}

function skipBacklog(video: HTMLVideoElement, { maxSeconds, keepSeconds }: BacklogRule): void {
  const ahead = bufferAhead(video);
  if (ahead !== undefined && ahead > maxSeconds) video.currentTime += ahead - keepSeconds;
}

function createFrameMeter() {
  /** Number of samples: 3 s, long enough for a steady value, short enough to follow changes. */
  const windowLength = 7;
  let samples: { atMs: number; frames: number }[] = [];
  return {
    reset: () => {
      samples = [];
    },
    sample: (video: HTMLVideoElement, atMs: number) => {
      const frames = video.getVideoPlaybackQuality?.().totalVideoFrames ?? 0;
      samples = [...samples, { atMs, frames }].slice(-windowLength);
    },
    fps: () => {
      const first = samples[0];
      const last = samples.at(-1);
      if (first === undefined || last === undefined || last.atMs <= first.atMs) return 0;
      return Math.max(0, ((last.frames - first.frames) * 1000) / (last.atMs - first.atMs));
    },
  };
}
