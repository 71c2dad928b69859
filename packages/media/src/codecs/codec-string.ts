// Codec strings (RFC 6381) for `CODECS` attributes and media types. Players use these strings to find out whether they can decode a stream.
import type { Track } from '../track.ts';
import { parseAacConfig } from './aac.ts';

/**
 * E.g. `avc1.64001f`, `hvc1.1.6.L93.90`, `av01.0.04M.08`, `mp4a.40.2`, `opus`. Undefined for other codecs, and when the configuration does
 * not contain the values.
 */
export function codecString({ codec, config }: Track): string | undefined {
  if (codec === 'h264') return config.length < 4 ? undefined : `avc1.${config.toString('hex', 1, 4)}`;
  if (codec === 'h265') return config.length < 13 ? undefined : hevcString(config);
  if (codec === 'av1') return config.length < 3 ? undefined : av1String(config);
  if (codec === 'aac') return aacString(config);
  return codec === 'opus' ? 'opus' : undefined;
}

/** ISO/IEC 14496-15 Annex E: profile, compatibility flags in reverse bit order, tier and level, constraint bytes. */
function hevcString(config: Buffer): string {
  const space = ['', 'A', 'B', 'C'][config[1]! >> 6];
  const compatibility = reversedBits(config.readUInt32BE(2)).toString(16);
  const tier = config[1]! & 0x20 ? 'H' : 'L';
  const constraints = [...config.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const rest = constraints.map((byte) => `.${byte.toString(16)}`).join('');
  return `hvc1.${space}${config[1]! & 0x1f}.${compatibility}.${tier}${config[12]}${rest}`;
}

function reversedBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) reversed = reversed * 2 + ((value >>> bit) & 1);
  return reversed;
}

/** AV1-ISOBMFF §5: profile, level and tier, bit depth. */
function av1String(config: Buffer): string {
  const level = String(config[1]! & 0x1f).padStart(2, '0');
  const [tier, isHigh, isTwelve] = [config[2]! & 0x80, config[2]! & 0x40, config[2]! & 0x20];
  return `av01.${config[1]! >> 5}.${level}${tier ? 'H' : 'M'}.${isHigh ? (isTwelve ? '12' : '10') : '08'}`;
}

/** Includes explicitly signalled SBR and PS, because the decoder must support them. */
function aacString(config: Buffer): string | undefined {
  const aac = parseAacConfig(config);
  return aac && `mp4a.40.${aac.ps ? 29 : aac.sbr ? 5 : aac.objectType}`;
}
