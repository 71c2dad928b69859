// Addresses FFmpeg is given: which protocols each may use, and how a target's address is put together.
import { maxPicturePixels } from '@srs-stack/programs';

/** Protocols a network input or output may open, by the scheme of its address; FFmpeg refuses every other one. */
const allowedProtocols: Readonly<Record<string, string>> = {
  rtmp: 'rtmp,tcp',
  rtmps: 'rtmps,tls,tcp',
  rtsp: 'rtsp,rtp,srtp,tcp,udp',
  srt: 'srt,udp',
  http: 'http,https,httpproxy,tls,tcp,crypto',
  https: 'http,https,httpproxy,tls,tcp,crypto',
};

/** Demuxers a local file may be read with: a text file that names other files is none of them. */
export const fileFormats = 'mov,mp4,flv,live_flv,mpegts,matroska,mp3,aac';

/** Demuxers of HTTP sources, the containers of HLS segments among them: a list of any other kind names no more addresses. */
const httpFormats = `hls,${fileFormats},ac3,eac3,webvtt`;

/** `rtmp://host/app` → `rtmp`; '' for anything that is no address. */
export function schemeOf(address: string): string {
  return /^([a-z][a-z0-9]*):\/\//i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** A picture that claims more is not decoded. */
export const pictureBound: readonly string[] = ['-max_pixels', String(maxPicturePixels)];

/** Options before `-i` that bound what a network input may do. Throws for a scheme that is not allowed. */
export function networkInputArgs(address: string): string[] {
  const scheme = schemeOf(address);
  const protocols = allowedProtocols[scheme];
  if (!protocols) throw new Error(`no input may be opened with the scheme "${scheme}"`);
  const transport = scheme === 'rtsp' ? ['-rtsp_transport', 'tcp'] : [];
  const formats = scheme.startsWith('http') ? ['-format_whitelist', httpFormats] : [];
  return ['-protocol_whitelist', protocols, ...formats, ...pictureBound, ...transport];
}

/** Options before `-i` for a file inside the data folder. */
export const fileInputArgs: readonly string[] = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', fileFormats],
  ...pictureBound,
];

/** Format and address of an output, always the last arguments. Throws for a scheme that is not allowed. */
export function outputArgs(address: string): string[] {
  const scheme = schemeOf(address);
  if (scheme === 'rtmp' || scheme === 'rtmps') return ['-f', 'flv', '-flvflags', 'no_duration_filesize', address];
  if (scheme === 'srt') return ['-pes_payload_size', '0', '-f', 'mpegts', address];
  throw new Error(`no output may be opened with the scheme "${scheme}"`);
}

/**
 * Server and key as one address: a slash between them only when neither side has it and there is a key. The key of an
 * SRT address goes on in its query (`srt://host:port?streamid=`).
 */
export function joinAddress(server: string, key: string): string {
  const isInQuery = schemeOf(server) === 'srt' && server.includes('?');
  const needsSlash = key !== '' && !server.endsWith('/') && !key.startsWith('/') && !isInQuery;
  return withEncodedUserInfo(`${server}${needsSlash ? '/' : ''}${key}`);
}

/** User names and passwords with special characters, as people type them: the last `@` before the path ends them. */
export function withEncodedUserInfo(address: string): string {
  const parts = /^([a-z][a-z0-9]*:\/\/)([^/]*)@([^/@]*(?:\/.*)?)$/is.exec(address);
  if (!parts) return address;
  const [, scheme = '', userInfo = '', rest = ''] = parts;
  const [user = '', ...password] = userInfo.split(':');
  const encoded = password.length > 0 ? `${encode(user)}:${encode(password.join(':'))}` : encode(user);
  return `${scheme}${encoded}@${rest}`;
}

/** Encodes once, also what was encoded before. */
function encode(text: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(text));
  } catch {
    return encodeURIComponent(text);
  }
}
