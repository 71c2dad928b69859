// Addresses for FFmpeg: the allowed protocols of each scheme, and addresses of targets.
import { maxPicturePixels } from '@srs-stack/process/programs/media-limits.ts';

/** Protocols that FFmpeg may open for an input or output, by scheme of its address. */
const allowedProtocols: Readonly<Record<string, string>> = {
  rtmp: 'rtmp,tcp',
  rtmps: 'rtmps,tls,tcp',
  rtsp: 'rtsp,rtp,srtp,tcp,udp',
  srt: 'srt,udp',
  http: 'http,https,httpproxy,tls,tcp,crypto',
  https: 'http,https,httpproxy,tls,tcp,crypto',
};

/** Demuxers for local files. None of these demuxers follows references to other files. */
export const fileFormats = 'mov,mp4,flv,live_flv,mpegts,matroska,mp3,aac';

/** Demuxers for HTTP sources and the containers of HLS segments. Only HLS can reference other addresses. */
const httpFormats = `hls,${fileFormats},ac3,eac3,webvtt`;

/** `rtmp://host/app` → `rtmp`; '' without a scheme. */
export function schemeOf(address: string): string {
  return /^([a-z][a-z0-9]*):\/\//i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Limits the frame size: FFmpeg does not decode larger frames. */
export const pictureBound: readonly string[] = ['-max_pixels', String(maxPicturePixels)];

/** Options before `-i` that restrict a network input. Throws for a forbidden scheme. @param rtspTransport used for RTSP only. */
export function networkInputArgs(address: string, rtspTransport: 'tcp' | 'udp' = 'tcp'): string[] {
  const scheme = schemeOf(address);
  const protocols = allowedProtocols[scheme];
  if (!protocols) throw new Error(`FFmpeg is not allowed to open an input with the scheme "${scheme}"`);
  const transport = scheme === 'rtsp' ? ['-rtsp_transport', rtspTransport] : [];
  const formats = scheme.startsWith('http') ? ['-format_whitelist', httpFormats] : [];
  return ['-protocol_whitelist', protocols, ...formats, ...pictureBound, ...transport];
}

/** Options before `-i` for a file in the data folder. */
export const fileInputArgs: readonly string[] = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', fileFormats],
  ...pictureBound,
];

/** Destination of a worker. `rtmp` is passed separately; without it, FFmpeg parses app and stream name from the address. */
export interface PushOutput {
  readonly address: string;
  /** Part of the address that the address rules apply to. RTMP keys are excluded, because they may contain any printable character. */
  readonly checked: string;
  readonly rtmp?: { readonly app: string; readonly key: string };
}

/**
 * Output for a server and a key. RTMP servers and keys are passed separately and unchanged. FFmpeg would split an RTMP address at its
 * second slash, treat stream names as file names with an extension, and truncate names at 512 bytes.
 */
export function pushOutput(server: string, key: string): PushOutput {
  const address = joinAddress(server, key);
  const whole = withEncodedUserInfo(server);
  const app = /^rtmps?:\/\/[^/]*\/(.*?)\/*$/is.exec(whole)?.[1] ?? '';
  const name = key.replace(/^\/+/, '');
  if (app === '' || name === '') return { address, checked: address };
  return { address, checked: whole, rtmp: { app, key: name } };
}

/** Format and address of an output; the last arguments of this output. Throws for a forbidden scheme. */
export function outputArgs(output: string | PushOutput): string[] {
  const { address, rtmp } = typeof output === 'string' ? { address: output, rtmp: undefined } : output;
  const scheme = schemeOf(address);
  const name = rtmp ? ['-rtmp_app', rtmp.app, '-rtmp_playpath', rtmp.key] : [];
  if (scheme === 'rtmp' || scheme === 'rtmps')
    return [...name, '-f', 'flv', '-flvflags', 'no_duration_filesize', address];
  if (scheme === 'srt') return ['-pes_payload_size', '0', '-f', 'mpegts', address];
  throw new Error(`FFmpeg is not allowed to open an output with the scheme "${scheme}"`);
}

/** Joins server and key. For SRT, see `joinSrt`. Otherwise adds a slash unless the key is empty or one side has a slash. */
export function joinAddress(server: string, key: string): string {
  if (schemeOf(server) === 'srt' && key !== '') return withEncodedUserInfo(joinSrt(server, key));
  const needsSlash = key !== '' && !server.endsWith('/') && !key.startsWith('/');
  return withEncodedUserInfo(`${server}${needsSlash ? '/' : ''}${key}`);
}

/** SRT address options, which users also append to keys. */
const srtOption =
  /&(?=(?:streamid|passphrase|pbkeylen|latency|rcvlatency|peerlatency|mode|pkt_size|payload_size|maxbw|inputbw|oheadbw|mss|transtype|connect_timeout|timeout|tlpktdrop|enforced_encryption|kmrefreshrate|kmpreannounce|sndbuf|rcvbuf|ffs|ipttl|iptos|linger|lossmaxttl|messageapi|minversion|nakreport|smoother|snddropdelay|tsbpd)=)/i;

/** Joins an SRT address and a key. The key is a stream id (`srt://host:port?streamid=`) or continues the query. */
function joinSrt(server: string, key: string): string {
  const [first = '', ...options] = key.split(srtOption);
  const encoded = [encodeStreamId(first), ...options].join('&');
  if (/[?&]streamid=/i.test(server)) return `${server}${encoded}`;
  // The key starts with a path or a query, or contains `streamid`.
  if (/^[/?&]|streamid=/i.test(key)) return `${server}${key}`;
  return `${server}${server.includes('?') ? '&' : '?'}streamid=${encoded}`;
}

/** Encodes the stream id: FFmpeg reads `+` as a space, stops at `&`, and decodes `%`. Encoded values stay unchanged. */
function encodeStreamId(key: string): string {
  const percent = /%(?![0-9a-f]{2})/gi;
  return key.replace(percent, '%25').replace(/[\s+&]/g, (char) => encodeURIComponent(char));
}

/** Encodes special characters in user names and passwords, which end at the last `@` before the path. */
export function withEncodedUserInfo(address: string): string {
  const parts = /^([a-z][a-z0-9]*:\/\/)([^/]*)@([^/@]*(?:\/.*)?)$/is.exec(address);
  if (!parts) return address;
  const [, scheme = '', userInfo = '', rest = ''] = parts;
  const [user = '', ...password] = userInfo.split(':');
  const encoded = password.length > 0 ? `${encode(user)}:${encode(password.join(':'))}` : encode(user);
  return `${scheme}${encoded}@${rest}`;
}

/** Percent-encodes a text. A text that is already encoded is not encoded twice. */
function encode(text: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(text));
  } catch {
    return encodeURIComponent(text);
  }
}
