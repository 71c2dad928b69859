// One run of a converter, from the start of FFmpeg to its exit, failure or close. Output times are derived from the input times.
import { randomInt } from 'node:crypto';
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import type { AudioInput } from './audio-input.ts';
import {
  AdtsReader,
  aacOutputArgs,
  type ConvertedCodec,
  convertedTracks,
  OpusRtpReader,
  opusOutputArgs,
} from './audio-output.ts';
import type { ConverterProcess, LoopbackPort, OpenLoopbackPort, SpawnConverter } from './converter-process.ts';
import { SampleTimeline } from './sample-timeline.ts';

/** Maximum input queued for FFmpeg, bytes: three seconds of audio at 320 kbit/s. Further packets are dropped. */
const maxWaitingBytes = 128 * 1024;
/** Maximum length of the kept standard error, characters. */
const maxErrorText = 500;

/** Log options, options that avoid delays (no look-ahead to probe the input, output flushed per packet), and only pipes as input. */
const inputArgs = [
  ...['-hide_banner', '-loglevel', 'error', '-nostats'],
  ...['-fflags', '+flush_packets', '-flags', 'low_delay', '-probesize', '2048', '-analyzeduration', '0'],
  ...['-protocol_whitelist', 'pipe'],
];
/** Replaces undecodable frames with silence, so that later audio keeps its position. */
const filterArgs = ['-map', '0:a:0', '-af', 'aresample=async=1'];

export interface ConverterRunOptions {
  readonly input: AudioInput;
  readonly target: ConvertedCodec;
  readonly spawn: SpawnConverter;
  readonly openPort: OpenLoopbackPort;
  readonly onPacket: (packet: AudioPacket) => void;
  /** Called once when the run fails, or when FFmpeg exits without a call of `close`. `isMissing`: the program is not installed. */
  readonly onFailure: (failure: { detail: string; isMissing: boolean }) => void;
}

export class ConverterRun {
  /** Packets dropped because they are invalid, or because FFmpeg did not read them in time. */
  skippedPackets = 0;
  readonly #options: ConverterRunOptions;
  readonly #timeline = new SampleTimeline();
  #child: ConverterProcess | undefined;
  #port: LoopbackPort | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #errorText = '';
  #isOver = false;

  constructor(options: ConverterRunOptions) {
    this.#options = options;
    this.#write(options.input.header);
    this.#start().catch((error: unknown) => this.#fail(String(error), false));
  }

  push({ payload, ptsMs }: AudioPacket): void {
    const { input } = this.#options;
    const durationMs = input.durationMs(payload);
    const framed = durationMs > 0 ? input.frame(payload) : undefined;
    if (!framed || this.#waitingBytes + (this.#child?.stdin.writableLength ?? 0) + framed.length > maxWaitingBytes) {
      this.skippedPackets++;
      return;
    }
    this.#timeline.pushInput(ptsMs, durationMs);
    this.#write(framed);
  }

  close(): void {
    this.#isOver = true;
    this.#port?.close();
    this.#child?.kill('SIGKILL');
  }

  async #start(): Promise<void> {
    const outputArgs = this.#options.target === 'opus' ? await this.#openOpus() : aacOutputArgs;
    if (!this.#isOver) this.#spawn(outputArgs);
    else this.#port?.close();
  }

  async #openOpus(): Promise<string[]> {
    const ssrc = randomInt(1, 2 ** 31);
    const reader = new OpusRtpReader(ssrc, this.#emit);
    this.#port = await this.#options.openPort((datagram) => this.#read(() => reader.push(datagram)));
    return opusOutputArgs(this.#port.port, ssrc);
  }

  #spawn(outputArgs: readonly string[]): void {
    const { input, target, spawn } = this.#options;
    const child = spawn([...inputArgs, ...input.formatArgs, '-i', 'pipe:0', ...filterArgs, ...outputArgs]);
    child.once('error', (error) => this.#fail(error.message, error.code === 'ENOENT'));
    child.once('close', (code, signal) =>
      this.#fail(this.#errorText.trim() || `FFmpeg ended with ${signal ?? `exit code ${code}`}`, false),
    );
    child.stdin.on('error', () => {}); // FFmpeg has exited; the `close` event follows
    child.stderr.on('data', (text: Buffer) => {
      this.#errorText = (this.#errorText + text.toString()).slice(-maxErrorText);
    });
    if (target === 'aac') {
      const reader = new AdtsReader(this.#emit);
      child.stdout.on('data', (data: Buffer) => this.#read(() => reader.push(data)));
    } else child.stdout.resume(); // discards the session description
    this.#child = child;
    for (const bytes of this.#waiting) child.stdin.write(bytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#child) {
      this.#child.stdin.write(bytes);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  readonly #emit = (payload: Buffer, audioMs: number): void => {
    const timeMs = this.#timeline.timeOf(audioMs);
    if (this.#isOver || timeMs === undefined) return;
    const track = convertedTracks[this.#options.target];
    this.#options.onPacket({ track, keyframe: true, dtsMs: timeMs, ptsMs: timeMs, payload });
  };

  /** Ends this run on unparsable output, because a new converter starts in a clean state. */
  #read(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(String(error), false);
    }
  }

  #fail(detail: string, isMissing: boolean): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onFailure({ detail, isMissing });
  }
}
