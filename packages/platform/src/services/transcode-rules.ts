// What settings of the transcoder must be like before it runs with them; every refusal names the field and its rule.
import {
  AppError,
  type TranscodeConfig,
  type TranscodePicture,
  transcodePictureRules,
  transcodeRules,
} from '@srs-stack/contract';
import { joinAddress } from '../workers/ffmpeg-args/address.ts';
import { checkAddress, pushSchemes } from './address-rule.ts';

/** Throws `invalidRequest`: "Invalid <field> ..., should be ...". */
export function checkTranscode(config: TranscodeConfig): void {
  checkRange('vbitrate', config.vbitrate, transcodeRules.vbitrate, 'Kbps');
  checkRange('abitrate', config.abitrate, transcodeRules.abitrate, 'Kbps');
  checkChoice('vcodec', config.vcodec, transcodeRules.vcodec);
  checkChoice('vprofile', config.vprofile, transcodeRules.vprofile);
  checkChoice('vpreset', config.vpreset, transcodeRules.vpreset);
  checkChoice('acodec', config.acodec, transcodeRules.acodec);
  checkChoice('achannels', config.achannels, transcodeRules.achannels);
  if (config.server === '')
    throw new AppError('invalidRequest', 'Invalid server, should be the address of a streaming server');
  if (config.secret === '') throw new AppError('invalidRequest', 'Invalid key, should be a stream name');
  if (config.picture) checkPicture(config.picture);
  checkAddress(joinAddress(config.server, config.secret), pushSchemes);
}

function checkPicture({ height, fps, keyframeSeconds, watermark }: TranscodePicture): void {
  const rules = transcodePictureRules;
  if (height !== 0) checkRange('height', height, rules.height, 'rows');
  if (height % 2 !== 0) throw new AppError('invalidRequest', `Invalid height ${height}, should be an even number`);
  if (fps !== 0) checkRange('fps', fps, rules.fps, 'frames per second');
  checkRange('keyframeSeconds', keyframeSeconds, rules.keyframeSeconds, 'seconds');
  if (!watermark) return;
  checkRange('marginPercent', watermark.marginPercent, rules.marginPercent, 'percent');
  checkRange('widthPercent', watermark.widthPercent, rules.widthPercent, 'percent');
  checkRange('opacityPercent', watermark.opacityPercent, rules.opacityPercent, 'percent');
}

function checkRange(field: string, value: number, { min, max }: { min: number; max: number }, unit: string): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new AppError('invalidRequest', `Invalid ${field} ${value}, should be ${min} to ${max} ${unit}`);
}

function checkChoice<T>(field: string, value: T, choices: readonly T[]): void {
  if (choices.includes(value)) return;
  throw new AppError('invalidRequest', `Invalid ${field} ${value}, should be ${choices.join(', ')}`);
}
