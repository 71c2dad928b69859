// Kinds of pulled sources by address scheme, and the kinds that the media server can pull without FFmpeg.
import type { SourceKind } from '@srs-stack/contract';
import { parsePullAddress } from '@srs-stack/media/protocols/rtsp/pull-address.ts';
import { parseTsAddress } from '@srs-stack/media/protocols/ts-udp/ts-address.ts';
import { schemeOf } from '../../workers/ffmpeg-args/address.ts';
import { isEngineSrtAddress } from '../push/push-wish.ts';

const kindOfScheme: Readonly<Record<string, SourceKind>> = {
  rtsp: 'rtsp',
  rtsps: 'rtsp',
  srt: 'srt',
  udp: 'udp',
  rtp: 'udp',
  rtmp: 'rtmp',
  rtmps: 'rtmp',
};

export function sourceKindOf(address: string): SourceKind {
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return kindOfScheme[schemeOf(address)] ?? (/\.m3u8$/i.test(path) ? 'hls' : 'http');
}

/** Whether the media server can pull the source. RTMP, HTTP-FLV and MPEG-TS over HTTP need FFmpeg. */
export function canEnginePull(address: string): boolean {
  switch (sourceKindOf(address)) {
    case 'rtsp':
      return parsePullAddress(address) !== undefined;
    case 'srt':
      return isEngineSrtAddress(address);
    case 'udp':
      return parseTsAddress(address) !== undefined;
    case 'hls':
      return URL.canParse(address);
    default:
      return false;
  }
}
