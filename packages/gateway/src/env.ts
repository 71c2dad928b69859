// Parses the environment variables of the data plane, once at start. The other modules of this package get their settings from here.
import { resolve } from 'node:path';
import type { ListenAddress } from '@srs-stack/engine';
import {
  defaultClusterListen,
  defaultPlatformSocket,
  maxPort,
  type PlatformAddress,
  parseListenAddress,
  parseOptionalListenAddress,
  parsePlatformAddress,
  parsePortRange,
  parseServerAddresses,
} from '@srs-stack/process/listen-address.ts';
import { type IsInNetworks, parseNetworks } from '@srs-stack/process/private-networks.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { WebrtcAddressSettings } from './front/webrtc/webrtc-addresses.ts';
import type { SrsAddresses } from './srs-relay.ts';

/** Longest merge window, milliseconds. Viewers notice longer delays. */
const maxMergeWindowMs = 1_000;
/** Longest SRT latency, milliseconds. The handshake field has 16 bits. */
const maxSrtLatencyMs = 60_000;

export interface GatewayEnv {
  readonly dataDir: string;
  /** Number of gateways of this node, and the index of this gateway, from 0. */
  readonly gateways: { readonly count: number; readonly index: number };
  readonly httpListen: ListenAddress;
  readonly httpsListen: ListenAddress;
  readonly rtmpListen: ListenAddress;
  readonly rtmpsListen: ListenAddress | undefined;
  readonly rtspListen: ListenAddress | undefined;
  readonly rtspsListen: ListenAddress | undefined;
  /** RTP port of RTSP; RTCP uses the next port. When undefined, media is sent only in the RTSP connection. */
  readonly rtspUdpListen: ListenAddress | undefined;
  readonly srtListen: ListenAddress | undefined;
  /** Minimum SRT latency, milliseconds. Encoders and players may request more. */
  readonly srtLatencyMs: number;
  /** Empty for SRT without encryption. */
  readonly srtPassphrase: string;
  readonly rtcListen: ListenAddress | undefined;
  readonly rtcTcpListen: ListenAddress | undefined;
  /** Undefined selects the built-in WebRTC transport if this machine supports it. */
  readonly rtcTransport: 'node-datachannel' | undefined;
  /** A separate UDP port for each WebRTC peer, instead of one port for all peers. */
  readonly rtcPortRange: { readonly first: number; readonly last: number } | undefined;
  readonly webrtcAddresses: WebrtcAddressSettings;
  readonly srsApiListen: ListenAddress;
  /** Additional host names that the HTTP API accepts. */
  readonly srsApiHosts: readonly string[];
  /** SRS servers that replace the embedded engine. */
  readonly srs: SrsAddresses | undefined;
  readonly platform: PlatformAddress;
  /** Sent with every callback; may be empty. */
  readonly callbackSecret: string;
  /** API credentials that the operator chose. Removed from requests that are proxied to other web servers. */
  readonly ownSecrets: readonly string[];
  readonly hlsPath: string;
  readonly mergeWindowMs: number;
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Networks of permitted UDP senders; redirects of sources may lead there, too. Undefined disables UDP sources. */
  readonly isSourceNetwork: IsInNetworks | undefined;
  /** This node in a cluster. Undefined for a single node, without an internal port, or with an external SRS. */
  readonly cluster: ClusterEnv | undefined;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty';
}

interface ClusterEnv {
  readonly name: string;
  readonly secret: string;
  readonly listen: ListenAddress;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws StartRefusal with the name of the invalid variable. */
export function readEnv(variables: Variables): GatewayEnv {
  const read = (name: string, fallback: string): string => variables[name]?.trim() || fallback;
  const listen = (name: string, fallback: string): ListenAddress => parseListenAddress(name, read(name, fallback));
  const dataDir = resolve(read('DATA_DIR', './data'));
  const gateways = readGateways(read);
  const optional = (name: string, fallback: string) => parseOptionalListenAddress(name, read(name, fallback));
  const [rtmpsListen, srtListen] = [optional('RTMPS_LISTEN', 'off'), optional('SRT_LISTEN', '10080')];
  const rtcListen = optional('RTC_LISTEN', '8000');
  const rtcTcpListen = readRtcTcpListen(read);
  const srsApiListen = listen('SRS_API_LISTEN', '127.0.0.1:1985');
  return {
    dataDir,
    gateways,
    httpListen: shared(listen('MGMT_LISTEN', '2022'), gateways),
    httpsListen: shared(listen('HTTPS_LISTEN', '2443'), gateways),
    rtmpListen: shared(listen('RTMP_LISTEN', '1935'), gateways),
    rtmpsListen: rtmpsListen && shared(rtmpsListen, gateways),
    ...readRtsp(optional, gateways),
    srtListen: srtListen && shared(srtListen, gateways),
    srtLatencyMs: readNumber('SRT_LATENCY_MS', read('SRT_LATENCY_MS', '20'), maxSrtLatencyMs),
    srtPassphrase: readPassphrase(read('SRT_PASSPHRASE', '')),
    rtcListen: rtcListen && ownRtcAddress(rtcListen, gateways.index),
    rtcTcpListen: rtcTcpListen && ownRtcAddress(rtcTcpListen, gateways.index),
    rtcTransport: readRtcTransport(read('RTC_TRANSPORT', 'auto')),
    rtcPortRange: ownPortRange(parsePortRange('RTC_PORT_RANGE', read('RTC_PORT_RANGE', '')), gateways),
    webrtcAddresses: {
      candidates: read('CANDIDATE', '')
        .split(/[\s,]+/)
        .filter((candidate) => candidate !== '' && candidate !== '*' && candidate !== '0.0.0.0'),
      usesNameLookup: read('NAME_LOOKUP', 'on') !== 'off',
      isInContainer: read('PLATFORM_DOCKER', 'off') !== 'off',
      shownPort: shownRtcPort(readNumber('RTC_PORT', read('RTC_PORT', '0'), maxPort), gateways.index),
    },
    // Only gateway 0 has the configured port. The ports files contain the ports of the other gateways for the control plane.
    srsApiListen: gateways.index === 0 ? srsApiListen : { ...srsApiListen, port: 0 },
    srsApiHosts: listed(read('SRS_API_HOSTS', '').toLowerCase()),
    srs: read('MEDIA_SERVER', 'embedded') === 'srs' ? readSrs(read) : undefined,
    platform: parsePlatformAddress('PLATFORM_LISTEN', read('PLATFORM_LISTEN', defaultPlatformSocket(dataDir))),
    callbackSecret: read('CALLBACK_SECRET', ''),
    ownSecrets: [read('SRS_PLATFORM_SECRET', ''), read('METRICS_TOKEN', '')].filter(Boolean),
    hlsPath: resolve(dataDir, read('HLS_PATH', 'hls')),
    mergeWindowMs: readNumber('MERGE_WINDOW_MS', read('MERGE_WINDOW_MS', '30'), maxMergeWindowMs),
    trustedProxies: listed(read('TRUST_PROXY', '')),
    isSourceNetwork: readSourceNetworks(read('SOURCE_NETWORKS', '')),
    cluster: readCluster(read, variables.CLUSTER_SECRET ?? '', gateways),
    logLevel: read('LOG_LEVEL', 'info'),
    logFormat: read('LOG_FORMAT', 'json') === 'pretty' ? 'pretty' : 'json',
  };
}

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function readSourceNetworks(text: string): IsInNetworks | undefined {
  const entries = listed(text);
  return entries.length > 0 ? parseNetworks('SOURCE_NETWORKS', entries) : undefined;
}

/** The media ports are only displayed in the console. SRT_LISTEN or RTC_LISTEN is `off` when SRS does not serve this protocol. */
function readSrs(read: (name: string, fallback: string) => string): SrsAddresses {
  const apis = parseServerAddresses('SRS_API_SERVER', read('SRS_API_SERVER', '127.0.0.1:1985'));
  const https = parseServerAddresses('SRS_HTTP_SERVER', read('SRS_HTTP_SERVER', '127.0.0.1:8080'));
  if (https.length !== apis.length) {
    throw new StartRefusal(
      'Cannot start: SRS_HTTP_SERVER must have as many addresses as SRS_API_SERVER, in the same order.',
    );
  }
  const port = (name: string, fallback: string) => readNumber(name, read(name, fallback), maxPort);
  const isOff = (name: string) => read(name, '').toLowerCase() === 'off';
  return {
    servers: apis.map((api, index) => ({ api, http: https[index]! })),
    ports: {
      rtmp: port('RTMP_PORT', '1935'),
      srt: isOff('SRT_LISTEN') ? null : port('SRT_PORT', '10080'),
      rtc: isOff('RTC_LISTEN') ? null : port('RTC_PORT', '8000'),
    },
  };
}

/**
 * Undefined without a cluster or with `CLUSTER_LISTEN=off`. Also undefined with an external SRS, which does not serve other nodes.
 * @throws StartRefusal for an invalid `CLUSTER_LISTEN`.
 */
function readCluster(
  read: (name: string, fallback: string) => string,
  secret: string,
  gateways: GatewayEnv['gateways'],
): ClusterEnv | undefined {
  const listen = parseOptionalListenAddress('CLUSTER_LISTEN', read('CLUSTER_LISTEN', defaultClusterListen));
  const isAlone = read('CLUSTER_URL', '') === '' || secret === '' || read('MEDIA_SERVER', 'embedded') === 'srs';
  if (isAlone || !listen) return undefined;
  return { name: read('CLUSTER_NAME', 'srs-stack'), secret, listen: shared(listen, gateways) };
}

/** The supervisor sets both variables for each gateway. */
function readGateways(read: (name: string, fallback: string) => string): GatewayEnv['gateways'] {
  const count = Number(read('GATEWAYS', '1'));
  const index = Number(read('GATEWAY_INDEX', '0'));
  return Number.isInteger(count) && count >= 1 ? { count, index } : { count: 1, index: 0 };
}

/** With several gateways, all bind one port. The kernel distributes the connections. */
function shared(address: ListenAddress, { count }: GatewayEnv['gateways']): ListenAddress {
  return count > 1 ? { ...address, reusePort: true } : address;
}

/**
 * Each gateway has separate WebRTC ports. On a shared port, the kernel could pass a peer's media to a gateway that does not have the
 * session.
 */
function ownRtcAddress({ port, ...address }: ListenAddress, index: number): ListenAddress {
  return { ...address, port: port === 0 ? 0 : port + index };
}

function readRtsp(
  optional: (name: string, fallback: string) => ListenAddress | undefined,
  gateways: GatewayEnv['gateways'],
): Pick<GatewayEnv, 'rtspListen' | 'rtspsListen' | 'rtspUdpListen'> {
  const [plain, tls] = [optional('RTSP_LISTEN', '8554'), optional('RTSPS_LISTEN', 'off')];
  const udp = optional('RTSP_UDP_LISTEN', 'off');
  return {
    rtspListen: plain && shared(plain, gateways),
    rtspsListen: tls && shared(tls, gateways),
    rtspUdpListen: udp && ownPortPair(udp, gateways.index),
  };
}

/** Each gateway has a separate port pair, because RTP packets must reach the gateway with the RTSP connection. */
function ownPortPair({ port, ...address }: ListenAddress, index: number): ListenAddress {
  return { ...address, port: port === 0 ? 0 : port + 2 * index };
}

/** Like the local ports, the public ports of a router are consecutive. */
function shownRtcPort(first: number, index: number): number {
  return first === 0 ? 0 : first + index;
}

/** Each gateway gets an equal part of `RTC_PORT_RANGE`; the last gateway also gets the remainder. */
function ownPortRange(
  range: { readonly first: number; readonly last: number } | undefined,
  { count, index }: GatewayEnv['gateways'],
): GatewayEnv['rtcPortRange'] {
  if (!range) return undefined;
  const share = Math.floor((range.last - range.first + 1) / count);
  if (share === 0)
    throw new StartRefusal(`Cannot start: RTC_PORT_RANGE has fewer ports than there are gateways (${count}).`);
  const first = range.first + index * share;
  return { first, last: index === count - 1 ? range.last : first + share - 1 };
}

function readNumber(variable: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || value > most) {
    throw new StartRefusal(`Cannot start: ${variable} must be 0 to ${most}, not "${text}".`);
  }
  return value;
}

/** Only the built-in transport supports TCP. All peers of this transport share one port. */
function readRtcTcpListen(read: (name: string, fallback: string) => string): ListenAddress | undefined {
  const address = parseOptionalListenAddress('RTC_TCP_LISTEN', read('RTC_TCP_LISTEN', 'off'));
  const rival = ['RTC_PORT_RANGE', 'RTC_TRANSPORT'].find((name) => !['', 'auto'].includes(read(name, '')));
  if (!address || !rival) return address;
  throw new StartRefusal(`Cannot start: RTC_TCP_LISTEN and ${rival} cannot both be set. Remove one of them.`);
}

function readRtcTransport(text: string): GatewayEnv['rtcTransport'] {
  if (text === 'auto') return undefined;
  if (text === 'node-datachannel') return text;
  throw new StartRefusal(`Cannot start: RTC_TRANSPORT must be auto or node-datachannel, not "${text}".`);
}

/** libsrt allows 10 to 79 characters, so every encoder accepts a passphrase of this length. */
function readPassphrase(text: string): string {
  if (text === '' || (text.length >= 10 && text.length <= 79)) return text;
  throw new StartRefusal('Cannot start: SRT_PASSPHRASE must have 10 to 79 characters.');
}
