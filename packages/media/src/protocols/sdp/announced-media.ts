// Parses an encoder's session description (RFC 8866): payload format and track of each media section.
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { h264NalType, h264TypeOf } from '../../codecs/h264.ts';
import { writeH264Config } from '../../codecs/h264-config.ts';
import { writeH265Config } from '../../codecs/h265-config.ts';
import { writeOpusConfig } from '../../codecs/opus.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import { ProtocolError } from '../../protocol-error.ts';
import type { AudioTrack, VideoTrack } from '../../track.ts';
import type { AuHeaderFormat } from '../rtp/audio-payloads.ts';
import { attributeValues, splitSdp } from './sdp-lines.ts';

interface AnnouncedBase {
  /** `a=control` of the section; '' for none. */
  readonly control: string;
  readonly payloadType: number;
  /** Ticks per second. */
  readonly clockRate: number;
}

type AnnouncedVideoCodec = 'h264' | 'h265' | 'av1';

const videoCodecs: ReadonlyMap<string, AnnouncedVideoCodec> = new Map([
  ['h264', 'h264'],
  ['h265', 'h265'],
  ['hevc', 'h265'],
  ['av1', 'av1'],
]);

export type AnnouncedMedia = AnnouncedBase &
  (
    | { readonly kind: 'video'; readonly codec: AnnouncedVideoCodec; readonly track: VideoTrack | undefined }
    | { readonly kind: 'audio'; readonly track: AudioTrack; readonly auHeader: AuHeaderFormat | undefined }
    | { readonly kind: 'unsupported'; readonly name: string; readonly isVideo: boolean }
  );

/** Payload types that need no rtpmap (RFC 3551 §6). */
const staticTypes: Readonly<Record<string, string>> = {
  0: 'PCMU/8000',
  8: 'PCMA/8000',
  14: 'MPA/90000',
  26: 'JPEG/90000',
  32: 'MPV/90000',
};
/** Longest format parameter that is decoded, characters: parameter sets have some hundred bytes. */
const maxParameterLength = 16_384;

/** Returns the audio and video sections in order. Throws ProtocolError for an invalid description. */
export function parseAnnouncedMedia(text: string): AnnouncedMedia[] {
  const lines = splitSdp(text.replace(/^\s+/, ''));
  return lines.sections.map(parseSection).filter((media) => media !== undefined);
}

function parseSection(lines: readonly string[]): AnnouncedMedia | undefined {
  const [kind = '', , , type = ''] = lines[0]!.slice(2).trim().split(/\s+/);
  if (kind !== 'video' && kind !== 'audio') return undefined;
  if (!/^\d{1,3}$/.test(type)) throw new ProtocolError('sdp', 'a media section has no payload type');
  const map = attributeValues(lines, 'rtpmap').find((value) => value.split(/\s+/)[0] === type);
  const [name = '', rate = '', channels = ''] = (map?.trim().split(/\s+/)[1] ?? staticTypes[type] ?? '').split('/');
  const clockRate = Number(rate) || 90_000;
  const control = attributeValues(lines, 'control')[0]?.trim() ?? '';
  const base = { control, payloadType: Number(type), clockRate };
  const parameters = formatParameters(lines, type);
  const media =
    kind === 'video'
      ? videoOf(name, parameters)
      : audioOf(name, parameters, { sampleRate: clockRate, channels: Number(channels) || 1 });
  return {
    ...base,
    ...(media ?? { kind: 'unsupported', name: name || `payload type ${type}`, isVideo: kind === 'video' }),
  };
}

function formatParameters(lines: readonly string[], type: string): ReadonlyMap<string, string> {
  const text = attributeValues(lines, 'fmtp').find((value) => value.trim().split(/\s+/)[0] === type) ?? '';
  const fields = text.trim().slice(type.length).slice(0, maxParameterLength).split(';');
  return new Map(
    fields.map((field): [string, string] => {
      const at = field.indexOf('=');
      return at < 0
        ? [field.trim().toLowerCase(), '']
        : [field.slice(0, at).trim().toLowerCase(), field.slice(at + 1).trim()];
    }),
  );
}

function videoOf(name: string, parameters: ReadonlyMap<string, string>) {
  const codec = videoCodecs.get(name.toLowerCase());
  return codec && { kind: 'video' as const, codec, track: announcedTrack(codec, parameters) };
}

/** Undefined when the configuration is only in the stream, as always for AV1. */
function announcedTrack(codec: AnnouncedVideoCodec, parameters: ReadonlyMap<string, string>): VideoTrack | undefined {
  if (codec === 'av1') return undefined;
  return codec === 'h264' ? h264Track(parameters) : h265Track(parameters);
}

/** Undefined when the parameter sets are only in the stream. */
function h264Track(parameters: ReadonlyMap<string, string>): VideoTrack | undefined {
  const units = unitsOf(parameters.get('sprop-parameter-sets'));
  const sps = units.filter((unit) => h264TypeOf(unit) === h264NalType.sps && unit.length >= 4).slice(0, 16);
  const pps = units.filter((unit) => h264TypeOf(unit) === h264NalType.pps).slice(0, 16);
  return sps.length > 0 && pps.length > 0 ? videoTrackFromConfig('h264', writeH264Config(sps, pps)) : undefined;
}

function h265Track(parameters: ReadonlyMap<string, string>): VideoTrack | undefined {
  const units = ['sprop-vps', 'sprop-sps', 'sprop-pps'].map((name) => unitsOf(parameters.get(name)));
  const config = units.every((sets) => sets.length > 0) ? writeH265Config(units.flat().slice(0, 48)) : undefined;
  return config && videoTrackFromConfig('h265', config);
}

function unitsOf(text = ''): Buffer[] {
  return text
    .split(',')
    .map((unit) => Buffer.from(unit, 'base64'))
    .filter((unit) => unit.length > 0);
}

interface AudioShape {
  readonly sampleRate: number;
  readonly channels: number;
}

function audioOf(name: string, parameters: ReadonlyMap<string, string>, shape: AudioShape) {
  const made = (track: AudioTrack, auHeader?: AuHeaderFormat) => ({ kind: 'audio' as const, track, auHeader });
  const none = Buffer.alloc(0);
  switch (name.toLowerCase()) {
    case 'mpeg4-generic':
      return aacOf(parameters, made);
    case 'opus':
      return made(audioTrackFromConfig('opus', writeOpusConfig(2), { sampleRate: 48_000, channels: 2 }));
    case 'mpa':
      return made(audioTrackFromConfig('mp3', none, { sampleRate: 0, channels: 0 }));
    case 'pcma':
    case 'pcmu':
      return made(audioTrackFromConfig(name.toLowerCase() as 'pcma' | 'pcmu', none, shape));
    default:
      return undefined;
  }
}

function aacOf<Made>(
  parameters: ReadonlyMap<string, string>,
  made: (track: AudioTrack, auHeader: AuHeaderFormat) => Made,
): Made | undefined {
  const config = Buffer.from(parameters.get('config') ?? '', 'hex');
  if (config.length < 2) return undefined;
  const bits = (name: string): number => Math.min(32, Number(parameters.get(name)) || 0);
  const auHeader = {
    sizeBits: bits('sizelength'),
    indexBits: bits('indexlength'),
    indexDeltaBits: bits('indexdeltalength'),
  };
  return auHeader.sizeBits === 0 ? undefined : made(audioTrackFromConfig('aac', config), auHeader);
}
