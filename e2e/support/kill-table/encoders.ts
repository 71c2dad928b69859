// Encoders with several addresses. When a connection ends, the encoder connects to the next address half a second later.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testSourceArguments } from '../test-source.ts';
import { Pauses } from './pauses.ts';

const protocols = ['rtmp', 'srt', 'whip'] as const;
export type Protocol = (typeof protocols)[number];

const whipSender = fileURLToPath(new URL('../../../bench/load/whip-pub.ts', import.meta.url));
const retryMs = 500;
/** Seconds of silence after which a WebRTC sender reconnects. A working server sends packets about once a second. */
const whipSilenceSeconds = 3;
const whipSeconds = 900;

export class Encoder {
  /** Times at which the encoder sent data. For WebRTC: times of packets from the server. */
  readonly pauses = new Pauses();
  #frames = 0;
  #next: number;
  #child: ChildProcess | undefined;
  #isStopped = false;
  readonly #addresses: readonly string[];
  readonly #protocol: Protocol;
  readonly #ended: Promise<void>;

  /** @param first index of the address that is tried first. */
  constructor(protocol: Protocol, addresses: readonly string[], first: number) {
    this.#protocol = protocol;
    this.#addresses = addresses;
    this.#next = first;
    this.#ended = this.#keepSending();
  }

  get frames(): number {
    return this.#frames;
  }

  get at(): number {
    return Math.max(0, this.#next - 1) % this.#addresses.length;
  }

  /** Stops like an encoder that an operator stops: all sent frames arrive. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  async #keepSending(): Promise<void> {
    while (!this.#isStopped) {
      const address = this.#addresses[this.#next++ % this.#addresses.length]!;
      this.#frames += await (this.#protocol === 'whip' ? this.#sendByWhip(address) : this.#sendByFfmpeg(address));
      if (!this.#isStopped) await delay(retryMs);
    }
  }

  async #sendByFfmpeg(address: string): Promise<number> {
    const format = this.#protocol === 'srt' ? 'mpegts' : 'flv';
    const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-stats_period', '0.1', '-progress', 'pipe:1'];
    const source = await testSourceArguments({ video: {}, audio: {} });
    let frames = 0;
    await this.#run('ffmpeg', [...quiet, ...source, '-f', format, address], (line) => {
      const sent = Number(/^frame=\s*(\d+)/.exec(line)?.[1] ?? 0);
      if (sent <= frames) return;
      frames = sent;
      this.pauses.note();
    });
    return frames;
  }

  async #sendByWhip(address: string): Promise<number> {
    let frames = 0;
    const options = ['--kbps', '500', '--time', String(whipSeconds), '--silence', String(whipSilenceSeconds)];
    await this.#run(process.execPath, [whipSender, '--url', address, ...options], (line) => {
      if (/^(?:READY 1|HEARD)/.test(line)) this.pauses.note();
      if (line.startsWith('RESULT ')) frames = (JSON.parse(line.slice('RESULT '.length)) as { frames: number }).frames;
    });
    return frames;
  }

  async #run(program: string, args: readonly string[], onLine: (line: string) => void): Promise<void> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child = child;
    if (this.#isStopped) child.kill('SIGTERM');
    createInterface({ input: child.stdout }).on('line', onLine);
    await once(child, 'close');
  }
}
