// FFmpeg arguments for a virtual live stream: a file, a playlist or a remote stream. Media that the target accepts is copied.
import type { MediaVideo } from '@srs-stack/contract';
import {
  fileFormats,
  fileInputArgs,
  networkInputArgs,
  outputArgs,
  type PushOutput,
  pictureBound,
  schemeOf,
} from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

export type VliveInput =
  /** Path of a file in the data folder. */
  | { readonly kind: 'file'; readonly path: string }
  /** Path of a concat list from `concatList`. */
  | { readonly kind: 'playlist'; readonly path: string }
  /** `isLive`: the source sets its own pace and cannot be repeated. */
  | { readonly kind: 'stream'; readonly url: string; readonly isLive: boolean };

/** What must be re-encoded. `size`: common size for videos of different sizes. */
export interface VliveEncoding {
  readonly video: boolean;
  readonly audio: boolean;
  readonly size?: { readonly width: number; readonly height: number };
}

export interface VliveArgs {
  readonly input: VliveInput;
  readonly encoding: VliveEncoding;
  readonly output: string | PushOutput;
}

/** Maximum width of encoded video without a common `size`, pixels. */
const maxEncodedWidth = 1_920;

export function vliveArgs({ input, encoding, output }: VliveArgs): string[] {
  return [
    ...baseArgs,
    ...inputArgs(input),
    // Excludes cover images, subtitles and data tracks.
    ...['-map', '0:V:0?', '-map', '0:a:0?'],
    ...(encoding.video ? videoEncoder(encoding.size) : ['-c:v', 'copy']),
    ...(encoding.audio ? ['-c:a', 'aac', '-b:a', '128k', '-ar', '44100', '-ac', '2'] : ['-c:a', 'copy']),
    ...outputArgs(output),
  ];
}

const loop: readonly string[] = ['-stream_loop', '-1', '-re'];

function inputArgs(input: VliveInput): string[] {
  if (input.kind === 'file') return [...loop, ...fileInputArgs, '-i', `file:${input.path}`];
  if (input.kind === 'playlist') {
    const formats = ['-protocol_whitelist', 'file', '-format_whitelist', `concat,${fileFormats}`];
    return [...loop, ...formats, ...pictureBound, '-f', 'concat', '-i', `file:${input.path}`];
  }
  const pace = input.isLive ? ['-analyzeduration', liveAnalyzeUs] : loop;
  return [...pace, ...networkInputArgs(input.url), '-i', input.url];
}

/** Keyframes every 2 s and no B-frames: live platforms require both. */
function videoEncoder(size: VliveEncoding['size']): string[] {
  const fit = size
    ? `scale=${size.width}:${size.height}:force_original_aspect_ratio=decrease,pad=${size.width}:${size.height}:(ow-iw)/2:(oh-ih)/2,setsar=1`
    : `scale='trunc(min(${maxEncodedWidth},iw)/2)*2':-2`;
  return [
    ...['-vf', fit, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-pix_fmt', 'yuv420p'],
    ...[
      '-crf',
      '23',
      '-maxrate',
      '4000k',
      '-bufsize',
      '8000k',
      '-bf',
      '0',
      '-force_key_frames',
      'expr:gte(t,n_forced*2)',
    ],
  ];
}

/** Codecs that are copied into each container. Other codecs are encoded to H.264 or AAC. */
const containerCodecs = {
  flv: { video: ['h264'], audio: ['aac', 'mp3'] },
  mpegts: { video: ['h264', 'hevc', 'mpeg2video'], audio: ['aac', 'mp3', 'mp2', 'ac3'] },
} as const;
/** Sample rates of MP3 in FLV, Hz. */
const flvMp3Rates = ['44100', '22050', '11025'];

export interface SourceCodecs {
  readonly video: { readonly codec_name: string; readonly encodes?: MediaVideo['encodes'] } | null;
  readonly audio: { readonly codec_name: string; readonly sample_rate: string } | null;
}

/** The tracks that the target does not accept unchanged. */
export function neededEncoding({ video, audio }: SourceCodecs, output: string): VliveEncoding {
  const container = schemeOf(output) === 'srt' ? 'mpegts' : 'flv';
  const accepts = (kind: 'video' | 'audio', name: string) =>
    (containerCodecs[container][kind] as readonly string[]).includes(name);
  const oddMp3 = container === 'flv' && audio?.codec_name === 'mp3' && !flvMp3Rates.includes(audio.sample_rate);
  return {
    video: video !== null && (!accepts('video', video.codec_name) || (video.encodes ?? '') !== ''),
    audio: audio !== null && (oddMp3 || !accepts('audio', audio.codec_name)),
  };
}

/** Generated names contain no folder and no quote, so a concat list needs no escaping. */
const plainName = /^[\w-]+\.[a-z0-9]+$/i;

/** List for FFmpeg's concat demuxer, placed beside the files. Throws for a name that was not generated. */
export function concatList(names: readonly string[]): string {
  const unexpected = names.find((name) => !plainName.test(name));
  if (unexpected !== undefined) throw new Error('a file of the playlist has a name that this server did not generate');
  return ['ffconcat version 1.0', ...names.map((name) => `file ${name}`), ''].join('\n');
}
