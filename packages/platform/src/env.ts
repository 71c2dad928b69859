// Reads the settings in the environment variables, with defaults. Only `workers/launch.ts` also reads process.env, for child processes.
import { hostname } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { type WorkerKind, workerKinds } from '@srs-stack/contract';
import {
  defaultClusterListen,
  defaultPlatformSocket,
  type PlatformAddress,
  parseLoopbackAddress,
  parsePlatformAddress,
  parseServerAddresses,
} from '@srs-stack/process/listen-address.ts';
import { withSettingsFile } from '@srs-stack/process/settings-file.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { type NodeAddress, readNodeAddress } from './nodes/node-address.ts';
import { parseClusterAddress } from './store/redis/cluster-address.ts';
import type { ClusterSettings } from './store/redis/open-redis-store.ts';

export interface PlatformEnv {
  /** Absolute path. */
  readonly dataDir: string;
  readonly listen: PlatformAddress;
  /**
   * Fallback address of the media server's HTTP API, if `run/ports.json` has no address. With port 0, the port is known only from that
   * file.
   */
  readonly mediaServerApi: { readonly host: string; readonly port: number };
  readonly hlsPath: string;
  /** Secret that the media server sends with every callback. With `srs`, a media server on this machine need not send the secret. */
  readonly callbackSecret: string;
  /** `srs`: an external SRS, which cannot send the callback secret in a header. */
  readonly mediaServer: 'embedded' | 'srs';
  /** With `srs`: address of the HTTP API of each server; at least one. */
  readonly srsApiServers: readonly { readonly host: string; readonly port: number }[];
  /** With `srs`: addresses of the HTTP servers, in the order of `srsApiServers`. For generated configurations. */
  readonly srsHttpServers: readonly { readonly host: string; readonly port: number }[];
  /** Absolute path of the authorized-keys file to which the console may add a key; '' forbids adding keys. */
  readonly authorizedKeysFile: string;
  /** Password from the process environment; `config/.env` takes precedence. */
  readonly adminPassword: string;
  readonly setupToken: string;
  /** Bearer that may only read the Prometheus metrics; '' when unset. */
  readonly metricsToken: string;
  readonly apiSecret: string;
  readonly shownPorts: Readonly<Record<'rtmp' | 'http' | 'rtsp' | 'srt' | 'rtc', string>>;
  readonly candidates: readonly string[];
  readonly hasCandidate: boolean;
  readonly isInDocker: boolean;
  /** Whether the start creates a self-signed certificate if none exists. */
  readonly startsSelfSigned: boolean;
  readonly acme: {
    readonly directoryUrl: string;
    /** Port to which the authority sends the HTTP-01 challenge; differs from 80 only for a test authority. */
    readonly httpPort: number;
    /** DNS servers queried before an order; empty for the system's servers. */
    readonly dnsServers: readonly string[];
  };
  readonly cloud: {
    readonly region: string;
    /** Replaces the cloud's hosts in tests. */
    readonly standIn: URL | undefined;
  };
  /** Redis shared by several servers; undefined for a local store. */
  readonly cluster: ClusterSettings | undefined;
  /** Name of this node in the cluster, and address for other nodes. */
  readonly node: { readonly name: string; readonly address: NodeAddress | undefined };
  /** `engine`: the media server forwards streams where possible, else FFmpeg. `ffmpeg`: always FFmpeg. */
  readonly forwardWith: 'engine' | 'ffmpeg';
  /** Cluster tasks that this node accepts: maximum number, and kinds. */
  readonly workerShare: { readonly slots: number; readonly kinds: readonly WorkerKind[] };
  readonly taskLimits: { readonly forward: number; readonly vlive: number; readonly camera: number };
  readonly logLevel: string;
}

const letsEncryptDirectory = 'https://acme-v02.api.letsencrypt.org/directory';
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the variables. Throws StartRefusal for an invalid value. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): PlatformEnv {
  const text = (name: string, fallback = ''): string => source[name]?.trim() || fallback;
  const dataDir = resolve(text('DATA_DIR', './data'));
  return {
    dataDir,
    listen: parsePlatformAddress('PLATFORM_LISTEN', text('PLATFORM_LISTEN', defaultPlatformSocket(dataDir))),
    mediaServerApi: parseLoopbackAddress('SRS_API_LISTEN', text('SRS_API_LISTEN', '127.0.0.1:1985')),
    hlsPath: resolve(dataDir, text('HLS_PATH', 'hls')),
    callbackSecret: text('CALLBACK_SECRET'),
    mediaServer: text('MEDIA_SERVER', 'embedded') === 'srs' ? 'srs' : 'embedded',
    srsApiServers: parseServerAddresses('SRS_API_SERVER', text('SRS_API_SERVER', '127.0.0.1:1985')),
    srsHttpServers: parseServerAddresses('SRS_HTTP_SERVER', text('SRS_HTTP_SERVER', '127.0.0.1:8080')),
    authorizedKeysFile: absolutePath('AUTHORIZED_KEYS_FILE', text('AUTHORIZED_KEYS_FILE')),
    adminPassword: source.MGMT_PASSWORD ?? '',
    setupToken: text('SETUP_TOKEN'),
    metricsToken: metricsToken(text('METRICS_TOKEN')),
    apiSecret: text('SRS_PLATFORM_SECRET'),
    shownPorts: shownPortsOf(text),
    candidates: text('CANDIDATE')
      .split(/[\s,]+/)
      .filter(Boolean),
    hasCandidate: text('CANDIDATE') !== '',
    isInDocker: text('PLATFORM_DOCKER', 'off') !== 'off',
    startsSelfSigned: text('AUTO_SELF_SIGNED_CERTIFICATE', 'on') !== 'off',
    acme: {
      directoryUrl: httpsUrl('ACME_DIRECTORY', text('ACME_DIRECTORY', letsEncryptDirectory)),
      httpPort: positiveInteger('ACME_HTTP_PORT', text('ACME_HTTP_PORT', '80')),
      dnsServers: text('ACME_DNS_SERVERS')
        .split(',')
        .flatMap((each) => each.trim() || []),
    },
    cloud: {
      region: cloudRegion(text('TENCENT_REGION', 'ap-beijing')),
      standIn: httpUrl('TENCENT_ENDPOINT', text('TENCENT_ENDPOINT')),
    },
    cluster: clusterSettings({
      url: text('CLUSTER_URL'),
      secret: source.CLUSTER_SECRET ?? '',
      name: text('CLUSTER_NAME', 'srs-stack'),
    }),
    node: ownNode(text),
    forwardWith: text('FORWARD_WITH', 'engine') === 'ffmpeg' ? 'ffmpeg' : 'engine',
    workerShare: workerShareOf(text('WORKER_SLOTS', 'all'), text('WORKER_KINDS', workerKinds.join())),
    taskLimits: taskLimitsOf((name) => positiveInteger(name, text(name, '10'))),
    logLevel: logLevel(text('LOG_LEVEL', 'info')),
  };
}

function taskLimitsOf(limit: (variable: string) => number): PlatformEnv['taskLimits'] {
  return {
    forward: limit('SRS_FORWARD_LIMIT'),
    vlive: limit('SRS_VLIVE_LIMIT'),
    camera: limit('SRS_CAMERA_LIMIT'),
  };
}

/** Like `readEnv`, for commands. Also reads the settings file of the data folder. Command-line options take precedence. */
export function readCommandEnv(
  source: NodeJS.Dict<string>,
  overrides: Readonly<Record<string, string>> = {},
): PlatformEnv {
  const dataDir = resolve(source.DATA_DIR?.trim() || './data');
  return readEnv({ ...withSettingsFile(source, dataDir), ...overrides, DATA_DIR: dataDir });
}

function positiveInteger(variable: string, value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new StartRefusal(`${variable}="${value}" is not a positive number`);
  return Number(value);
}

/** Minimum length, characters. A shorter token could be guessed. */
const leastMetricsTokenLength = 16;

function metricsToken(value: string): string {
  if (value !== '' && !/^[\x21-\x7e]+$/.test(value)) {
    throw new StartRefusal('METRICS_TOKEN may only contain printable ASCII characters without spaces');
  }
  if (value !== '' && value.length < leastMetricsTokenLength) {
    throw new StartRefusal(`METRICS_TOKEN is shorter than ${leastMetricsTokenLength} characters, choose a longer one`);
  }
  return value;
}

/** Minimum length, characters. The secret decrypts all secrets in the store, and a shorter secret could be guessed. */
const leastClusterSecretLength = 16;

function clusterSettings({ url, secret, name }: { url: string; secret: string; name: string }) {
  if (url === '') return undefined;
  if (secret.length < leastClusterSecretLength) {
    const found = secret === '' ? 'is missing' : `is shorter than ${leastClusterSecretLength} characters`;
    throw new StartRefusal(`CLUSTER_SECRET ${found}: CLUSTER_URL requires the same secret on every server`);
  }
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw new StartRefusal(`CLUSTER_NAME="${name}" must have at most 64 characters, only letters, digits and _ - .`);
  }
  return { address: parseClusterAddress(url), name, secret };
}

function ownNode(text: (name: string, fallback?: string) => string): PlatformEnv['node'] {
  return {
    name: nodeName(text('NODE_NAME', hostname())),
    // Other nodes cannot use an external SRS, so this node announces no address.
    address:
      text('MEDIA_SERVER') === 'srs'
        ? undefined
        : readNodeAddress(text('CLUSTER_LISTEN', defaultClusterListen), text('CLUSTER_ADVERTISE')),
  };
}

/** Maximum length of a node name, characters. Names appear in lists and logs. */
const maxNodeNameLength = 64;

function nodeName(value: string): string {
  if (value.length <= maxNodeNameLength && /^[\p{L}\p{N} ._-]+$/u.test(value)) return value;
  throw new StartRefusal(
    `NODE_NAME="${value}" must have at most ${maxNodeNameLength} characters, only letters, digits, spaces and _ - .`,
  );
}

function shownPortsOf(text: (variable: string) => string): PlatformEnv['shownPorts'] {
  return {
    rtmp: text('RTMP_PORT'),
    http: text('HTTP_PORT'),
    rtsp: text('RTSP_PORT'),
    srt: text('SRT_PORT'),
    rtc: text('RTC_PORT'),
  };
}

function workerShareOf(slots: string, kinds: string): PlatformEnv['workerShare'] {
  return { slots: workerSlots(slots), kinds: workerKindsOf(kinds) };
}

/** Parses the maximum number of tasks: `all`, or a number; 0 for none. */
function workerSlots(value: string): number {
  if (value === 'all') return Infinity;
  if (!/^\d{1,4}$/.test(value))
    throw new StartRefusal(`WORKER_SLOTS="${value}" must be a number up to 9999, or the word all`);
  return Number(value);
}

function workerKindsOf(value: string): WorkerKind[] {
  return value.split(/[\s,]+/).map((each) => {
    const kind = workerKinds.find((known) => known === each);
    if (!kind) throw new StartRefusal(`WORKER_KINDS names "${each}", which is not one of ${workerKinds.join(', ')}`);
    return kind;
  });
}

/** Refuses a relative path, which would depend on the working directory of the server. */
function absolutePath(variable: string, value: string): string {
  if (value !== '' && !isAbsolute(value)) throw new StartRefusal(`${variable}="${value}" is not an absolute path`);
  return value;
}

function httpsUrl(variable: string, value: string): string {
  if (URL.parse(value)?.protocol !== 'https:')
    throw new StartRefusal(`${variable}="${value}" is not an https:// address`);
  return value;
}

function httpUrl(variable: string, value: string): URL | undefined {
  if (value === '') return undefined;
  const url = URL.parse(value);
  if (url?.protocol !== 'http:') throw new StartRefusal(`${variable}="${value}" is not an http:// address`);
  return url;
}

function cloudRegion(value: string): string {
  if (!/^[a-z]{2}-[a-z]{2,20}(?:-\d)?$/.test(value)) {
    throw new StartRefusal(`TENCENT_REGION="${value}" is not a region such as ap-guangzhou`);
  }
  return value;
}

function logLevel(value: string): string {
  if (!logLevels.includes(value)) throw new StartRefusal(`LOG_LEVEL="${value}" is not one of ${logLevels.join(', ')}`);
  return value;
}
