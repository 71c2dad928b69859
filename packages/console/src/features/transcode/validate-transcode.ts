import type { TranscodeConfig, TranscodePicture } from '@srs-stack/contract';
import { transcodeDefaults, transcodeRules } from '@srs-stack/contract/constants.ts';
import { transcodePictureDefaults } from '@srs-stack/contract/values/transcode-picture.ts';

/** Form values: bitrates and channels are '' until typed. */
export interface TranscodeFields extends Omit<TranscodeConfig, 'all' | 'vbitrate' | 'abitrate' | 'achannels'> {
  vbitrate: number | '';
  abitrate: number | '';
  achannels: number | '';
}
/** Validated fields. The video options offer only valid values and need no validation. */
export type TranscodeField = Exclude<keyof TranscodeFields, 'picture'>;

const ranges = ['vbitrate', 'abitrate'] as const;
const choices = ['vcodec', 'vprofile', 'vpreset', 'acodec'] as const;
const order = [
  'vbitrate',
  'abitrate',
  'vcodec',
  'vprofile',
  'vpreset',
  'acodec',
  'achannels',
  'server',
  'secret',
] as const satisfies readonly TranscodeField[];

/** Returns the first invalid field. */
export function validateTranscode(fields: TranscodeFields): TranscodeField | undefined {
  return order.find((field) => !isGood(field, fields));
}

function isGood(field: TranscodeField, fields: TranscodeFields): boolean {
  const value = fields[field];
  if (isOneOf(ranges, field)) {
    const { min, max } = transcodeRules[field];
    return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  }
  if (isOneOf(choices, field)) return isOneOf(transcodeRules[field], value);
  if (field === 'achannels') return isOneOf(transcodeRules.achannels, value);
  return String(value).trim() !== '';
}

function isOneOf<T>(list: readonly T[], value: unknown): value is T {
  return list.some((entry) => entry === value);
}

/** Form values: the saved settings, or defaults that publish to this server. */
export function transcodeFields(saved: TranscodeConfig, own: { server: string; secret: string }): TranscodeFields {
  const { all: _all, ...config } = saved;
  return saved.vcodec === '' ? { ...transcodeDefaults, ...own } : config;
}

/** Converts valid form values to the settings to save. */
export function toTranscodeConfig({ picture, ...fields }: TranscodeFields, all: boolean): TranscodeConfig {
  return {
    ...fields,
    ...(picture && !isUsual(picture) ? { picture } : {}),
    all,
    vbitrate: Number(fields.vbitrate),
    abitrate: Number(fields.abitrate),
    achannels: Number(fields.achannels),
    server: fields.server.trim(),
    secret: fields.secret.trim(),
  };
}

/** Whether all values are defaults. Defaults are not stored, because missing values mean the defaults. */
function isUsual({ height, fps, keyframeSeconds, watermark }: TranscodePicture): boolean {
  const usual = transcodePictureDefaults;
  const isSame = height === usual.height && fps === usual.fps && keyframeSeconds === usual.keyframeSeconds;
  return isSame && watermark === null;
}
