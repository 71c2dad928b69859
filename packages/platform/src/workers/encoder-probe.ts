// Short real encodes that measure the cost of a rendition on this machine, and test hardware encoders. FFmpeg reports its CPU time
// (`-benchmark`), so other load does not affect the result.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LadderEncoder, LadderSpeed } from '@srs-stack/contract';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';
import { fileInputArgs } from './ffmpeg-args/address.ts';
import { pictureArgs, scaleGraph } from './ffmpeg-args/ladder-args.ts';
import { programEnvironment } from './launch.ts';

export interface EncodeOrder {
  readonly encoder: LadderEncoder;
  readonly speed: LadderSpeed;
  readonly height: number;
  /** Uses every n-th frame of the source. */
  readonly divisor: number;
  readonly kbps: number;
}

/** `cores`: CPU time per second of media. */
export type EncodeResult = { readonly ok: true; readonly cores: number } | { readonly ok: false; readonly why: string };

/** The encoded sample: 1080p at 30 frames per second, with noise like a camera. */
export const probeSource = { width: 1_920, height: 1_080, fps: 30, kbps: 6_000 } as const;
/** Duration of the sample, seconds: long enough to make the startup negligible. */
const sampleSeconds = 3;
/** Number of frames that an encoder must encode in the test. */
const trialFrames = 10;
/** Timeout of a probe, milliseconds: a hundred times the usual duration. */
const timeoutMs = 60_000;
/** CPU time limit of a probe, seconds. */
const maxCpuSeconds = 60;
/** Maximum sample size, bytes. 3 s at 6 Mbit/s are about 2 MB. */
const maxSampleBytes = 16 * 1024 ** 2;
/** Maximum output of FFmpeg per probe, bytes. */
const maxOutputBytes = 256 * 1024;
/** Nice value: live encoders take precedence. */
const niceness = 10;

const common = ['-hide_banner', '-nostdin', '-loglevel', 'info', '-benchmark', '-nostats'];

/** Measurements that share one sample. The first measurement creates the sample; `close` deletes it. */
export class EncodeProbes {
  #sample: Promise<{ readonly folder: string; readonly path: string; readonly made: Ran }> | undefined;

  /** Measures a rendition. Without `order`, measures only reading and decoding. Rejects only if no temporary file can be written. */
  async measure(order: EncodeOrder | undefined): Promise<EncodeResult> {
    this.#sample ??= makeSample();
    const { path, made } = await this.#sample;
    if (!made.ok) return made;
    const read = [...common, ...deviceArgs(order), ...fileInputArgs, '-i', path];
    const ran = await run([...read, ...(order ? encodeArgs(order) : ['-map', '0:v:0']), '-f', 'null', '-']);
    return ran.ok ? { ok: true, cores: ran.cpuSeconds / sampleSeconds } : ran;
  }

  async close(): Promise<void> {
    const sample = await this.#sample?.catch(() => undefined);
    if (sample) await rm(sample.folder, { recursive: true, force: true });
  }
}

async function makeSample() {
  const folder = await mkdtemp(join(tmpdir(), 'ladder-probe-'));
  const path = join(folder, 'sample.flv');
  return { folder, path, made: await run(sampleArgs(path)) };
}

/** Tests an encoder with a few frames. Never rejects. */
export async function tryEncoder(encoder: LadderEncoder): Promise<{ ok: true } | { ok: false; why: string }> {
  const order = { encoder, speed: 'veryfast', height: 360, divisor: 1, kbps: 500 } as const;
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30', '-frames:v', String(trialFrames)];
  const args = [...common, '-progress', 'pipe:1', ...deviceArgs(order), ...source];
  const ran = await run([...args, ...encodeArgs(order, 640), '-f', 'null', '-']);
  if (!ran.ok) return ran;
  const frames = Number(/frame=\s*(\d+)(?![\s\S]*frame=)/.exec(ran.stdout)?.[1] ?? 0);
  return frames >= trialFrames ? { ok: true } : { ok: false, why: `${frames} of ${trialFrames} frames` };
}

function sampleArgs(path: string): string[] {
  const { width, height, fps, kbps } = probeSource;
  const picture = `testsrc2=size=${width}x${height}:rate=${fps},noise=alls=6:allf=t`;
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', `${kbps}k`, '-pix_fmt', 'yuv420p', '-bf', '0'];
  return [...common, '-f', 'lavfi', '-i', picture, '-t', String(sampleSeconds), ...encode, '-f', 'flv', `file:${path}`];
}

function deviceArgs(order: EncodeOrder | undefined): string[] {
  return order?.encoder === 'h264_vaapi' ? ['-vaapi_device', '/dev/dri/renderD128'] : [];
}

function encodeArgs(order: EncodeOrder, sourceWidth: number = probeSource.width): string[] {
  const { height, divisor, kbps, encoder } = order;
  const scale = sourceWidth === probeSource.width ? height / probeSource.height : 1;
  const width = 2 * Math.round((sourceWidth * scale) / 2);
  const graph = scaleGraph([{ kind: 'picture', width, height, divisor, kbps }], encoder);
  return ['-filter_complex', graph, '-map', '[v0]', ...pictureArgs(order, { ...order, followsSource: true })];
}

type Ran = { readonly ok: true; readonly cpuSeconds: number; readonly stdout: string } | { ok: false; why: string };

function run(wanted: readonly string[]): Promise<Ran> {
  const limits = { ...encoderLimits(), cpuSeconds: maxCpuSeconds, fileBytes: maxSampleBytes };
  const { program, args } = limitedCommand('ffmpeg', wanted, limits);
  const options = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
    env: programEnvironment(),
  } as const;
  return new Promise((resolve) => {
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error) resolve({ ok: false, why: reasonOf(stderr) || error.message.split('\n', 1)[0]! });
      else resolve({ ok: true, cpuSeconds: cpuSecondsOf(stderr), stdout });
    });
    if (child.pid !== undefined) setProgramPriority(child.pid, niceness);
  });
}

/** Parses the CPU time of a line like `bench: utime=1.234s stime=0.056s rtime=…`. */
function cpuSecondsOf(log: string): number {
  const match = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(log);
  return match ? Number(match[1]) + Number(match[2]) : 0;
}

/** The first line that looks like an error of the encoder, or else the last line. */
function reasonOf(log: string): string {
  const lines = log.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !line.startsWith('bench:'));
  const specific = lines.find((line) =>
    /cannot load|no capable|failed|no such file|not found|unknown encoder|could not/i.test(line),
  );
  return (specific ?? lines.at(-1) ?? '').replace(/^\[[^\]]*\]\s*/, '').slice(0, 200);
}
