// The servers under test: the start command and the publish and play addresses of each server. `{s}` is the stream name.
import { fileURLToPath } from 'node:url';
import { ports } from './ports.ts';
import { apiSecret, httpUrl, productCommand, productEnvironment, publishSecret } from './product.ts';

export interface Server {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tcp: readonly number[];
  readonly udp: readonly number[];
  readonly rtmp?: string;
  readonly flv?: string;
  readonly rtsp?: string;
  readonly hls?: string;
  readonly whip?: string;
  readonly whep?: string;
  readonly srt?: {
    readonly port: number;
    readonly publish: string;
    readonly playPort: number;
    readonly play: string;
    /** Maximum number of streams. */
    readonly most: number;
  };
  readonly answersCalls?: boolean;
  /** Whether the server is this product, whose processes, API and settings the bench knows. */
  readonly isProduct: boolean;
  /** Result tables that include the server; by default the tables of all scenarios that run on the server. */
  readonly tables?: readonly string[];
  /** Whether the server is tested only when `--servers` names it. */
  readonly isOnlyNamed?: boolean;
}

/** Number of gateways that the product is started with; 1 for other servers. */
export function gatewayCount({ env }: Server): number {
  return Number(env?.GATEWAYS ?? 1);
}

const conf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const rtmp = `rtmp://127.0.0.1:${ports.rtmp}/live/{s}`;
const flv = `${httpUrl}/live/{s}.flv`;
const hls = `${httpUrl}/live/{s}.m3u8`;
const secret = `secret=${publishSecret}`;

/** @param runFolder folder for data folders and logs. */
export function serversUnderTest(runFolder: string): Server[] {
  const product = defaultProduct(runFolder);
  return [
    product,
    {
      ...product,
      name: 'srs-stack-100ms',
      title: 'this product, MERGE_WINDOW_MS=100',
      env: { ...product.env, MERGE_WINDOW_MS: '100' },
    },
    {
      ...product,
      name: 'srs-stack-2',
      title: 'this product, GATEWAYS=2',
      env: { ...product.env, GATEWAYS: '2' },
      udp: [ports.srt, ports.rtc, ports.rtc + 1],
      tables: ['capacity', 'copies'],
    },
    {
      ...product,
      name: 'srs-stack-redis',
      title: 'this product, its store in a Redis on the same machine',
      command: process.execPath,
      env: { ...product.env, DATA_DIR: `${runFolder}/product-redis` },
      args: [conf('with-redis.ts'), productCommand.command, ...productCommand.args],
      tables: ['calls'],
    },
    ...peers(runFolder),
    ...srs(runFolder),
  ];
}

function defaultProduct(runFolder: string): Server {
  return {
    name: 'srs-stack',
    title: 'this product, default settings',
    ...productCommand,
    env: productEnvironment(`${runFolder}/product`),
    tcp: [ports.http, ports.rtmp, ports.srsApi],
    udp: [ports.srt, ports.rtc],
    rtmp: `${rtmp}?${secret}`,
    flv,
    rtsp: `rtsp://127.0.0.1:${ports.rtsp}/live/{s}`,
    hls,
    whip: `${httpUrl}/rtc/v1/whip/?app=live&stream={s}&${secret}`,
    whep: `${httpUrl}/rtc/v1/whep/?app=live&stream={s}`,
    srt: {
      port: ports.srt,
      publish: `#!::r=live/{s},${secret},m=publish`,
      playPort: ports.srt,
      play: '#!::r=live/{s},m=request',
      most: 1_000,
    },
    answersCalls: true,
    isProduct: true,
  };
}

function peers(runFolder: string): Server[] {
  return [
    {
      name: 'bare',
      title: 'a Node server without rules, of the same structure (bare/); goals are ratios to it',
      command: process.execPath,
      args: [conf('../bare/server.ts'), String(ports.rtmp), String(ports.http), apiSecret],
      tcp: [ports.http, ports.rtmp],
      udp: [],
      rtmp,
      flv,
      answersCalls: true,
      isProduct: false,
      tables: ['join', 'rush', 'calls', 'api', 'startup'],
    },
    ...[0, 30].map((mergeMs) => bareC(runFolder, mergeMs)),
    bareHls(runFolder),
    {
      name: 'node-media-server',
      title: 'node-media-server 4.4.3 (npm), recording and admin console off',
      command: process.execPath,
      args: [conf('nms-run.cjs'), String(ports.rtmp), String(ports.http), `${runFolder}/nms-data`],
      tcp: [ports.http, ports.rtmp],
      udp: [],
      rtmp,
      flv,
      isProduct: false,
    },
    {
      name: 'srt-live-transmit',
      title: "libsrt's srt-live-transmit, SRT in to SRT out, one stream",
      command: 'srt-live-transmit',
      args: [
        '-q',
        '-a:yes',
        `srt://127.0.0.1:${ports.srt}?mode=listener&latency=20`,
        `srt://127.0.0.1:${ports.srtOut}?mode=listener&latency=20`,
      ],
      tcp: [],
      udp: [ports.srt, ports.srtOut],
      srt: { port: ports.srt, publish: '', playPort: ports.srtOut, play: '', most: 1 },
      isProduct: false,
    },
  ];
}

/** Minimal HTTP-FLV server as a lower bound of the cost. Each write sends the tags of `mergeMs`, or one tag if `mergeMs` is 0. */
function bareC(runFolder: string, mergeMs: number): Server {
  return {
    name: mergeMs === 0 ? 'bare-c' : `bare-c-${mergeMs}ms`,
    title: `a C program that only writes HTTP-FLV to viewers (bare/flv-fan-out.c), ${mergeMs} ms merge window`,
    command: `${runFolder}/flv-fan-out`,
    args: [String(ports.http), String(mergeMs), process.execPath, conf('../bare/flv-feed.ts'), String(ports.rtmp)],
    tcp: [ports.http, ports.rtmp],
    udp: [],
    rtmp,
    flv,
    isProduct: false,
    tables: ['rush', 'fan'],
    isOnlyNamed: true,
  };
}

/** Minimal HLS server as a lower bound of the cost: sends files from the page cache. */
function bareHls(runFolder: string): Server {
  return {
    name: 'bare-c-hls',
    title: 'a C program that only sends HLS files with sendfile (bare/hls-serve.c)',
    command: `${runFolder}/hls-serve`,
    args: [String(ports.http), runFolder, process.execPath, conf('../bare/hls-feed.ts'), String(ports.rtmp), runFolder],
    tcp: [ports.http, ports.rtmp],
    udp: [],
    rtmp,
    hls,
    isProduct: false,
    tables: ['hls'],
    isOnlyNamed: true,
  };
}

/** SRS is not an npm package, so SRS is tested only if the variable SRS names its binary. */
function srs(runFolder: string): Server[] {
  if (!process.env.SRS) return [];
  const common: Omit<Server, 'name' | 'title' | 'args'> = {
    command: process.env.SRS,
    tcp: [ports.http, ports.rtmp, ports.srsApi],
    udp: [ports.srt, ports.rtc],
    rtmp,
    flv,
    isProduct: false,
  };
  const rtc = `http://127.0.0.1:${ports.srsApi}/rtc/v1`;
  const webrtc = { whip: `${rtc}/whip/?app=live&stream={s}`, whep: `${rtc}/whep/?app=live&stream={s}` };
  return [
    {
      ...common,
      ...webrtc,
      name: 'srs',
      title: 'SRS, 10 ms merge window (conf/srs-conf.ts)',
      args: ['-c', `${runFolder}/srs.conf`],
      hls,
      srt: {
        port: ports.srt,
        publish: '#!::r=live/{s},m=publish',
        playPort: ports.srt,
        play: '#!::r=live/{s},m=request',
        most: 1_000,
      },
    },
    {
      ...common,
      name: 'srs-without-hls',
      title: 'the same SRS, HLS off',
      args: ['-c', `${runFolder}/srs-without-hls.conf`],
      tables: ['ingest'],
    },
    {
      ...common,
      ...webrtc,
      name: 'srs-bridged',
      title: 'the same SRS, which also converts a WebRTC publication to HTTP-FLV and HLS, as the product does',
      args: ['-c', `${runFolder}/srs-bridged.conf`],
      hls,
      tables: ['whep', 'churn'],
    },
  ];
}
