// The text printed when the product is ready. Pure.
import type { NetworkInterfaceInfo } from 'node:os';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { ListenHosts } from './listen-hosts.ts';

export interface BannerFacts {
  readonly version: string;
  readonly ports: BoundPorts;
  readonly hosts: ListenHosts;
  /** Addresses of the configured SRS servers if none of them responds. Otherwise undefined. */
  readonly absentMediaServer?: string | undefined;
  readonly dataDir: string;
  /** Number of gateways that share the ports. The WebRTC ports are not shared: each gateway has its own, numbered consecutively. */
  readonly gateways: number;
  readonly addresses: readonly string[];
  readonly passwordSet: boolean;
  /** Whether a setup token is configured. Setting the first password requires the token. */
  readonly setupTokenSet: boolean;
  /** Milliseconds from the command to the first successful call. */
  readonly startedInMs: number;
}

/** The banner without a trailing newline. */
export function bannerText(facts: BannerFacts): string {
  const lines = [
    '',
    `  SRS Stack ${facts.version} is ready (${(facts.startedInMs / 1000).toFixed(1)} s)`,
    '',
    ...consoleUrls(facts).map((url, index) => row(index === 0 ? 'Console' : '', url)),
    ...(facts.absentMediaServer === undefined ? publishRows(facts) : []),
    row('Data folder', facts.dataDir),
    ...mediaServerNote(facts),
    ...passwordNote(facts),
    '',
  ];
  return lines.join('\n');
}

/** IPv4 addresses of this machine, without loopback. */
export function reachableAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  return Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter((entry) => entry.family === 'IPv4' && !entry.internal)
    .map((entry) => entry.address);
}

function consoleUrls({ ports, hosts, addresses }: BannerFacts): string[] {
  const plain = hosts.http === undefined ? ['localhost', ...addresses] : [hosts.http];
  const urls = plain.map((host) => `http://${host}:${ports.http}/mgmt`);
  return [...urls, `https://${hosts.https ?? 'localhost'}:${ports.https}/mgmt`];
}

function publishRows({ ports, hosts, gateways }: BannerFacts): string[] {
  const place = (host: string | undefined, port: number | string) =>
    host === undefined ? `port ${port}` : `${host}:${port}`;
  const rows = [row('Publish RTMP', `${place(hosts.rtmp, ports.rtmp)}/tcp`)];
  if (ports.rtmps) rows.push(row('Publish RTMPS', `${place(hosts.rtmps, ports.rtmps)}/tcp`));
  if (ports.rtsp) rows.push(row('Publish RTSP', `${place(hosts.rtsp, ports.rtsp)}/tcp`));
  if (ports.rtsps) rows.push(row('Publish RTSPS', `${place(hosts.rtsps, ports.rtsps)}/tcp`));
  if (ports.srt) rows.push(row('Publish SRT', `${place(hosts.srt, ports.srt)}/udp`));
  const last = gateways > 1 && ports.rtc ? `-${ports.rtc + gateways - 1}` : '';
  if (ports.rtc) rows.push(row('WebRTC', `${place(hosts.rtc, `${ports.rtc}${last}`)}/udp`));
  return rows;
}

function mediaServerNote({ absentMediaServer }: BannerFacts): string[] {
  if (absentMediaServer === undefined) return [];
  return [
    '',
    `  The external media server (SRS) does not respond at ${absentMediaServer}: nothing can be published or played until it runs.`,
  ];
}

function passwordNote({ passwordSet, setupTokenSet }: BannerFacts): string[] {
  if (passwordSet) return [];
  if (setupTokenSet) return ['', '  No password is set yet: open the console and enter the setup token to set it.'];
  return ['', '  No password is set yet: anyone who reaches the console can set it. Open it now and set yours.'];
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(14)}${value}`;
}
