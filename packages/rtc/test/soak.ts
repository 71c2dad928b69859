// Stress test of the port: garbage in every phase of a session, sessions and ports that close at any moment, invalid calls.
// `native.long.test.ts` runs this program in a child process with the sanitized addon, which exits at the first error. Usage: `node soak.ts
// <rounds> <seed>`. The last line is the result.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';

import { loadAddon } from '../src/native-addon.ts';
import { RtcPort, type RtcSession } from '../src/rtc-port.ts';
import {
  checkOf,
  type DatagramKind,
  kindOf,
  type LibraryPeer,
  loopback,
  openBare,
  openPeer,
  payloadType,
  Relay,
  rtp,
  senderReport,
  ssrc,
  UdpPeer,
  until,
  untilConnected,
} from './rtc-rig.ts';
import { wrongCalls } from './wrong-calls.ts';

const phases = ['before', 'checked', 'handshake', 'connected'] as const;
type Phase = (typeof phases)[number];
/** Endings of a session. With five of the nine endings, a session carries media before it ends. */
const endings = [...phases, 'peer', 'port', 'never', 'never', 'never'] as const;
type Ending = (typeof endings)[number];

const [rounds = 3, seed = 7] = process.argv.slice(2).map(Number);
let state = seed;
/** A number from 0 to `limit` - 1 (generator of Numerical Recipes, whose low bits are poor). */
function random(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state >>> 8) % limit;
}
const randomOf = <T>(list: readonly T[]): T => list[random(list.length)]!;

const results = {
  injected: {} as Record<string, number>,
  ended: {} as Record<string, number>,
  /** Connected sessions that still carried media after garbage, and sessions that ended because of garbage. */
  survived: 0,
  lost: 0,
  connected: 0,
  wrong: [] as string[],
};
const count = (where: Record<string, number>, name: string) => {
  where[name] = (where[name] ?? 0) + 1;
};

// --- Garbage ----------------------------------------------------------------------------------------------------------------

/** First bytes of every class of RFC 7983 §7, and of no class. */
const firstBytes = [0, 1, 3, 4, 16, 19, 20, 21, 22, 23, 25, 63, 64, 127, 128, 144, 160, 191, 192, 255];
const lengths = [0, 1, 2, 7, 8, 11, 12, 13, 19, 20, 28, 60, 300, 1200, 1500, 2047, 2048, 2049, 9000];

function garbage(first: number): Buffer {
  const datagram = Buffer.from(Array.from({ length: randomOf(lengths) }, () => random(256)));
  if (datagram.length > 0) datagram[0] = first;
  // Sets valid values after the record header, in the fields that DTLS reads first.
  if (first >= 20 && first <= 25 && datagram.length > 13 && random(2) === 0) {
    datagram.writeUInt16BE(0xfefd, 1);
    datagram.writeUInt16BE(random(2) === 0 ? 0 : 1, 3);
    datagram.writeUInt16BE(random(2) === 0 ? datagram.length - 13 : random(65_536), 11);
  }
  return datagram;
}

function mutated(original: Buffer): Buffer {
  const way = random(5);
  if (way === 0) return Buffer.from(original.subarray(0, random(original.length + 1)));
  if (way === 1) return Buffer.concat([original, garbage(0)]);
  const copy = Buffer.from(original);
  if (way === 2) return copy;
  for (let changes = 1 + random(4); changes > 0 && copy.length > 0; changes--) {
    const at = random(3) === 0 ? random(copy.length) : random(Math.min(copy.length, 30));
    copy[at]! ^= 1 + random(255);
  }
  return copy;
}

const recorded: Record<DatagramKind, Buffer[]> = { stun: [], dtls: [], media: [], unknown: [] };

function keep(datagram: Buffer): void {
  const list = recorded[kindOf(datagram)];
  if (list.length < 200) list.push(datagram);
  else list[random(list.length)] = datagram;
}

function badDatagram(): Buffer {
  const list = recorded[randomOf(['stun', 'dtls', 'media'] as const)];
  return random(3) > 0 && list.length > 0 ? mutated(randomOf(list)) : garbage(randomOf(firstBytes));
}

// --- One peer ---------------------------------------------------------------------------------------------------------------

type VictimPort = RtcPort & { isOver?: boolean };

class Victim {
  readonly #port: VictimPort;
  readonly #relay: Relay;
  readonly #stranger: UdpPeer;
  /** Phase from which the address of the peer also sends garbage. */
  readonly #injectFrom = random(2) === 0 ? phases.indexOf('connected') : random(phases.length);
  readonly #ending: Ending = randomOf(endings);
  #phase: Phase = 'before';
  #session: RtcSession | undefined;
  #peer: LibraryPeer | undefined;

  constructor(port: VictimPort, relay: Relay, stranger: UdpPeer) {
    this.#port = port;
    this.#relay = relay;
    this.#stranger = stranger;
    relay.judge = (datagram, isToPort) => this.#see(datagram, isToPort);
  }

  async live(): Promise<void> {
    this.#peer = await openPeer(this.#port, {
      setup: randomOf(['actpass', 'passive'] as const),
      relay: this.#relay,
      beforeAnswer: async (session) => {
        this.#session = session;
        await this.#enter('before');
      },
    });
    const { observed } = this.#peer;
    const isOver = () => observed.closed > 0 || this.#isGone();
    const deadline = performance.now() + handshakeMs;
    await until(() => observed.connected > 0 || isOver() || performance.now() > deadline);
    if (observed.connected === 0 || isOver()) return;
    results.connected++;
    await this.#enter('connected');
    if (!isOver()) await this.#sendAll();
    if (this.#ending === 'peer') this.#end('peer', () => this.#peer?.connection.close());
    if (this.#ending === 'port') this.#endPortInCallback();
  }

  #isEnded = false;
  #isGone = () => this.#isEnded || this.#port.isOver === true;

  close(): void {
    this.#session?.close();
    this.#session?.close();
    if (this.#session?.send(rtp(1, {}))) results.wrong.push('send to a closed session');
    this.#peer?.close();
    this.#relay.close();
  }

  #end(name: string, step: () => void): void {
    this.#isEnded = true;
    count(results.ended, name);
    step();
  }

  async #enter(phase: Phase): Promise<void> {
    if (phases.indexOf(phase) < phases.indexOf(this.#phase)) return;
    this.#phase = phase;
    await this.#inject(20);
    if (this.#ending === phase) this.#end(phase, () => this.#session?.close());
  }

  #see(datagram: Buffer, isToPort: boolean): boolean {
    if (isToPort) keep(datagram);
    const kind = kindOf(datagram);
    if (!isToPort && kind === 'stun' && this.#phase === 'before') void this.#enter('checked');
    if (kind === 'dtls' && this.#phase === 'checked') void this.#enter('handshake');
    void this.#inject(1);
    // Drops some datagrams, so that flights are retransmitted.
    return random(20) > 0;
  }

  async #inject(datagrams: number): Promise<void> {
    const isKnown = phases.indexOf(this.#phase) >= this.#injectFrom;
    for (let index = 0; index < datagrams; index++) {
      count(results.injected, `${this.#phase} ${isKnown ? 'known' : 'unknown'}`);
      await this.#stranger.send(badDatagram(), this.#port.port);
      if (isKnown) await this.#relay.far.send(badDatagram(), this.#port.port);
    }
  }

  /**
   * Sends media of random lengths in both directions, more than the queue holds, and packets that cannot be sent. Afterwards everything
   * must still work.
   */
  async #sendAll(): Promise<void> {
    const peer = this.#peer!;
    for (let sequence = 1; sequence <= 600; sequence++) {
      const bytes = random(4) === 0 ? random(1489) : 1000;
      peer.session.send(rtp(sequence, { type: payloadType.audio, source: ssrc.ofPort, bytes }));
    }
    for (const packet of [Buffer.alloc(0), Buffer.alloc(1), rtp(1, { bytes: 1489 }), Buffer.alloc(70_000, 0x80)])
      if (peer.session.send(packet)) results.wrong.push(`send of ${packet.length} bytes`);
    for (let index = 0; index < 50; index++) peer.session.send(mutated(rtp(index, { bytes: random(100) })));
    for (let index = 0; index < 50; index++) peer.session.send(mutated(senderReport(index)));
    for (let sequence = 1; sequence <= 50 && peer.video.isOpen(); sequence++)
      peer.video.sendMessageBinary(
        rtp(sequence, { type: payloadType.video, source: ssrc.ofPeer, bytes: random(1100) }),
      );
    await this.#inject(60);
    const before = peer.observed.packets.length;
    await until(() => {
      if (peer.video.isOpen()) peer.video.sendMessageBinary(senderReport(ssrc.ofPeer));
      return peer.observed.packets.length > before || peer.observed.closed > 0 || this.#isGone();
    }, 'a report after the garbage');
    if (this.#isGone()) return;
    if (peer.observed.closed > 0) results.lost++;
    else results.survived++;
  }

  #endPortInCallback(): void {
    this.#peer!.observed.packets.push = () => {
      this.#port.isOver = true;
      this.#port.close();
      return 0;
    };
    this.#end(
      'port',
      () => this.#peer!.video.isOpen() && this.#peer!.video.sendMessageBinary(senderReport(ssrc.ofPeer)),
    );
  }
}

/** Timeout of a handshake, milliseconds. Garbage from the peer's own address may end a handshake, which is no error. */
const handshakeMs = 1_500;

async function runPort(): Promise<void> {
  const faults: unknown[] = [];
  const port: VictimPort = new RtcPort({ host: random(3) === 0 ? '' : loopback, port: 0 }, (error) =>
    faults.push(error),
  );
  const stranger = await UdpPeer.open();
  const victims: Victim[] = [];
  for (let index = 0; index < 6; index++) victims.push(new Victim(port, await Relay.open(port.port), stranger));
  await Promise.all(victims.map((victim) => victim.live()));
  for (const victim of victims.toSorted(() => random(3) - 1)) victim.close();
  // The port closes in the same turn as its sessions, or later.
  if (random(2) === 0) await nextTurn();
  port.close();
  port.close();
  stranger.close();
  if (faults.length > 0) throw new AggregateError(faults, 'the port reported faults');
}

// --- The functions ----------------------------------------------------------------------------------------------------------

async function callAtRandom(): Promise<void> {
  const addon = loadAddon();
  const handle = addon.open(randomOf(['', loopback]), 0, () => undefined);
  const sessions = [0, 1, 65_536, 0xffff_ffff];
  const bytes = () => Buffer.alloc(randomOf([...lengths, 65_507, 65_508, 70_000]), random(256));
  // Addresses of any family. Invalid paths are refused; packets to unreachable paths are dropped.
  const path = () => Buffer.from(Array.from({ length: 40 }, () => random(2) * random(256)));
  const send = addon.sender(handle);
  const calls = [
    () =>
      sessions.push(
        addon.openSession(
          handle,
          random(2) === 0,
          randomOf(['sha-256', 'sha-512']),
          Buffer.alloc(random(257)),
          'u'.repeat(random(33)),
          'p'.repeat(random(65)),
        ),
      ),
    () => addon.closeSession(handle, randomOf(sessions)),
    () => addon.reach(handle, randomOf(sessions), path(), random(2) === 0),
    () => addon.reach(handle, randomOf(sessions), addon.path(loopback, 9 + random(3)), true),
    () => addon.move(handle, randomOf(sessions), path()),
    () => addon.start(handle, randomOf(sessions)),
    () => addon.sendPlain(handle, bytes(), path()),
    () => send(randomOf(sessions), Array.from({ length: random(4) }, bytes)),
    () => addon.flush(handle),
    () => addon.counters(handle),
    () => nextTurn(),
  ];
  for (let index = 0; index < 3_000; index++) await randomOf(calls)();
  const closed = addon.open(loopback, 0, () => undefined);
  addon.close(closed);
  addon.close(closed);
  results.wrong.push(...wrongCalls(addon, handle, closed));
  if (random(2) === 0) addon.close(handle);
}

/** An error that a listener throws reaches the process as usual, and the port keeps working. */
async function throwInListener(): Promise<void> {
  const addon = loadAddon();
  let calls = 0;
  const caught: unknown[] = [];
  const bug = new Error('planted');
  process.on('uncaughtException', (error) => caught.push(error));
  const handle = addon.open(loopback, 0, () => {
    calls++;
    throw bug;
  });
  const known = { ufrag: 'name', password: 'password' };
  addon.openSession(handle, true, 'sha-256', Buffer.alloc(32), known.ufrag, known.password);
  const peer = await UdpPeer.open();
  await until(() => {
    void peer.send(checkOf(known), addon.port(handle));
    return calls > 2 && caught.length > 2;
  });
  process.removeAllListeners('uncaughtException');
  if (caught.some((error) => error !== bug)) throw new AggregateError(caught, 'other errors than the listener’s');
  addon.close(handle);
  peer.close();
}

async function endWorker(): Promise<void> {
  const worker = new Worker(fileURLToPath(import.meta.url), { argv: process.argv.slice(2) });
  const [number] = await new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const peer = await UdpPeer.open();
  for (let index = 0; index < 200; index++) await peer.send(badDatagram(), number!);
  await worker.terminate();
  peer.close();
}

async function beWorker(): Promise<void> {
  const { parentPort } = await import('node:worker_threads');
  const port = new RtcPort({ host: loopback, port: 0 }, () => undefined);
  const peer = await UdpPeer.open();
  for (let index = 0; index < 10; index++) {
    const { session } = openBare(port, index % 2 === 0);
    await peer.send(checkOf(session), port.port);
  }
  peer.onDatagram = () => void peer.send(badDatagram(), port.port);
  parentPort?.postMessage([port.port]);
}

async function wander(): Promise<void> {
  const port = new RtcPort({ host: loopback, port: 0 }, () => undefined);
  const peers = await Promise.all(Array.from({ length: 12 }, () => UdpPeer.open()));
  for (let round = 0; round < 40; round++) {
    const { session } = openBare(port, random(2) === 0);
    for (let moves = random(30); moves > 0; moves--) await randomOf(peers).send(checkOf(session), port.port);
    await nextTurn();
    if (random(3) > 0) session.close();
  }
  port.close();
  for (const peer of peers) peer.close();
}

async function forgetHandles(): Promise<void> {
  for (let index = 0; index < 20; index++) {
    const addon = loadAddon();
    const handle = addon.open(loopback, 0, () => undefined);
    addon.openSession(handle, index % 2 === 0, 'sha-256', Buffer.alloc(32), `name ${index}`, 'password');
    if (index % 2 === 0) addon.close(handle);
  }
  const { gc } = globalThis as { gc?: () => void };
  for (let index = 0; index < 3; index++) {
    gc?.();
    await nextTurn();
  }
}

if (isMainThread) {
  const first = await openRecorded();
  for (let round = 0; round < rounds; round++) {
    await runPort();
    await callAtRandom();
    await wander();
    await endWorker();
  }
  await forgetHandles();
  await throwInListener();
  first();

  console.log(JSON.stringify(results));
  process.exit(0);
} else {
  await beWorker();
}

/** An undisturbed session, which records datagrams of every kind before the first garbage is sent. */
async function openRecorded(): Promise<() => void> {
  const port = new RtcPort({ host: loopback, port: 0 }, () => undefined);
  const relay = await Relay.open(port.port);
  relay.judge = (datagram, isToPort) => {
    if (isToPort) keep(datagram);
    return true;
  };
  const peer = await openPeer(port, { relay });
  await untilConnected(peer);
  peer.video.sendMessageBinary(rtp(1, { type: payloadType.video, source: ssrc.ofPeer }));
  peer.video.sendMessageBinary(senderReport(ssrc.ofPeer));
  await until(() => peer.observed.packets.length === 2);
  return () => {
    peer.session.close();
    peer.close();
    relay.close();
    port.close();
  };
}
