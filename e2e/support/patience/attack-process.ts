// Runs one attack of the matrix of slow peers: `node attack-process.ts <orders>`, where `orders` is an `AttackOrders` as JSON.
// A separate process does not disturb the measurement. The attack only targets the product under test, on loopback.
import { createSocket } from 'node:dgram';
import { connect, isIPv6, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Pattern } from './cells.ts';
import type { Origin } from './sources.ts';

export interface AttackOrders {
  readonly port: number;
  readonly transport: 'tcp' | 'tls' | 'udp';
  readonly pattern: Pattern;
  readonly connections: number;
  /** Data that a peer sends, in Base64. Attacks that pipeline send `more` repeatedly after `first`. */
  readonly first: string;
  readonly more: string;
  readonly origins: readonly Origin[];
  readonly ms: number;
}

/** Number of connections opened simultaneously, and pause before the next ones in milliseconds: the speed of an attacker's machine. */
const opening = { count: 50, pauseMs: 20 };
/** Interval between two writes of a peer, milliseconds. */
const writeEveryMs = 100;
/** Total write rate of all peers, bytes per second. The limit leaves CPU time for the product, which shares the processors. */
const bytesPerSecond = 2_000_000;
const fullReadBytes = 64 * 1024;

const orders = JSON.parse(process.argv[2] ?? '') as AttackOrders;
const endMs = performance.now() + orders.ms;
const isOver = (): boolean => performance.now() >= endMs;
const [first, more] = [Buffer.from(orders.first, 'base64'), Buffer.from(orders.more, 'base64')];
const open = new Set<{ destroy(): void }>();
/** Number of established connections and sent datagrams. */
let reached = 0;

function connectPeer(index: number): Socket {
  const raw = connect({ port: orders.port, ...originOf(index) }).on('error', () => undefined);
  const socket = orders.transport === 'tls' ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
  raw.once('connect', () => reached++);
  open.add(raw);
  raw.once('close', () => open.delete(raw));
  return socket.on('error', () => undefined);
}

async function attackByTcp(index: number): Promise<void> {
  if (orders.pattern === 'aborted') return abortAgain(index);
  const socket = connectPeer(index);
  if (orders.pattern === 'reading nothing') socket.pause();
  else socket.resume();
  if (orders.pattern === 'idle') return;
  if (orders.pattern === 'byte by byte') return trickle(first, (bytes) => socket.write(bytes));
  const share = Math.ceil((bytesPerSecond * writeEveryMs) / 1_000 / orders.connections);
  const flood = Buffer.concat(
    Array.from({ length: Math.ceil(Math.min(share, fullReadBytes) / more.length) }, () => more),
  );
  socket.write(first);
  while (!isOver() && !socket.destroyed) {
    if (socket.writableLength < fullReadBytes) socket.write(flood);
    await delay(writeEveryMs);
  }
}

async function abortAgain(index: number): Promise<void> {
  for (let at = index; !isOver(); at += orders.connections) {
    const socket = connectPeer(index);
    socket.write(first.subarray(0, at % (first.length + 1)), () => socket.destroy());
    await delay(writeEveryMs);
    socket.destroy();
  }
}

async function trickle(bytes: Buffer, write: (part: Buffer) => void): Promise<void> {
  for (let at = 0; at < bytes.length && !isOver(); at++) {
    write(bytes.subarray(at, at + 1));
    await delay(writeEveryMs);
  }
}

async function attackByUdp(index: number): Promise<void> {
  const { localAddress, host } = originOf(index);
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').on('error', () => undefined);
  if (orders.pattern !== 'reading nothing') socket.on('message', () => undefined);
  const isBound = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind({ address: localAddress }, () => resolve(true));
  });
  if (!isBound) return;
  open.add({ destroy: () => socket.close() });
  const send = (bytes: Buffer): void =>
    socket.send(bytes, orders.port, host, (error) => {
      if (!error) reached++;
    });
  send(first);
  const burst = Math.max(
    1,
    Math.floor((bytesPerSecond * writeEveryMs) / 1_000 / first.length / orders.connections / 4),
  );
  for (let at = index; !isOver() && orders.pattern !== 'idle'; at++) {
    if (orders.pattern === 'byte by byte' || orders.pattern === 'aborted')
      send(first.subarray(0, at % (first.length + 1)));
    else for (let sent = 0; sent < burst; sent++) send(first);
    await delay(writeEveryMs);
  }
}

function originOf(index: number): Origin {
  return orders.origins[index % orders.origins.length]!;
}

const attacks: Promise<void>[] = [];
for (let index = 0; index < orders.connections && !isOver(); index++) {
  attacks.push(orders.transport === 'udp' ? attackByUdp(index) : attackByTcp(index));
  if (index % opening.count === opening.count - 1) await delay(opening.pauseMs);
}
await delay(Math.max(0, endMs - performance.now()));
await Promise.all(attacks);
for (const each of open) each.destroy();
// An attack that reaches nothing proves nothing, so it fails.
process.exit(reached > 0 ? 0 : 1);
