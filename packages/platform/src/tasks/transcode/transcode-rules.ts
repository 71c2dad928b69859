// Validates the settings of the transcoder. An error names the field and the violated rule.
import {
  AppError,
  because,
  type ReasonNames,
  type RefusalDetail,
  type TranscodeConfig,
  type TranscodePicture,
  transcodePictureRules,
  transcodeRules,
} from '@srs-stack/contract';
import { checkPush } from '../push/push-targets.ts';

/** Throws `invalidRequest` ("Invalid <field> ..., should be ...") or `addressRefused`. */
export function checkTranscode(config: TranscodeConfig): void {
  checkRange('vbitrate', config.vbitrate, transcodeRules.vbitrate, 'kbps');
  checkRange('abitrate', config.abitrate, transcodeRules.abitrate, 'kbps');
  checkChoice('vcodec', config.vcodec, transcodeRules.vcodec);
  checkChoice('vprofile', config.vprofile, transcodeRules.vprofile);
  checkChoice('vpreset', config.vpreset, transcodeRules.vpreset);
  checkChoice('acodec', config.acodec, transcodeRules.acodec);
  checkChoice('achannels', config.achannels, transcodeRules.achannels);
  if (config.server === '') throw new AppError('invalidRequest', because('transcode.server'));
  if (config.secret === '') throw new AppError('invalidRequest', because('transcode.key'));
  if (config.picture) checkPicture(config.picture);
  checkPush(config);
}

/**
 * Checks settings that are saved while transcoding is off. Accepts zeros, because older clients send zeros for missing settings. Throws
 * like `checkTranscode` for values above the limits.
 */
export function checkSwitchedOff({ vbitrate, abitrate, achannels, picture }: TranscodeConfig): void {
  const upTo = ({ max }: { max: number }) => ({ min: 0, max });
  checkRange('vbitrate', vbitrate, upTo(transcodeRules.vbitrate), 'kbps');
  checkRange('abitrate', abitrate, upTo(transcodeRules.abitrate), 'kbps');
  checkChoice('achannels', achannels, transcodeRules.achannels);
  if (!picture) return;
  const rules = transcodePictureRules;
  checkRange('height', picture.height, upTo(rules.height), 'rows');
  checkRange('fps', picture.fps, upTo(rules.fps), 'fps');
  checkRange('keyframeSeconds', picture.keyframeSeconds, upTo(rules.keyframeSeconds), 'seconds');
  if (!picture.watermark) return;
  checkRange('marginPercent', picture.watermark.marginPercent, upTo(rules.marginPercent), 'percent');
  checkRange('widthPercent', picture.watermark.widthPercent, upTo(rules.widthPercent), 'percent');
  checkRange('opacityPercent', picture.watermark.opacityPercent, upTo(rules.opacityPercent), 'percent');
}

function checkPicture({ height, fps, keyframeSeconds, watermark }: TranscodePicture): void {
  const rules = transcodePictureRules;
  if (height !== 0) checkRange('height', height, rules.height, 'rows');
  if (height % 2 !== 0) throw new AppError('invalidRequest', because('transcode.even', { height }));
  if (fps !== 0) checkRange('fps', fps, rules.fps, 'fps');
  checkRange('keyframeSeconds', keyframeSeconds, rules.keyframeSeconds, 'seconds');
  if (!watermark) return;
  checkRange('marginPercent', watermark.marginPercent, rules.marginPercent, 'percent');
  checkRange('widthPercent', watermark.widthPercent, rules.widthPercent, 'percent');
  checkRange('opacityPercent', watermark.opacityPercent, rules.opacityPercent, 'percent');
}

type Field = ReasonNames<'transcode.field'>;
type Unit = ReasonNames<'transcode.unit'>;

function checkRange(field: Field, value: number, { min, max }: { min: number; max: number }, unit: Unit): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new AppError(
    'invalidRequest',
    because('transcode.range', { field: nameOf(field), value, min, max, unit: because(`transcode.unit.${unit}`) }),
  );
}

function checkChoice<T extends string | number>(field: Field, value: T, choices: readonly T[]): void {
  if (choices.includes(value)) return;
  throw new AppError(
    'invalidRequest',
    because('transcode.choice', { field: nameOf(field), value, choices: choices.join(', ') }),
  );
}

function nameOf(field: Field): RefusalDetail {
  return because(`transcode.field.${field}`);
}
