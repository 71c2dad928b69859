// Builds the publish and play addresses of a stream from the page's host, the ports and the publish secret. Pure.
import { defaultApp, defaultRtmpPort, defaultSrtPort, defaultVhost, srtPlayLatencyMs } from './constants.ts';

/** Default port of `rtmps://` in encoders. */
const rtmpsSchemePort = '443';
/** Default port of `rtsp://` (RFC 2326 §3.2). */
const rtspSchemePort = '554';

export type WebScheme = 'http' | 'https';

export interface AddressInput {
  /** Host name of the page; IPv6 addresses may have brackets. */
  hostname: string;
  scheme: WebScheme;
  /** Port of the page; '' for the default port of the scheme, as in `location.port`. */
  pagePort: string;
  /** Ports from the environment call; an empty `httpPort` means the page's port. */
  rtmpPort: string;
  /** Port of RTMP over TLS; empty or undefined if disabled. */
  rtmpsPort?: string | undefined;
  /** Port of RTSP; empty or undefined if disabled. */
  rtspPort?: string | undefined;
  srtPort: string;
  httpPort: string;
  app: string;
  stream: string;
  vhost?: string;
  /** Publish secret; empty or undefined if publishing needs none. */
  secret?: string;
  /** Query that authorizes playback, `watch=…`, added to every play address. Empty or undefined for open streams. */
  watchQuery?: string;
}

/** All addresses of a stream. Addresses of players and consoles are paths on the page's host. */
export interface AddressSet {
  /** `app/stream`, or `vhost/app/stream` for a virtual host other than the default. */
  streamPath: string;
  /** Value for "Server" in OBS: `rtmp://host[:port]/app/`. */
  rtmpServer: string;
  /** `rtmps://host:port/app/`; '' if RTMPS is disabled. */
  rtmpsServer: string;
  /** Value for "Stream key" in OBS: the stream name with the secret as query. */
  rtmpStreamKey: string;
  rtmpPublishUrl: string;
  rtmpPlayUrl: string;
  /** '' if RTSP is disabled. */
  rtspPublishUrl: string;
  rtspPlayUrl: string;
  srtPublishUrl: string;
  srtPlayUrl: string;
  flvUrl: string;
  m3u8Url: string;
  /** Address of low-latency HLS, which an operator may have disabled. */
  lowLatencyM3u8Url: string;
  rtcUrl: string;
  rtcPublishUrl: string;
  whipUrl: string;
  whepUrl: string;
  flvPlayer: string;
  hlsPlayer: string;
  lowLatencyHlsPlayer: string;
  flvAlternatePlayer: string;
  hlsAlternatePlayer: string;
  rtcPlayer: string;
  rtcPublisher: string;
  /** Absolute URL of the watch page. */
  watchPage: string;
  cnConsole: string;
  enConsole: string;
  transcodeStreamName: string;
  transcodeStreamKey: string;
  transcodeFlvPlayer: string;
}

/** Builds the addresses of a stream. Names must be valid (`isValidStreamName`). Never throws. */
export function buildAddresses(input: AddressInput): AddressSet {
  const transcodeStreamName = `${input.stream}-trans`;
  const flvUrl = httpMediaUrl(input, 'flv');
  const m3u8Url = httpMediaUrl(input, 'm3u8');
  const lowLatencyM3u8Url = httpMediaUrl(input, 'll.m3u8');
  const server = rtmpServer(input);
  const key = rtmpStreamKey(input, input.stream);
  return {
    streamPath: streamPath(input),
    rtmpServer: server,
    rtmpsServer: rtmpsServer(input),
    rtmpStreamKey: key,
    rtmpPublishUrl: `${server}${key}`,
    rtmpPlayUrl: `${server}${input.stream}${toQuery(playPairs(input))}`,
    rtspPublishUrl: rtspUrl(input, secretPairs(input)),
    rtspPlayUrl: rtspUrl(input, watchPairs(input)),
    srtPublishUrl: srtUrl(input, [...secretPairs(input)], 'publish'),
    srtPlayUrl: srtUrl(input, [`latency=${srtPlayLatencyMs}`, ...watchPairs(input)], 'request'),
    flvUrl,
    m3u8Url,
    lowLatencyM3u8Url,
    rtcUrl: rtcUrl(input, playPairs(input)),
    rtcPublishUrl: rtcUrl(input, [vhostPair(input), ...secretPairs(input)]),
    whipUrl: signallingUrl(input, 'whip', secretPairs(input)),
    whepUrl: signallingUrl(input, 'whep', watchPairs(input)),
    flvPlayer: playerPath('player', flvUrl),
    hlsPlayer: playerPath('player', m3u8Url),
    lowLatencyHlsPlayer: playerPath('player', lowLatencyM3u8Url),
    flvAlternatePlayer: playerPath('xgplayer', flvUrl),
    hlsAlternatePlayer: playerPath('xgplayer', m3u8Url),
    rtcPlayer: rtcPagePath(input, 'whep', input.scheme, watchPairs(input)),
    rtcPublisher: rtcPagePath(input, 'whip', 'https', secretPairs(input)),
    watchPage: `${webOrigin(input)}/watch/${encodedPath(input)}${toQuery(playPairs(input))}`,
    cnConsole: consolePath(input, 'ng_index'),
    enConsole: consolePath(input, 'en_index'),
    transcodeStreamName,
    transcodeStreamKey: rtmpStreamKey(input, transcodeStreamName),
    transcodeFlvPlayer: playerPath('player', httpMediaUrl({ ...input, stream: transcodeStreamName }, 'flv')),
  };
}

/** `app/stream`, or `vhost/app/stream` for a virtual host other than the default. */
export function streamPath(key: { app: string; stream: string; vhost?: string }): string {
  const vhost = namedVhost(key.vhost);
  return vhost === undefined ? `${key.app}/${key.stream}` : `${vhost}/${key.app}/${key.stream}`;
}

/** WordPress shortcodes of the SRS player plug-in. */
export function wordpressShortcodes(set: AddressSet) {
  return {
    flv: `[srs_player url="${set.flvUrl}"]`,
    hls: `[srs_player url="${set.m3u8Url}"]`,
    webrtc: `[srs_player url="${set.rtcUrl}"]`,
    publisher: `[srs_publisher url="${set.rtcPublishUrl}"]`,
  };
}

/** Commands that publish over RTMP or RTSP, or play. `quoteArgument` quotes the addresses. */
export function commandLines(set: AddressSet) {
  const publishUrl = quoteArgument(set.rtmpPublishUrl);
  // A keyframe every 2 s lets players start quickly. Every browser decodes yuv420p.
  const encode = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 60 -c:a aac -b:a 128k';
  const pattern = '-f lavfi -i testsrc2=size=1280x720:rate=30 -f lavfi -i sine=frequency=440';
  return {
    ffmpegFile: `ffmpeg -re -i source.mp4 -c copy -f flv ${publishUrl}`,
    ffmpegReencode: `ffmpeg -re -i source.mp4 ${encode} -r 30 -f flv ${publishUrl}`,
    ffmpegTestPattern: `ffmpeg -re ${pattern} ${encode} -f flv ${publishUrl}`,
    ffplayFlv: `ffplay -fflags nobuffer -flags low_delay ${quoteArgument(set.flvUrl)}`,
    ffmpegRtsp: `ffmpeg -re -i source.mp4 -c copy -f rtsp -rtsp_transport tcp ${quoteArgument(set.rtspPublishUrl)}`,
    ffplayRtsp: `ffplay -fflags nobuffer -flags low_delay -rtsp_transport tcp ${quoteArgument(set.rtspPlayUrl)}`,
    ffplayRtmp: `ffplay -fflags nobuffer -flags low_delay ${quoteArgument(set.rtmpPlayUrl)}`,
  };
}

/** Quotes an argument for a shell. Double quotes also work on Windows; text that a POSIX shell would expand gets single quotes. */
export function quoteArgument(argument: string): string {
  if (!/["$`\\!]/.test(argument)) return `"${argument}"`;
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

type Pair = string | undefined;

function rtmpServer(input: AddressInput): string {
  return `rtmp://${urlHost(input.hostname)}${portSuffix(input.rtmpPort, [defaultRtmpPort])}/${input.app}/`;
}

function rtmpsServer(input: AddressInput): string {
  if (!input.rtmpsPort) return '';
  return `rtmps://${urlHost(input.hostname)}${portSuffix(input.rtmpsPort, [rtmpsSchemePort])}/${input.app}/`;
}

/** The stream name is not percent-encoded, because encoders send the key unchanged. */
function rtmpStreamKey(input: AddressInput, stream: string): string {
  return `${stream}${toQuery([vhostPair(input), ...secretPairs(input)])}`;
}

function rtspUrl(input: AddressInput, pairs: readonly string[]): string {
  if (!input.rtspPort) return '';
  const host = `${urlHost(input.hostname)}${portSuffix(input.rtspPort, [rtspSchemePort])}`;
  return `rtsp://${host}/${encodedPath(input)}${toQuery(pairs)}`;
}

/** In SRS stream ids, the `#` prefix is literal and commas separate the parts. */
function srtUrl(input: AddressInput, extra: readonly string[], mode: 'publish' | 'request'): string {
  const vhost = namedVhost(input.vhost);
  const resource = `r=${input.app}/${input.stream}`;
  const [first, ...rest] = extra;
  const joined = mode === 'publish' && first !== undefined ? [`${resource}?${first}`, ...rest] : [resource, ...extra];
  const parts = [...(vhost === undefined ? [] : [`h=${vhost}`]), ...joined, `m=${mode}`];
  return `srt://${urlHost(input.hostname)}:${input.srtPort || defaultSrtPort}?streamid=#!::${parts.join(',')}`;
}

function httpMediaUrl(input: AddressInput, extension: 'flv' | 'm3u8' | 'll.m3u8'): string {
  return `${webOrigin(input)}/${encodedPath(input)}.${extension}${toQuery(playPairs(input))}`;
}

function rtcUrl(input: AddressInput, pairs: readonly Pair[]): string {
  return `webrtc://${urlHost(input.hostname)}${httpPortSuffix(input)}/${encodedPath(input)}${toQuery(pairs)}`;
}

function signallingUrl(input: AddressInput, action: 'whip' | 'whep', pairs: readonly Pair[]): string {
  const query = toQuery([pair('app', input.app), pair('stream', input.stream), vhostPair(input), ...pairs]);
  return `${webOrigin(input)}/rtc/v1/${action}/${query}`;
}

function playerPath(page: 'player' | 'xgplayer', url: string): string {
  return `/tools/${page}.html?url=${encodeQueryValue(url)}`;
}

function rtcPagePath(input: AddressInput, page: 'whip' | 'whep', schema: WebScheme, extra: readonly Pair[]): string {
  const port = effectivePort(input);
  const app = input.app === defaultApp ? undefined : pair('app', input.app);
  const fixed = [`schema=${schema}`, `port=${port}`, `api=${port}`, 'autostart=true'];
  return `/players/${page}.html${toQuery([...fixed, app, pair('stream', input.stream), vhostPair(input), ...extra])}`;
}

function consolePath(input: AddressInput, page: 'ng_index' | 'en_index'): string {
  const port = effectivePort(input);
  return `/console/${page}.html#/summaries?port=${port}&http=${port}`;
}

function webOrigin(input: AddressInput): string {
  return `${input.scheme}://${urlHost(input.hostname)}${httpPortSuffix(input)}`;
}

function httpPortSuffix(input: AddressInput): string {
  return portSuffix(input.httpPort || input.pagePort, ['80', '443']);
}

/** Port for the player page, which requires a number even for the scheme's default. */
function effectivePort(input: AddressInput): string {
  return input.httpPort || input.pagePort || (input.scheme === 'https' ? '443' : '80');
}

function portSuffix(port: string, omitted: readonly string[]): string {
  return port === '' || omitted.includes(port) ? '' : `:${port}`;
}

/** IPv6 addresses need brackets in URLs (RFC 3986 §3.2.2). */
function urlHost(hostname: string): string {
  return hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
}

function encodedPath(input: AddressInput): string {
  return [...input.app.split('/'), input.stream].map(encodeURIComponent).join('/');
}

function namedVhost(vhost: string | undefined): string | undefined {
  return vhost === undefined || vhost === '' || vhost === defaultVhost ? undefined : vhost;
}

function vhostPair(input: AddressInput): Pair {
  const vhost = namedVhost(input.vhost);
  return vhost === undefined ? undefined : pair('vhost', vhost);
}

function secretPairs(input: AddressInput): string[] {
  return input.secret ? [`secret=${encodeStrict(input.secret)}`] : [];
}

function watchPairs({ watchQuery }: AddressInput): string[] {
  return watchQuery ? [watchQuery] : [];
}

function playPairs(input: AddressInput): Pair[] {
  return [vhostPair(input), ...watchPairs(input)];
}

function pair(key: string, value: string): string {
  return `${key}=${encodeQueryValue(value)}`;
}

function toQuery(pairs: readonly Pair[]): string {
  const present = pairs.filter((item) => item !== undefined);
  return present.length === 0 ? '' : `?${present.join('&')}`;
}

/** `:` and `/` stay unencoded, because a query may contain them (RFC 3986 §3.4). */
function encodeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':').replaceAll('%2F', '/');
}

/** Encodes all but the unreserved characters of RFC 3986 §2.3, so that secrets are safe in shells, stream ids and HTML attributes. */
function encodeStrict(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
