// Finds cameras on the networks of this machine: sends a WS-Discovery probe (WS-Discovery 1.1 of April 2005, ONVIF Core §7) and collects
// responses for some seconds. Any device can respond: a response is only a suggestion, and may name only the address of its sender.
import { randomUUID } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DiscoveredCamera } from '@srs-stack/contract';
import { isForbiddenAddress } from '../../network/address-rule.ts';
import { childAt, childrenNamed, parseXml, textAt, type XmlElement } from './soap-xml.ts';

const group = { address: '239.255.255.250', port: 3702 } as const;
/** Time to wait for responses, milliseconds. Cameras delay a response by up to half a second. */
const responsesWithinMs = 3_000;
/** A second probe is sent after this time, milliseconds, because a datagram may be lost. */
const probeAgainAfterMs = 1_000;
/** Maximum number of listed cameras. */
const maxCameras = 128;
/** Maximum number of responses per search. A camera responds to each probe, on each network. */
const maxResponses = 1_024;
/** Maximum number of responses per source address. A recorder responds for each of its cameras. */
const maxResponsesOfAddress = 64;
/** Maximum number of listed cameras per source address. */
const maxCamerasOfAddress = 32;
/** Maximum size of a response, bytes. Typical responses have one or two kilobytes. */
const maxResponseBytes = 16 * 1024;
/** Maximum length of a name or model, characters. */
const maxNameLength = 100;

export interface DiscoveryOptions {
  /** Destination of the probe; default: the multicast group. */
  readonly target?: { readonly address: string; readonly port: number };
  readonly signal?: AbortSignal;
}

/** Resolves after some seconds with the responding cameras, sorted by address. */
export async function discoverCameras({ target = group, signal }: DiscoveryOptions = {}): Promise<DiscoveredCamera[]> {
  const found = new Found();
  const take = (data: Buffer, { address }: RemoteInfo): void => {
    if (data.length > maxResponseBytes || isForbiddenAddress(address) || !found.accepts(address)) return;
    const camera = toCamera(data.toString('utf8'), address);
    if (camera) found.add(camera);
  };
  const sockets = await openSockets(target.address, take);
  try {
    const probe = () => {
      for (const socket of sockets) socket.send(writeProbe(), target.port, target.address, () => undefined);
    };
    probe();
    await sleep(probeAgainAfterMs, undefined, { ...(signal && { signal }) });
    probe();
    await sleep(responsesWithinMs - probeAgainAfterMs, undefined, { ...(signal && { signal }) });
  } finally {
    for (const socket of sockets) socket.close();
  }
  return found.all().sort((a, b) => a.address.localeCompare(b.address, 'en', { numeric: true }));
}

/** The cameras of one search. Limits per sender keep room for other cameras. */
class Found {
  readonly #cameras = new Map<string, DiscoveredCamera>();
  readonly #responses = new Map<string, number>();
  #count = 0;

  accepts(sender: string): boolean {
    const responses = (this.#responses.get(sender) ?? 0) + 1;
    if (responses > maxResponsesOfAddress || this.#count >= maxResponses) return false;
    this.#responses.set(sender, responses);
    this.#count++;
    return true;
  }

  add(camera: DiscoveredCamera): void {
    const ofHost = [...this.#cameras.values()].filter(({ host }) => host === camera.host).length;
    const hasRoom = this.#cameras.size < maxCameras && ofHost < maxCamerasOfAddress;
    if (hasRoom || this.#cameras.has(camera.address)) this.#cameras.set(camera.address, camera);
  }

  all(): DiscoveredCamera[] {
    return [...this.#cameras.values()];
  }
}

/**
 * Opens one socket per IPv4 address, because a socket sends a probe to one network only. Includes loopback, where a local program may
 * emulate a camera.
 */
async function openSockets(target: string, take: (data: Buffer, from: RemoteInfo) => void): Promise<Socket[]> {
  const isLocal = target.startsWith('127.');
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && (internal || !isLocal))
    .map(({ address }) => address);
  const opened = await Promise.allSettled(addresses.map((address) => openSocket(address, take)));
  return opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

async function openSocket(address: string, take: (data: Buffer, from: RemoteInfo) => void): Promise<Socket> {
  const socket = createSocket('udp4', take);
  try {
    socket.bind(0, address);
    await once(socket, 'listening');
    socket.setMulticastInterface(address);
  } catch (error) {
    socket.close();
    throw error;
  }
  // A network may disappear during the search.
  socket.on('error', () => undefined);
  return socket;
}

function writeProbe(): string {
  const addressing = 'http://schemas.xmlsoap.org/ws/2004/08/addressing';
  const discovery = 'http://schemas.xmlsoap.org/ws/2005/04/discovery';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="${addressing}" xmlns:d="${discovery}">`,
    `<s:Header><a:Action s:mustUnderstand="1">${discovery}/Probe</a:Action><a:MessageID>urn:uuid:${randomUUID()}</a:MessageID>`,
    '<a:To s:mustUnderstand="1">urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To></s:Header>',
    '<s:Body><d:Probe><d:Types xmlns:dn="http://www.onvif.org/ver10/network/wsdl">dn:NetworkVideoTransmitter</d:Types></d:Probe></s:Body>',
    '</s:Envelope>',
  ].join('');
}

/** Parses a response. Undefined if the response names no device at the sender's address. */
export function toCamera(text: string, sender: string): DiscoveredCamera | undefined {
  const matches = childAt(parseXml(text), 'Body', 'ProbeMatches');
  for (const match of childrenNamed(matches, 'ProbeMatch')) {
    const address = textAt(match, 'XAddrs')
      .split(/\s+/)
      .find((each) => isDeviceAddress(each, sender));
    if (address === undefined) continue;
    return { address, host: sender, name: scopeOf(match, 'name'), model: scopeOf(match, 'hardware') };
  }
  return undefined;
}

function isDeviceAddress(address: string, sender: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb && hostname === sender && username === '' && password === '';
}

/** Value of a scope: `onvif://www.onvif.org/name/Front%20door` → `Front door`. */
function scopeOf(match: XmlElement, kind: string): string {
  const start = `onvif://www.onvif.org/${kind}/`;
  const scope = textAt(match, 'Scopes')
    .split(/\s+/)
    .find((each) => each.toLowerCase().startsWith(start));
  const text = scope?.slice(start.length) ?? '';
  try {
    return decodeURIComponent(text).slice(0, maxNameLength);
  } catch {
    return text.slice(0, maxNameLength);
  }
}
