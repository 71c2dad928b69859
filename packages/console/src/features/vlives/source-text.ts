// Metadata of a source as text, with the units of the product: MB, seconds, Kbps, Hz. Pure.
import type { MediaSource } from '@srs-stack/contract';
import { audioCodecName, codecName } from '../../players/codec-name.ts';

export interface SourceText {
  format: string[];
  video: string[];
  audio: string[];
}

/** Omits unknown values. */
export function sourceText({ size, format, video, audio }: MediaSource, locale: string): SourceText {
  const number = (value: number, digits: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const seconds = Number(format?.duration ?? '');
  const bits = Number(format?.bit_rate ?? '');
  return {
    format: present([
      size > 0 && `${number(size / 1024 ** 2, 1)} MB`,
      seconds > 0 && `${number(seconds, 1)} s`,
      bits > 0 && `${number(bits / 1000, 0)} Kbps`,
    ]),
    video: video
      ? present([codecName(video.codec_name), video.profile, video.width > 0 && `${video.width}×${video.height}`])
      : [],
    audio: audio
      ? present([
          audioCodecName({ codec: audio.codec_name, profile: audio.profile }),
          audio.sample_rate !== '' && `${audio.sample_rate} Hz`,
          audio.channels > 0 && `${audio.channels} ch`,
        ])
      : [],
  };
}

/** Formats the total size of the files in MB with one decimal. */
export function totalMegabytes(files: readonly { size: number }[], locale: string): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (bytes / 1024 ** 2).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function present(values: readonly (string | false)[]): string[] {
  return values.filter((value): value is string => value !== false && value !== '');
}
