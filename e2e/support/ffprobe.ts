// Analyses an address or file with FFmpeg's tools: streams, packets, and whether everything decodes.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Maximum size of the JSON output, bytes. The packet list of a minute of video has a few megabytes. */
const maxOutputBytes = 64 * 1024 * 1024;

export interface ProbedStream {
  readonly index: number;
  readonly codec_type: 'video' | 'audio';
  readonly codec_name: string;
  readonly profile?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_rate?: string;
  readonly channels?: number;
  /** Hash of the codec configuration, such as `SHA256:…`. */
  readonly extradata_hash?: string;
}

export interface ProbedPacket {
  readonly codec_type: 'video' | 'audio';
  readonly stream_index: number;
  readonly pts_time: string;
  readonly dts_time: string;
  readonly size: string;
  readonly flags: string;
  readonly data_hash: string;
}

export interface Probe {
  readonly streams: readonly ProbedStream[];
  readonly packets: readonly ProbedPacket[];
}

/** Lists streams and packets. `seconds` limits the duration read from a live address. */
export async function probe(url: string, { seconds }: { seconds?: number } = {}): Promise<Probe> {
  const range = seconds === undefined ? [] : ['-read_intervals', `%+${seconds}`];
  const show = ['-show_streams', '-show_packets', '-show_data_hash', 'sha256', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-loglevel', 'error', ...range, ...show, url], {
    maxBuffer: maxOutputBytes,
  });
  const { streams, packets } = JSON.parse(stdout) as Probe;
  return { streams, packets };
}

export interface DecodedFrames {
  /** Hash of every frame, in presentation order. */
  readonly hashes: readonly string[];
  /** Error messages of FFmpeg; empty without errors. */
  readonly errors: string;
}

/** Decodes all video and audio in one run of FFmpeg. Resolves with data about the video. */
export async function decodeFrames(file: string): Promise<DecodedFrames> {
  const pictures = ['-map', '0:v', '-vsync', 'passthrough', '-f', 'framehash', '-hash', 'murmur3', '-'];
  const args = ['-nostdin', '-loglevel', 'error', '-xerror', '-i', file, ...pictures, '-map', '0:a', '-f', 'null', '-'];
  type Outputs = { stdout: string; stderr: string };
  const { stdout, stderr } = await run('ffmpeg', args, { maxBuffer: maxOutputBytes }).catch((error: Outputs) => error);
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { hashes: lines.map((line) => line.split(',').at(-1)!.trim()), errors: stderr };
}

/** The fine time base prevents rounding by the null muxer, which checks the timestamps of the decoder. */
export const exactTimes = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000000'];

/** Decodes everything. Resolves with the error messages of FFmpeg, empty without errors. */
export async function decodeErrors(url: string, { seconds }: { seconds?: number } = {}): Promise<string> {
  const limit = seconds === undefined ? [] : ['-t', String(seconds)];
  const args = ['-nostdin', '-loglevel', 'error', '-xerror', '-i', url, ...limit, ...exactTimes, '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', args).catch((error: { stderr: string }) => error);
  return stderr;
}

interface HeardPacket {
  readonly kind: 'video' | 'audio';
  readonly dts: number;
}

export interface DecodedMedia {
  readonly errors: string;
  readonly loudestDb: number;
  readonly codecs: Readonly<Record<string, string>>;
  readonly packets: readonly HeardPacket[];
}

/** Decodes a file or a live address and lists its packets in one run of FFmpeg. `seconds` limits the duration. */
export async function decodeAndListen(url: string, { seconds }: { seconds?: number } = {}): Promise<DecodedMedia> {
  const limit = seconds === undefined ? [] : ['-t', String(seconds)];
  const quiet = ['-nostdin', '-nostats', '-loglevel', 'level+info', '-xerror'];
  const listing = ['-map', '0:v', '-map', '0:a', '-c', 'copy', ...limit, '-f', 'framecrc', '-'];
  const decoding = [...exactTimes, ...limit, '-af', 'volumedetect', '-f', 'null', '-'];
  const { stdout, stderr } = await run('ffmpeg', [...quiet, '-i', url, ...listing, ...decoding], {
    maxBuffer: maxOutputBytes,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const errors = stderr.split('\n').filter((line) => /\[(?:error|fatal|panic)\]/.test(line));
  const loudest = /max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1];
  return { errors: errors.join('\n'), loudestDb: Number(loudest ?? Number.NEGATIVE_INFINITY), ...readListing(stdout) };
}

/**
 * Parses the lines `#codec_id 0: h264` and `0, dts, pts, duration, size, checksum`; video is stream 0, audio is stream
 * 1.
 */
function readListing(listing: string): Pick<DecodedMedia, 'codecs' | 'packets'> {
  const kinds = ['video', 'audio'] as const;
  const codecs = [...listing.matchAll(/^#codec_id (\d): (\w+)/gm)].map(([, stream, codec]) => [
    kinds[Number(stream)],
    codec,
  ]);
  const packets = [...listing.matchAll(/^(\d), +(-?\d+),/gm)].map(([, stream, dts]) => ({
    kind: kinds[Number(stream)]!,
    dts: Number(dts),
  }));
  return { codecs: Object.fromEntries(codecs), packets };
}

/** Packets of one track in the order received. */
export function packetsOf({ packets }: Probe, kind: 'video' | 'audio'): ProbedPacket[] {
  return packets.filter((packet) => packet.codec_type === kind);
}

export function streamOf({ streams }: Probe, kind: 'video' | 'audio'): ProbedStream {
  const stream = streams.find(({ codec_type }) => codec_type === kind);
  if (!stream) throw new Error(`no ${kind} stream among ${JSON.stringify(streams)}`);
  return stream;
}

/** Whether the decode times always increase. */
export function isMonotonic(packets: readonly ProbedPacket[]): boolean {
  return packets.every(
    (packet, index) => index === 0 || Number(packet.dts_time) > Number(packets[index - 1]!.dts_time),
  );
}

/** Mean brightness of the first frame of an address, 0 to 255. */
export async function firstBrightness(url: string): Promise<number> {
  const pixel = ['-frames:v', '1', '-vf', 'scale=1:1,format=gray', '-f', 'rawvideo', '-'];
  const options = { encoding: 'buffer' } as const;
  const { stdout } = await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', url, '-an', ...pixel], options);
  return stdout[0]!;
}

/** Frame sizes in a file (`WxH`), in order of appearance. */
export async function decodedSizes(file: string): Promise<Set<string>> {
  const show = ['-select_streams', 'v', '-show_entries', 'frame=width,height', '-of', 'csv=p=0:s=x'];
  const { stdout } = await run('ffprobe', ['-loglevel', 'error', ...show, file], { maxBuffer: maxOutputBytes });
  return new Set(stdout.match(/\d+x\d+/g));
}
