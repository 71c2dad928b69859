// The shape of a stream as its slate needs it, and the arguments of the FFmpeg that makes the slate. Pure.
import type { MediaServerStream } from '../../media-server/media-server.ts';

/** A slate repeats after so long, seconds: one GOP, as platforms ask for. */
export const slateSeconds = 2;
/** Rates that encoders have; a measured one is rounded to the nearest. */
const frameRates = ['10', '15', '20', '24000/1001', '24', '25', '30000/1001', '30', '48', '50', '60000/1001', '60'];
/** Where the source has not been measured yet. */
const defaultFrameRate = '25';
/** Quality of x264 and x265 for a still image: nothing to see of the encoding. */
const constantQuality = '20';
/** Silence costs next to nothing at any rate, bit/s. */
const audioBitrate = '96k';
const background = '0x14161c';

export interface SlateShape {
  readonly video: VideoShape | undefined;
  readonly audio: AudioShape | undefined;
}

interface VideoShape {
  readonly codec: 'h264' | 'hevc';
  readonly width: number;
  readonly height: number;
  readonly profile: string;
  readonly level: string;
  readonly frameRate: string;
}

interface AudioShape {
  readonly codec: 'aac' | 'opus' | 'mp3';
  readonly sampleRate: number;
  readonly channels: number;
}

const videoCodecs: Readonly<Record<string, VideoShape['codec']>> = { h264: 'h264', hevc: 'hevc', h265: 'hevc' };
const audioCodecs: Readonly<Record<string, AudioShape['codec']>> = { aac: 'aac', opus: 'opus', mp3: 'mp3' };
/** By number of channels; others are mixed from stereo. */
const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };
const h264Profiles: Readonly<Record<string, string>> = { baseline: 'baseline', main: 'main', high: 'high' };

/** Undefined when no slate can be created for one of its codecs; `unknown` while its media are not known yet. */
export function shapeOf({ video, audio, details }: MediaServerStream): SlateShape | 'unknown' | undefined {
  if (!details?.hasMedia || (!video && !audio) || (video && video.width === 0)) return 'unknown';
  const videoCodec = video && videoCodecs[video.codec.toLowerCase()];
  const audioCodec = audio && audioCodecs[audio.codec.toLowerCase()];
  if ((video && !videoCodec) || (audio && !audioCodec)) return undefined;
  return {
    video:
      video && videoCodec
        ? {
            ...{ ...video, codec: videoCodec },
            frameRate: nearestRate(details.fps || details.health?.declaredFps || 0),
          }
        : undefined,
    audio:
      audio && audioCodec ? { codec: audioCodec, sampleRate: audio.sampleRate, channels: audio.channels } : undefined,
  };
}

/** Equal for streams that can have the same slate; the measured frame rate is not part of it. */
export function shapeKey({ video, audio }: SlateShape): string {
  const picture = video && [video.codec, video.width, video.height, video.profile, video.level].join('-');
  return `${picture ?? ''}|${audio ? [audio.codec, audio.sampleRate, audio.channels].join('-') : ''}`;
}

/** @param image absolute path of a JPEG; undefined: a dark screen. */
export function slateArgs({ video, audio }: SlateShape, image: string | undefined, output: string): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-progress', 'pipe:1', '-stats_period', '0.2'],
    ...(video ? videoInput(video, image) : []),
    ...(audio ? audioInput(audio) : []),
    ...['-t', String(slateSeconds)],
    ...(video ? videoOutput(video) : []),
    ...(audio ? audioOutput(audio, video ? 1 : 0) : []),
    ...['-f', 'mpegts', `file:${output}`],
  ];
}

function videoInput({ width, height, frameRate }: VideoShape, image: string | undefined): string[] {
  if (!image) return ['-f', 'lavfi', '-i', `color=c=${background}:s=${width}x${height}:r=${frameRate}`];
  return ['-protocol_whitelist', 'file', '-f', 'image2', '-loop', '1', '-framerate', frameRate, '-i', `file:${image}`];
}

function audioInput({ sampleRate, channels }: AudioShape): string[] {
  return ['-f', 'lavfi', '-i', `anullsrc=r=${sampleRate}:cl=${layouts[channels] ?? 'stereo'}`];
}

function videoOutput({ codec, width, height, profile, level, frameRate }: VideoShape): string[] {
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  const pad = `pad=${width}:${height}:-1:-1:color=${background}`;
  const frames = Math.round(slateSeconds * rateOf(frameRate));
  const gop = ['-g', String(frames), '-r', frameRate];
  const encoder =
    codec === 'h264'
      ? [
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'stillimage', '-bf', '0', '-sc_threshold', '0'],
          ...['-profile:v', h264Profiles[profile.toLowerCase()] ?? 'high', ...(level ? ['-level:v', level] : [])],
        ]
      : ['-c:v', 'libx265', '-preset', 'veryfast', '-x265-params', 'log-level=error:bframes=0:scenecut=0:open-gop=0'];
  return ['-map', '0:v', '-vf', `${fit},${pad},setsar=1,format=yuv420p`, ...gop, ...encoder, '-crf', constantQuality];
}

function audioOutput({ codec, sampleRate, channels }: AudioShape, input: number): string[] {
  const encoder = { aac: 'aac', opus: 'libopus', mp3: 'libmp3lame' }[codec];
  return ['-map', `${input}:a`, '-c:a', encoder, '-b:a', audioBitrate, '-ar', `${sampleRate}`, '-ac', `${channels}`];
}

function nearestRate(fps: number): string {
  if (fps <= 0) return defaultFrameRate;
  const distance = (rate: string) => Math.abs(rateOf(rate) - fps);
  return frameRates.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best));
}

function rateOf(rate: string): number {
  const [numerator, denominator = '1'] = rate.split('/');
  return Number(numerator) / Number(denominator);
}
