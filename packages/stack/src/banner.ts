// The text an operator sees when the product is ready. Pure: everything it tells is a parameter.
import type { NetworkInterfaceInfo } from 'node:os';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';

export interface BannerFacts {
  readonly version: string;
  readonly ports: BoundPorts;
  readonly dataDir: string;
  /** Addresses other machines may reach this one by. */
  readonly addresses: readonly string[];
  readonly passwordSet: boolean;
  /** A setup token is configured: only who knows it can set the first password. */
  readonly setupTokenSet: boolean;
  /** Milliseconds from the command to the first answered call. */
  readonly startedInMs: number;
}

/** Lines to print, without a trailing newline. */
export function bannerText(facts: BannerFacts): string {
  const lines = [
    '',
    `  SRS Stack ${facts.version} is ready (${(facts.startedInMs / 1000).toFixed(1)} s)`,
    '',
    ...consoleUrls(facts).map((url, index) => row(index === 0 ? 'Console' : '', url)),
    ...publishRows(facts.ports),
    row('Data folder', facts.dataDir),
    ...passwordNote(facts),
    '',
  ];
  return lines.join('\n');
}

/** IPv4 addresses of this machine that are not loopback. */
export function reachableAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  return Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter((entry) => entry.family === 'IPv4' && !entry.internal)
    .map((entry) => entry.address);
}

function consoleUrls({ ports, addresses }: BannerFacts): string[] {
  const plain = ['localhost', ...addresses].map((host) => `http://${host}:${ports.http}/mgmt`);
  return [...plain, `https://localhost:${ports.https}/mgmt`];
}

function publishRows(ports: BoundPorts): string[] {
  const rows = [];
  rows.push(row('Publish RTMP', `port ${ports.rtmp}/tcp`));
  if (ports.srt) rows.push(row('Publish SRT', `port ${ports.srt}/udp`));
  if (ports.rtc) rows.push(row('WebRTC', `port ${ports.rtc}/udp`));
  return rows;
}

function passwordNote({ passwordSet, setupTokenSet }: BannerFacts): string[] {
  if (passwordSet) return [];
  if (setupTokenSet) return ['', '  No password is set yet: open the console and enter the setup token to set it.'];
  return ['', '  No password is set yet: anyone who reaches the console can set it. Open it now and set yours.'];
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(14)}${value}`;
}
