// One audio conversion of a stream. A failed converter is restarted after a growing delay.

import type { AudioPacket } from '@srs-stack/media/packet.ts';
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { AudioTrack } from '@srs-stack/media/track.ts';
import type { AudioConversion, ConversionOrder, ConversionState } from '../hub/audio-bridge.ts';
import type { EngineLogger } from '../ports.ts';
import { createAudioInput } from './audio-input.ts';
import { type ConvertedCodec, convertedTracks } from './audio-output.ts';
import type { OpenLoopbackPort, SpawnConverter } from './converter-process.ts';
import { ConverterRun } from './converter-run.ts';

/** Delay before the first restart, milliseconds. Each failure doubles the delay up to `maxPauseMs`. */
const firstPauseMs = 500;
/** Longest delay before a restart, milliseconds. */
const maxPauseMs = 10_000;
/** A run of this length resets the restart delay, milliseconds. */
const healthyAfterMs = 10_000;
/** Delay before the next attempt when FFmpeg is not installed, milliseconds. */
const missingPauseMs = 30_000;

export interface ConversionTools {
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly spawn: SpawnConverter;
  readonly openPort: OpenLoopbackPort;
  readonly onMissing: () => void;
}

export class FfmpegConversion implements AudioConversion {
  readonly track: AudioTrack;
  state: ConversionState = 'starting';
  readonly #order: ConversionOrder;
  readonly #target: ConvertedCodec;
  readonly #tools: ConversionTools;
  #run: ConverterRun | undefined;
  #timer: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  #pauseMs = firstPauseMs;
  #lastMs = 0;

  constructor(order: ConversionOrder, target: ConvertedCodec, tools: ConversionTools) {
    this.#order = order;
    this.#target = target;
    this.#tools = tools;
    this.track = convertedTracks[target];
    this.#start();
  }

  push(packet: AudioPacket): void {
    this.#run?.push(packet);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#run?.close();
    this.#run = undefined;
  }

  #start(): void {
    const { spawn, openPort, clock, log } = this.#tools;
    const input = createAudioInput(this.#order.source);
    this.#startedAtMs = clock();
    if (!input) {
      this.state = 'waiting';
      log.warn({ ...this.#logFields() }, 'audio cannot be converted: its configuration is invalid');
      return;
    }
    this.#run = new ConverterRun({
      input,
      target: this.#target,
      spawn,
      openPort,
      onPacket: (packet) => this.#forward(packet),
      onFailure: (failure) => this.#restartLater(failure),
    });
  }

  /**
   * Drops packets that are not later than the previous packet. Such packets follow a jump of the publisher's clock or a restart of the
   * converter.
   */
  #forward(packet: AudioPacket): void {
    this.state = 'running';
    if (packet.dtsMs < 0 || packet.dtsMs <= this.#lastMs) return;
    this.#lastMs = packet.dtsMs;
    this.#order.onPacket(packet);
  }

  #restartLater({ detail, isMissing }: { detail: string; isMissing: boolean }): void {
    const { clock, log, onMissing } = this.#tools;
    this.#run = undefined;
    this.state = isMissing ? 'missing' : 'waiting';
    if (clock() - this.#startedAtMs >= healthyAfterMs) this.#pauseMs = firstPauseMs;
    const pauseMs = isMissing ? missingPauseMs : this.#pauseMs;
    if (isMissing) onMissing();
    else log.warn({ ...this.#logFields(), detail, pauseMs }, 'the audio converter exited and is restarted');
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
    this.#timer = setTimeout(() => this.#start(), pauseMs);
  }

  #logFields(): object {
    const { stream, source } = this.#order;
    return { stream: toStreamUrl(stream), from: source.codec, to: this.#target };
  }
}
