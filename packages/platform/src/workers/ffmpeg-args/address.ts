// Addresses for FFmpeg: allowed protocols of each, and construction of a target's address.
import { maxPicturePixels } from '@srs-stack/process/programs/media-limits.ts';

/** Protocols that a network input or output may open, by scheme; FFmpeg refuses all others. */
const allowedProtocols: Readonly<Record<string, string>> = {
  rtmp: 'rtmp,tcp',
  rtmps: 'rtmps,tls,tcp',
  rtsp: 'rtsp,rtp,srtp,tcp,udp',
  srt: 'srt,udp',
  http: 'http,https,httpproxy,tls,tcp,crypto',
  https: 'http,https,httpproxy,tls,tcp,crypto',
};

/** Demuxers for local files. None of them reads text files that reference other files. */
export const fileFormats = 'mov,mp4,flv,live_flv,mpegts,matroska,mp3,aac';

/** Demuxers for HTTP sources, including the containers of HLS segments. Except for HLS, none can reference further addresses. */
const httpFormats = `hls,${fileFormats},ac3,eac3,webvtt`;

/** `rtmp://host/app` → `rtmp`; '' if the text is not an address. */
export function schemeOf(address: string): string {
  return /^([a-z][a-z0-9]*):\/\//i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Limits the frame size: larger frames are not decoded. */
export const pictureBound: readonly string[] = ['-max_pixels', String(maxPicturePixels)];

/** Options before `-i` that limit a network input. `rtspTransport` applies to RTSP only. Throws for a scheme that is not allowed. */
export function networkInputArgs(address: string, rtspTransport: 'tcp' | 'udp' = 'tcp'): string[] {
  const scheme = schemeOf(address);
  const protocols = allowedProtocols[scheme];
  if (!protocols) throw new Error(`FFmpeg is not allowed to open an input with the scheme "${scheme}"`);
  const transport = scheme === 'rtsp' ? ['-rtsp_transport', rtspTransport] : [];
  const formats = scheme.startsWith('http') ? ['-format_whitelist', httpFormats] : [];
  return ['-protocol_whitelist', protocols, ...formats, ...pictureBound, ...transport];
}

/** Options before `-i` for a file inside the data folder. */
export const fileInputArgs: readonly string[] = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', fileFormats],
  ...pictureBound,
];

/** Destination of a worker. Without `rtmp`, FFmpeg parses application and stream name from the address. */
export interface PushOutput {
  readonly address: string;
  /** The part of the address to which the address rules apply; RTMP keys may contain any printable character. */
  readonly checked: string;
  readonly rtmp?: { readonly app: string; readonly key: string };
}

/**
 * The output for a server and a key. Passes the server as application and the key as stream name, unchanged. FFmpeg would split an RTMP
 * address at its second slash, modify names that end like files, and truncate names at 512 bytes.
 */
export function pushOutput(server: string, key: string): PushOutput {
  const address = joinAddress(server, key);
  const whole = withEncodedUserInfo(server);
  const app = /^rtmps?:\/\/[^/]*\/(.*?)\/*$/is.exec(whole)?.[1] ?? '';
  const name = key.replace(/^\/+/, '');
  if (app === '' || name === '') return { address, checked: address };
  return { address, checked: whole, rtmp: { app, key: name } };
}

/** Format and address of an output, always the last arguments. Throws for a scheme that is not allowed. */
export function outputArgs(output: string | PushOutput): string[] {
  const { address, rtmp } = typeof output === 'string' ? { address: output, rtmp: undefined } : output;
  const scheme = schemeOf(address);
  const name = rtmp ? ['-rtmp_app', rtmp.app, '-rtmp_playpath', rtmp.key] : [];
  if (scheme === 'rtmp' || scheme === 'rtmps')
    return [...name, '-f', 'flv', '-flvflags', 'no_duration_filesize', address];
  if (scheme === 'srt') return ['-pes_payload_size', '0', '-f', 'mpegts', address];
  throw new Error(`FFmpeg is not allowed to open an output with the scheme "${scheme}"`);
}

/** Joins server and key to an address. Adds a slash only if neither side has one and there is a key. */
export function joinAddress(server: string, key: string): string {
  if (schemeOf(server) === 'srt' && key !== '') return withEncodedUserInfo(joinSrt(server, key));
  const needsSlash = key !== '' && !server.endsWith('/') && !key.startsWith('/');
  return withEncodedUserInfo(`${server}${needsSlash ? '/' : ''}${key}`);
}

/** Options of an SRT address; users also append them to the key. */
const srtOption =
  /&(?=(?:streamid|passphrase|pbkeylen|latency|rcvlatency|peerlatency|mode|pkt_size|payload_size|maxbw|inputbw|oheadbw|mss|transtype|connect_timeout|timeout|tlpktdrop|enforced_encryption|kmrefreshrate|kmpreannounce|sndbuf|rcvbuf|ffs|ipttl|iptos|linger|lossmaxttl|messageapi|minversion|nakreport|smoother|snddropdelay|tsbpd)=)/i;

/** Joins an SRT address and a key, which is the stream id (`srt://host:port?streamid=`) or continues an existing query. */
function joinSrt(server: string, key: string): string {
  const [first = '', ...options] = key.split(srtOption);
  const encoded = [encodeStreamId(first), ...options].join('&');
  if (/[?&]streamid=/i.test(server)) return `${server}${encoded}`;
  // The key continues the address.
  if (/^[/?&]|streamid=/i.test(key)) return `${server}${key}`;
  return `${server}${server.includes('?') ? '&' : '?'}streamid=${encoded}`;
}

/** Encodes the stream id, because FFmpeg reads `+` as a space, stops at `&`, and decodes `%`. Encoded values are kept. */
function encodeStreamId(key: string): string {
  const percent = /%(?![0-9a-f]{2})/gi;
  return key.replace(percent, '%25').replace(/[\s+&]/g, (char) => encodeURIComponent(char));
}

/** Encodes user names and passwords with special characters: they end at the last `@` before the path. */
export function withEncodedUserInfo(address: string): string {
  const parts = /^([a-z][a-z0-9]*:\/\/)([^/]*)@([^/@]*(?:\/.*)?)$/is.exec(address);
  if (!parts) return address;
  const [, scheme = '', userInfo = '', rest = ''] = parts;
  const [user = '', ...password] = userInfo.split(':');
  const encoded = password.length > 0 ? `${encode(user)}:${encode(password.join(':'))}` : encode(user);
  return `${scheme}${encoded}@${rest}`;
}

/** Percent-encodes a text once, even if it is already encoded. */
function encode(text: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(text));
  } catch {
    return encodeURIComponent(text);
  }
}
