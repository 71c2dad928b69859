// The format that the slate of a stream must have: codecs, frame size, rates and channels. Pure.
import type { MediaServerStream } from '../../media-server/media-server.ts';
import type { FrameSize } from './slate-text.ts';

/** Common frame rates. A measured frame rate is rounded to one of these values. */
const frameRates = ['10', '15', '20', '24000/1001', '24', '25', '30000/1001', '30', '48', '50', '60000/1001', '60'];
/** Used until the frame rate of the source is measured. */
export const defaultFrameRate = '25';

export interface SlateShape {
  readonly video: VideoShape | undefined;
  readonly audio: AudioShape | undefined;
}

export interface VideoShape extends FrameSize {
  readonly codec: 'h264' | 'hevc';
  readonly profile: string;
  /** Level of the video codec; '' lets the encoder choose. */
  readonly level: string;
  readonly frameRate: string;
}

export interface AudioShape {
  readonly codec: 'aac' | 'opus' | 'mp3';
  readonly sampleRate: number;
  readonly channels: number;
}

const videoCodecs: Readonly<Record<string, VideoShape['codec']>> = { h264: 'h264', hevc: 'hevc', h265: 'hevc' };
const audioCodecs: Readonly<Record<string, AudioShape['codec']>> = { aac: 'aac', opus: 'opus', mp3: 'mp3' };

/** The format of a stream. Undefined if a codec is not supported by slates; `unknown` until the tracks are known. */
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

/** Format of a stream that starts with its slate: H.264 and AAC stereo, as most encoders send. */
export function startShape(chosen: FrameSize & { readonly fps: number; readonly sampleRate: number }): SlateShape {
  const { width, height, fps, sampleRate } = chosen;
  return {
    video: { codec: 'h264', width, height, profile: 'high', level: '', frameRate: String(fps) },
    audio: { codec: 'aac', sampleRate, channels: 2 },
  };
}

/** Key of a format. Streams with equal keys can share a slate. A measured frame rate is not a part of the key. */
export function shapeKey({ video, audio }: SlateShape): string {
  const videoParts = video && [video.codec, video.width, video.height, video.profile, video.level, ...startRate(video)];
  const audioParts = audio && [audio.codec, audio.sampleRate, audio.channels];
  return `${videoParts?.join('-') ?? ''}|${audioParts?.join('-') ?? ''}`;
}

/** Frame rate that the operator chose for a started stream. Empty for a source, because its frame rate is measured. */
function startRate({ level, frameRate }: VideoShape): string[] {
  return level === '' ? [frameRate] : [];
}

function nearestRate(fps: number): string {
  if (fps <= 0) return defaultFrameRate;
  const distance = (rate: string) => Math.abs(rateOf(rate) - fps);
  return frameRates.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best));
}

/** Converts a frame rate to a number. */
export function rateOf(rate: string): number {
  const [numerator, denominator = '1'] = rate.split('/');
  return Number(numerator) / Number(denominator);
}
