// Measures the playback of this server's live streams, unless the viewer or the operator has opted out.
import type { ViewerOutput } from '@srs-stack/contract/values/viewers.ts';
import { isLowLatencyPlaylist } from '../low-latency-playlist.ts';
import type { MediaSource } from '../media-url.ts';
import type { Playback, PlaybackFacts, StartPlayback } from '../playback.ts';
import { type NamedStream, streamOfSource } from '../stream-of-source.ts';
import type { VideoSample } from './output-meter.ts';
import { hasOptedOut, isReportingOn, ReportSender } from './report-sender.ts';
import { type Attempt, StreamViewing } from './stream-viewing.ts';

/** Sample interval of the video, milliseconds. */
const sampleMs = 250;

const viewings = new Map<string, StreamViewing>();
const sender = new ReportSender();
/** Whether the operator wants playback reports; requested at the first frame. */
let wanted: Promise<boolean> | undefined;

/** Adds a meter to the playback if measurement is allowed. */
export function measured(video: HTMLVideoElement, source: MediaSource, start: StartPlayback): StartPlayback {
  const name = new URL(source.url).host === location.host ? streamOfSource(source) : undefined;
  const output = outputOf(source);
  if (!name || !output || hasOptedOut()) return start;
  return async (events) => {
    const meter = new PlaybackMeter(video, viewingOf(name), output);
    const playback = await start({
      onFacts: (facts) => {
        meter.learn(facts);
        events.onFacts(facts);
      },
      onProblem: (problem) => {
        meter.fail(problem.kind);
        events.onProblem(problem);
      },
    });
    meter.watch(playback);
    return {
      ...playback,
      destroy: () => {
        meter.end();
        playback.destroy();
      },
    };
  };
}

class PlaybackMeter {
  readonly #video: HTMLVideoElement;
  readonly #viewing: StreamViewing;
  readonly #attempt: Attempt;
  readonly #ended = new AbortController();
  #facts: PlaybackFacts = {};
  #playback: Pick<Playback, 'latency'> | undefined;
  #wasHidden = document.hidden;

  constructor(video: HTMLVideoElement, viewing: StreamViewing, output: ViewerOutput) {
    this.#video = video;
    this.#viewing = viewing;
    this.#attempt = viewing.begin(output, performance.now());
    const { signal } = this.#ended;
    video.addEventListener('playing', () => this.#onFrame(), { signal });
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
    addEventListener('pagehide', () => this.end(true), { signal });
    const timer = setInterval(() => this.#sample(), sampleMs);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  learn(facts: PlaybackFacts): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  watch(playback: Pick<Playback, 'latency'>): void {
    this.#playback = playback;
  }

  fail(kind: Parameters<StreamViewing['fail']>[1]['kind']): void {
    if (!this.#ended.signal.aborted) this.#viewing.fail(this.#attempt, { kind }, performance.now());
  }

  /** Idempotent. */
  end(isLeft = false): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#viewing.end(this.#attempt, performance.now(), isLeft);
  }

  #onFrame(): void {
    this.#viewing.showFrame(this.#attempt, performance.now(), this.#wasHidden);
    this.#wasHidden = document.hidden;
  }

  #onVisibility(): void {
    this.#wasHidden ||= document.hidden;
  }

  #sample(): void {
    if (this.#attempt.hasShownFrame) this.#attempt.meter.sample(this.#look(), performance.now());
  }

  #look(): VideoSample {
    const video = this.#video;
    const { totalVideoFrames = 0, droppedVideoFrames = 0 } = video.getVideoPlaybackQuality?.() ?? {};
    const latency = this.#playback?.latency();
    return {
      position: video.currentTime,
      isResting: video.paused || document.hidden,
      frames: totalVideoFrames,
      droppedFrames: droppedVideoFrames,
      // Omitted for buffer-based latency, because the buffer size does not determine the latency.
      delay: latency && latency.kind !== 'buffer' ? latency.seconds : undefined,
      bitrateKbps: this.#facts.bitrateKbps,
      receivedBytes: this.#facts.receivedBytes,
    };
  }
}

function reportOn(name: NamedStream, viewing: StreamViewing): void {
  wanted ??= isReportingOn();
  wanted
    .then((isOn) => {
      if (isOn) sender.add({ name, take: () => viewing.take(performance.now()) });
    })
    .catch(reportError);
}

function viewingOf(name: NamedStream): StreamViewing {
  const key = `${name.app}/${name.stream}`;
  const known = viewings.get(key);
  if (known) return known;
  const viewing = new StreamViewing(() => reportOn(name, viewing));
  viewings.set(key, viewing);
  return viewing;
}

function outputOf({ kind, url }: MediaSource): ViewerOutput | undefined {
  if (kind === 'whep') return 'webrtc';
  if (kind === 'hls') return isLowLatencyPlaylist(url) ? 'llhls' : 'hls';
  return kind === 'flv' || kind === 'ts' ? kind : undefined;
}
