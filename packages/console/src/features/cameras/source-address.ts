// Converts addresses of sources to form fields and back: the scheme gives the kind; SRT and UDP addresses are split into parts.
import type { SourceKind } from '@srs-stack/contract/values/source-kinds.ts';

/** Kinds in the form. `rtmp` stands for all further kinds with an address. */
export const formKinds = ['rtsp', 'srt', 'udp', 'hls', 'rtmp'] as const satisfies readonly SourceKind[];
export type FormKind = (typeof formKinds)[number];

export interface SrtParts {
  /** Host and port, with options for which the form has no field. */
  readonly server: string;
  readonly streamId: string;
  readonly passphrase: string;
  /** Latency, milliseconds; '' for the default. */
  readonly latency: string;
}

export interface UdpParts {
  readonly scheme: 'udp' | 'rtp';
  /** Multicast group or local address; '' for all addresses. */
  readonly host: string;
  readonly port: string;
  /** Address of the only accepted sender; '' for all senders. */
  readonly sender: string;
  /** Further options as a query, including `?`. */
  readonly options: string;
}

/** The kind of source for an address; undefined for an unknown scheme. */
export function kindOfAddress(address: string): FormKind | undefined {
  const scheme = /^([a-z]+):\/\//i.exec(address.trim())?.[1]?.toLowerCase() ?? '';
  if (/^rtsps?$/.test(scheme)) return 'rtsp';
  if (scheme === 'srt') return 'srt';
  if (scheme === 'udp' || scheme === 'rtp') return 'udp';
  if (/^https?$/.test(scheme)) return /\.m3u8(?:[?#]|$)/i.test(address) ? 'hls' : 'rtmp';
  return /^rtmps?$/.test(scheme) ? 'rtmp' : undefined;
}

const srtNames = ['streamid', 'passphrase', 'latency'] as const;
/** From this value on, `latency` is in microseconds, as in FFmpeg. Smaller values are milliseconds. */
const smallestMicroseconds = 10_000;

export function readSrt(address: string): SrtParts {
  const [server = '', ...query] = address
    .trim()
    .replace(/^srt:\/\//i, '')
    .split('?');
  const pairs = query
    .join('?')
    .split('&')
    .filter((pair) => pair !== '');
  const option = (name: string) => {
    const pair = pairs.find((each) => each.toLowerCase().startsWith(`${name}=`));
    return pair === undefined ? '' : decoded(pair.slice(name.length + 1));
  };
  const isShown = (pair: string) => srtNames.some((name) => pair.toLowerCase().startsWith(`${name}=`));
  const rest = pairs.filter((pair) => !isShown(pair)).join('&');
  const latency = Number(option('latency'));
  const latencyMs = latency >= smallestMicroseconds ? latency / 1_000 : latency;
  return {
    server: rest === '' ? server : `${server}?${rest}`,
    streamId: option('streamid'),
    passphrase: option('passphrase'),
    latency: latencyMs > 0 ? String(latencyMs) : '',
  };
}

export function writeSrt({ server, streamId, passphrase, latency }: SrtParts): string {
  const shown = [
    ['streamid', streamId],
    ['passphrase', passphrase],
    ['latency', latency === '' ? '' : String(Math.round(Number(latency) * 1_000))],
  ] as const;
  const query = shown
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
  const plain = server.trim().replace(/^srt:\/\//i, '');
  if (plain === '' && query === '') return '';
  if (query === '') return `srt://${plain}`;
  return `srt://${plain}${plain.includes('?') ? '&' : '?'}${query}`;
}

export function readUdp(address: string): UdpParts {
  const parts = /^(udp|rtp):\/\/(?:([^@/?]*)@)?(\[[^\]]*\]|[^:/?]*)(?::([^/?]*))?\/?(\?.*)?$/i.exec(address.trim());
  const [, scheme = 'udp', sender = '', host = '', port = '', options = ''] = parts ?? [];
  return { scheme: scheme.toLowerCase() === 'rtp' ? 'rtp' : 'udp', host, port, sender, options };
}

export function writeUdp({ scheme, host, port, sender, options }: UdpParts): string {
  if (`${host}${port}${sender}`.trim() === '') return '';
  const from = sender.trim() === '' ? '' : `${sender.trim()}@`;
  return `${scheme}://${from}${host.trim()}:${port.trim()}${options}`;
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
