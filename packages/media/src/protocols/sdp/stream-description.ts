// Writes session descriptions for RTSP (RFC 8866). Each track has one media section. It contains the codec configuration, except for AV1.
import { parseH264Config } from '../../codecs/h264-config.ts';
import { h265NalType, h265TypeOf } from '../../codecs/h265.ts';
import { parameterSetsOf } from '../../codecs/parameter-sets.ts';
import type { AudioTrack, Track, VideoTrack } from '../../track.ts';
import { rtpClockRate, rtpPayloadType } from '../rtp/rtp-track-writer.ts';

export interface DescribedStream {
  /** Shown by players; any text. */
  readonly name: string;
  /** Video always has the control URL `trackID=0`, and audio `trackID=1`. */
  readonly tracks: readonly Track[];
}

/** Number of a track in control URLs. */
export const trackNumber = { video: 0, audio: 1 } as const;

/** The caller must omit tracks without a supported RTP payload format. */
export function writeStreamDescription({ name, tracks }: DescribedStream): string {
  const lines = [
    'v=0',
    'o=- 0 0 IN IP4 0.0.0.0',
    `s=${name.replace(/[\r\n]+/g, ' ') || ' '}`,
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'a=range:npt=now-',
    'a=control:*',
    ...tracks.flatMap((track) => [
      ...(track.kind === 'video' ? videoSection(track) : audioSection(track)),
      `a=control:trackID=${trackNumber[track.kind]}`,
    ]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function videoSection(track: VideoTrack): string[] {
  const type = rtpPayloadType(track);
  const { name, parameters } = formatOf(track);
  return [`m=video 0 RTP/AVP ${type}`, `a=rtpmap:${type} ${name}/90000`, `a=fmtp:${type} ${parameters}`];
}

function formatOf(track: VideoTrack): { name: string; parameters: string } {
  if (track.codec === 'h264') return { name: 'H264', parameters: h264Parameters(track) };
  if (track.codec === 'h265') return { name: 'H265', parameters: h265Parameters(track) };
  return { name: 'AV1', parameters: av1Parameters(track) };
}

/** RTP Payload Format for AV1 1.0, §7.2.3. */
function av1Parameters({ config }: VideoTrack): string {
  const [, profileAndLevel = 0, tierAndFormat = 0] = config;
  return `profile=${profileAndLevel >> 5};level-idx=${profileAndLevel & 0x1f};tier=${tierAndFormat >> 7}`;
}

function h264Parameters({ config }: VideoTrack): string {
  const record = parseH264Config(config);
  if (!record) return 'packetization-mode=1';
  const sets = [...record.sps, ...record.pps].map((unit) => unit.toString('base64')).join(',');
  const level = record.sps[0]?.toString('hex', 1, 4) ?? '';
  return `packetization-mode=1;profile-level-id=${level.toUpperCase()};sprop-parameter-sets=${sets}`;
}

function h265Parameters({ config }: VideoTrack): string {
  const sets = parameterSetsOf('h265', config) ?? [];
  const ofType = (type: number): string =>
    sets
      .filter((unit) => h265TypeOf(unit) === type)
      .map((unit) => unit.toString('base64'))
      .join(',');
  const { vps, sps, pps } = h265NalType;
  return `sprop-vps=${ofType(vps)};sprop-sps=${ofType(sps)};sprop-pps=${ofType(pps)}`;
}

function audioSection(track: AudioTrack): string[] {
  const type = rtpPayloadType(track);
  const rate = rtpClockRate(track);
  const lines = [`m=audio 0 RTP/AVP ${type}`];
  const channels = track.channels || 1;
  if (track.codec === 'aac') {
    lines.push(
      `a=rtpmap:${type} MPEG4-GENERIC/${rate}/${channels}`,
      `a=fmtp:${type} streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=${track.config.toString('hex')}`,
    );
  } else if (track.codec === 'opus') {
    lines.push(`a=rtpmap:${type} opus/48000/2`, `a=fmtp:${type} sprop-stereo=${channels > 1 ? 1 : 0}`);
  } else if (track.codec === 'pcma' || track.codec === 'pcmu') {
    lines.push(
      `a=rtpmap:${type} ${track.codec === 'pcma' ? 'PCMA' : 'PCMU'}/${rate}${channels > 1 ? `/${channels}` : ''}`,
    );
  } else lines.push(`a=rtpmap:${type} MPA/90000`);
  return lines;
}
