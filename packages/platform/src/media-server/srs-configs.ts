// Generates SRS configurations for the operator to copy: a single server, an origin for encoders, and edges that pull from the origin.
import type { SrsRole } from '@srs-stack/contract';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import { type HostPort, nameOf } from './media-server-address.ts';
import { quoted } from './vhost-config.ts';

export interface SrsConfigFacts {
  /** HTTP APIs and HTTP servers of all SRS servers, in the same order. The first server is the origin. */
  readonly apis: readonly HostPort[];
  readonly https: readonly HostPort[];
  /** Media ports of the origin; null for a disabled protocol. */
  readonly ports: { readonly rtmp: number; readonly srt: number | null; readonly rtc: number | null };
  /** Public addresses for WebRTC. If empty, SRS detects its address. */
  readonly candidates: readonly string[];
  /** HTTP port of this server, and the host name that other machines use. */
  readonly callbacks: { readonly host: string; readonly port: number; readonly secret: string };
  readonly hlsPath: string;
  /** Absolute path of the file with the generated `hls` block, for an SRS on this machine. */
  readonly vhostFile: string;
  /** The generated `hls` block, for an SRS on another machine. */
  readonly hlsBlock: string;
}

export interface SrsConfig {
  readonly role: SrsRole;
  readonly server: string;
  readonly fileName: string;
  readonly text: string;
}

const callbackPath = '/terraform/v1/hooks/srs';

/**
 * Configurations for a single server, for the origin, and for each edge. Without configured edges, adds an example edge on this machine.
 */
export function srsConfigs(facts: SrsConfigFacts): SrsConfig[] {
  const [api, ...edges] = facts.apis;
  const origin = { api: api!, http: facts.https[0]! };
  const example = { host: '127.0.0.1', port: origin.api.port + 1 };
  const edgeApis = edges.length > 0 ? edges : [example];
  return [
    { role: 'single', server: nameOf(origin.api), fileName: 'srs.conf', text: originText(facts, 'srs') },
    { role: 'origin', server: nameOf(origin.api), fileName: 'srs-origin.conf', text: originText(facts, 'srs-origin') },
    ...edgeApis.map((edge, index): SrsConfig => {
      const http = facts.https[index + 1] ?? { host: edge.host, port: origin.http.port + index + 1 };
      const name = edgeApis.length === 1 ? 'srs-edge' : `srs-edge-${index + 1}`;
      const isBesideOrigin = edge.host === origin.api.host;
      const rtmpPort = facts.ports.rtmp + (isBesideOrigin ? index + 1 : 0);
      const text = edgeText(facts, { name, api: edge, http, rtmpPort });
      return { role: 'edge', server: nameOf(edge), fileName: `${name}.conf`, text };
    }),
  ];
}

function originText(facts: SrsConfigFacts, name: string): string {
  const { ports, candidates, vhostFile, hlsBlock, apis, https } = facts;
  const api = apis[0]!;
  const isHere = isOwnHost(api.host);
  const rtc = ports.rtc === null ? [] : rtcServer(ports.rtc, candidates);
  const srt = ports.srt === null ? [] : [`srt_server { enabled on; listen ${ports.srt}; }`];
  return lines(
    ...head(name, ports.rtmp),
    ...servers(facts, api, https[0]!),
    ...srt,
    ...rtc,
    'vhost __defaultVhost__ {',
    '    http_remux { enabled on; mount [vhost]/[app]/[stream].flv; }',
    ...(ports.srt === null ? [] : ['    srt { enabled on; srt_to_rtmp on; }']),
    ...(ports.rtc === null ? [] : ['    rtc { enabled on; rtmp_to_rtc on; rtc_to_rtmp on; }']),
    ...hooks(facts, api.host, ['on_publish', 'on_unpublish', 'on_play', 'on_stop', 'on_hls']),
    ...(isHere
      ? [`    include ${quoted(vhostFile)};`]
      : [
          '    # The current HLS settings; recordings need this folder under the same path on both machines.',
          ...indented(hlsBlock),
        ]),
    '}',
  );
}

interface Edge {
  readonly name: string;
  readonly api: HostPort;
  readonly http: HostPort;
  readonly rtmpPort: number;
}

/**
 * Configuration of an edge. An edge has no publish callbacks, because it forwards publishers to the origin. The origin authorizes
 * publishers.
 */
function edgeText(facts: SrsConfigFacts, { name, api, http, rtmpPort }: Edge): string {
  const from = facts.apis[0]!.host;
  const originHost = isOwnHost(from) && !isOwnHost(api.host) ? facts.callbacks.host : from;
  return lines(
    ...head(name, rtmpPort),
    ...servers(facts, api, http),
    'vhost __defaultVhost__ {',
    `    cluster { mode remote; origin ${nameOf({ host: originHost, port: facts.ports.rtmp })}; }`,
    '    http_remux { enabled on; mount [vhost]/[app]/[stream].flv; }',
    ...hooks(facts, api.host, ['on_play', 'on_stop']),
    '}',
  );
}

function head(name: string, rtmpPort: number): string[] {
  return [
    `# SRS 5 or newer, run as: ./objs/srs -c ${name}.conf`,
    `listen ${rtmpPort};`,
    'daemon off;',
    'srs_log_tank console;',
    `pid ./${name}.pid;`,
    'heartbeat { enabled off; }',
  ];
}

function servers({ hlsPath }: SrsConfigFacts, api: HostPort, http: HostPort): string[] {
  const isOpen = !isLoopback(api.host);
  return [
    ...(isOpen ? ['# This API controls the server without a password: allow only SRS Stack to reach its port.'] : []),
    `http_api { enabled on; listen ${listenText(api)}; raw_api { enabled on; allow_reload on; } }`,
    `http_server { enabled on; listen ${listenText(http)}; dir ${quoted(hlsPath)}; }`,
  ];
}

function rtcServer(port: number, candidates: readonly string[]): string[] {
  return [`rtc_server { enabled on; listen ${port}; candidate ${candidates.join(' ') || '*'}; }`];
}

type Hook = 'on_publish' | 'on_unpublish' | 'on_play' | 'on_stop' | 'on_hls';

/** The `http_hooks` block. Callbacks from this machine need no secret. */
function hooks({ callbacks }: SrsConfigFacts, srsHost: string, names: readonly Hook[]): string[] {
  const { host, port, secret } = callbacks;
  const base = `http://${nameOf({ host: isOwnHost(srsHost) ? '127.0.0.1' : host, port })}${callbackPath}`;
  const query = isOwnHost(srsHost) || secret === '' ? '' : `?callback_secret=${encodeURIComponent(secret)}`;
  return [
    '    http_hooks {',
    '        enabled on;',
    ...names.map((name) => `        ${name} ${base}/${name === 'on_hls' ? 'hls' : 'verify'}${query};`),
    '    }',
  ];
}

function isOwnHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}

/** Address of a `listen` directive. SRS binds addresses, not names. */
function listenText({ host, port }: HostPort): string {
  if (host === 'localhost') return `127.0.0.1:${port}`;
  return /^[\d.]+$|:/.test(host) ? nameOf({ host, port }) : String(port);
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
