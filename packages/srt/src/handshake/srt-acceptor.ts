// The listening side without sockets: many connections on one port. An induction gets a cookie and leaves no state. Valid conclusions wait
// for authorization, in limited number. Packets are passed to the connection with their socket id.
import { randomInt } from 'node:crypto';
import type { ConnectionEvents } from '../connection/connection-options.ts';
import { SrtConnection } from '../connection/srt-connection.ts';
import {
  flowWindowPackets,
  maxConnections,
  maxPendingHandshakes,
  maxPendingPerAddress,
  maxRememberedRefusals,
  pendingTimeoutUs,
  refusalMemoryUs,
} from '../limits.ts';
import {
  extensionType,
  type Handshake,
  handshakeType,
  parseHandshake,
  srtMagic,
  writeHandshake,
} from '../packet/handshake-packet.ts';
import { type ControlPacket, controlType, parsePacket, writeControlPacket } from '../packet/packet-header.ts';
import { SrtProtocolError } from '../protocol-error.ts';
import { type AgreedTerms, agreeOnConclusion } from './conclusion.ts';
import { connectionLimits, mtuBytes, type SrtOptions } from './handshake-options.ts';
import { KeyBudget } from './key-budget.ts';
import { type RejectReason, rejectReason } from './reject-reason.ts';
import { type RemoteAddress, SynCookies } from './syn-cookie.ts';

/** Socket ids have 30 bits, as in libsrt. */
const maxSocketId = 0x3fff_ffff;

/** A caller that completed the handshake and waits for authorization. */
export interface ConnectionRequest {
  readonly remote: RemoteAddress;
  readonly streamId: string;
  readonly isEncrypted: boolean;
  /** Accepts the caller. Returns undefined when the request has timed out, was dropped, or is already decided. */
  accept(events: Omit<ConnectionEvents, 'transmit'>, nowUs: number): SrtConnection | undefined;
  /** Refuses the caller with a code that the caller's program shows. */
  reject(reason: RejectReason, nowUs: number): void;
}

export interface AcceptorEvents {
  transmit(datagram: Buffer, remote: RemoteAddress): void;
  onRequest(request: ConnectionRequest): void;
  /** A handshake was refused before `onRequest`, e.g. because of its passphrase or mode, or because of too many connections. */
  onRefused?(remote: RemoteAddress, reason: RejectReason, streamId: string): void;
  /** A handler of a connection threw an error, and the connection is then closed. Without this callback the error is thrown. */
  onFault?(remote: RemoteAddress, error: unknown): void;
  /** A datagram for a connection of another listener on the same port. */
  onMisdelivered?(datagram: Buffer, remote: RemoteAddress, member: number): void;
  /** A datagram that is not SRT, has a wrong cookie, or belongs to no connection. */
  onStray?(remote: RemoteAddress, reason: string): void;
}

interface Pending {
  readonly remote: RemoteAddress;
  readonly sinceUs: number;
  state: 'waiting' | 'decided';
  response: Buffer | undefined;
  connection: SrtConnection | undefined;
}

interface Attached {
  readonly connection: SrtConnection;
  readonly remote: RemoteAddress;
  readonly callerKey: string;
}

export class SrtAcceptor {
  readonly #options: SrtOptions;
  readonly #events: AcceptorEvents;
  readonly #cookies: SynCookies;
  readonly #keyBudget = new KeyBudget();
  readonly #connections = new Map<number, Attached>();
  /** Waiting, refused and accepted handshakes by the address, port and socket id of their caller. */
  readonly #callers = new Map<string, Pending>();
  readonly #startUs: number;

  constructor(options: SrtOptions, events: AcceptorEvents, nowUs: number) {
    this.#options = options;
    this.#events = events;
    this.#cookies = new SynCookies(options.member?.cookieSecret, options.member?.clockOffsetUs);
    this.#startUs = nowUs;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Handles a datagram with any content. Invalid content never causes an exception. */
  handleDatagram(datagram: Buffer, remote: RemoteAddress, nowUs: number): void {
    try {
      const packet = parsePacket(datagram);
      const { member } = this.#options;
      const owner = member && packet.destinationSocketId % member.count;
      if (packet.destinationSocketId !== 0 && owner !== member?.index) {
        this.#events.onMisdelivered?.(datagram, remote, owner ?? 0);
        return;
      }
      const attached = this.#connections.get(packet.destinationSocketId);
      if (packet.kind === 'control' && packet.type === controlType.handshake)
        this.#handleHandshake(packet, remote, nowUs);
      else if (attached && isSameAddress(attached.remote, remote))
        this.#guard(attached, nowUs, () => attached.connection.handlePacket(packet, nowUs));
      else this.#events.onStray?.(remote, 'no such connection');
    } catch (error) {
      if (!(error instanceof SrtProtocolError)) throw error;
      this.#events.onStray?.(remote, error.message);
    }
  }

  #handleHandshake(packet: ControlPacket, remote: RemoteAddress, nowUs: number): void {
    const handshake = parseHandshake(packet.body);
    if (handshake.type === handshakeType.induction) this.#respondToInduction(handshake, remote, nowUs);
    else if (handshake.type === handshakeType.conclusion) this.#handleConclusion(handshake, packet, remote, nowUs);
  }

  /** The response has the length of a request. An attacker with a forged sender address thus cannot use it for amplification. */
  #respondToInduction(handshake: Handshake, remote: RemoteAddress, nowUs: number): void {
    const body = writeHandshake({
      ...handshake,
      version: 5,
      encryption: 0,
      extensionField: srtMagic,
      cookie: this.#cookies.issue(remote, nowUs),
      peerIp: remote.address,
      extensions: [],
    });
    this.#transmitHandshake(body, handshake.socketId, remote, nowUs);
  }

  #handleConclusion(handshake: Handshake, packet: ControlPacket, remote: RemoteAddress, nowUs: number): void {
    if (!this.#cookies.verify(handshake.cookie, remote, nowUs)) {
      this.#events.onStray?.(remote, 'handshake with a wrong cookie');
      return;
    }
    const key = `${remote.address}|${remote.port}|${handshake.socketId}`;
    const known = this.#callers.get(key);
    if (known) {
      if (known.response) this.#events.transmit(known.response, remote);
      return;
    }
    const pending: Pending = { remote, sinceUs: nowUs, state: 'waiting', response: undefined, connection: undefined };
    if (this.#connections.size >= maxConnections) {
      this.#refuse(pending, handshake, rejectReason.overload, nowUs, '');
      return;
    }
    if (this.#bringsKeys(handshake) && !this.#keyBudget.take(remote.address, nowUs)) return;
    this.#makeRoomFor(remote);
    this.#callers.set(key, pending);
    const agreement = agreeOnConclusion(handshake, this.#options);
    if (agreement.ok) this.#offer(key, pending, handshake, agreement.terms, packet.timestampUs, nowUs);
    else this.#refuse(pending, handshake, agreement.reject, nowUs, agreement.streamId);
  }

  #bringsKeys({ extensions }: Handshake): boolean {
    const isEncrypted = this.#options.passphrase !== undefined && this.#options.passphrase !== '';
    return isEncrypted && extensions.some(({ type }) => type === extensionType.keyMaterialRequest);
  }

  /**
   * Makes room for a new handshake. If the address is at its limit, drops its oldest waiting handshake; at the total limit, drops the
   * oldest of all. A dropped caller retries. Also limits the stored refusals.
   */
  #makeRoomFor(remote: RemoteAddress): void {
    const waiting: string[] = [];
    const waitingFromAddress: string[] = [];
    const refused: string[] = [];
    for (const [key, pending] of this.#callers) {
      if (pending.connection) continue;
      (pending.state === 'waiting' ? waiting : refused).push(key);
      if (pending.state === 'waiting' && pending.remote.address === remote.address) waitingFromAddress.push(key);
    }
    if (waitingFromAddress.length >= maxPendingPerAddress) this.#callers.delete(waitingFromAddress[0]!);
    else if (waiting.length >= maxPendingHandshakes) this.#callers.delete(waiting[0]!);
    if (refused.length >= maxRememberedRefusals) this.#callers.delete(refused[0]!);
  }

  #offer(
    key: string,
    pending: Pending,
    handshake: Handshake,
    terms: AgreedTerms,
    timestampUs: number,
    arrivedUs: number,
  ): void {
    const isOpen = () => this.#callers.get(key) === pending && pending.state === 'waiting';
    this.#events.onRequest({
      remote: pending.remote,
      streamId: terms.streamId,
      isEncrypted: terms.cipher !== undefined,
      accept: (events, nowUs) =>
        isOpen()
          ? this.#accept(key, pending, handshake, terms, { timestampUs, nowUs: arrivedUs }, events, nowUs)
          : undefined,
      reject: (reason, nowUs) => {
        if (isOpen()) this.#refuse(pending, handshake, reason, nowUs, terms.streamId, false);
      },
    });
  }

  #accept(
    key: string,
    pending: Pending,
    handshake: Handshake,
    terms: AgreedTerms,
    timeBase: { timestampUs: number; nowUs: number },
    events: Omit<ConnectionEvents, 'transmit'>,
    nowUs: number,
  ): SrtConnection {
    const socketId = this.#newSocketId();
    const remote = pending.remote;
    const connection = new SrtConnection(
      {
        socketId,
        peerSocketId: handshake.socketId,
        initialSequence: handshake.initialSequence,
        receiverLatencyMs: terms.receiverLatencyMs,
        senderLatencyMs: terms.senderLatencyMs,
        peerFlowWindowPackets: handshake.flowWindowPackets,
        startUs: this.#startUs,
        ...(handshake.version >= 5 ? { timeBase } : {}),
        ...(terms.cipher ? { cipher: terms.cipher } : {}),
        ...(this.#options.passphrase ? { passphrase: this.#options.passphrase } : {}),
        ...connectionLimits(this.#options),
      },
      {
        ...events,
        transmit: (datagram) => this.#events.transmit(datagram, remote),
        onClosed: (reason) => {
          this.#connections.delete(socketId);
          this.#callers.delete(key);
          events.onClosed(reason);
        },
      },
      nowUs,
    );
    this.#connections.set(socketId, { connection, remote, callerKey: key });
    pending.state = 'decided';
    pending.connection = connection;
    const body = conclusionOf(handshake, terms, { socketId, peerIp: remote.address });
    pending.response = this.#transmitHandshake(body, handshake.socketId, remote, nowUs);
    return connection;
  }

  #refuse(
    pending: Pending,
    handshake: Handshake,
    reason: RejectReason,
    nowUs: number,
    streamId: string,
    tellHost = true,
  ): void {
    pending.state = 'decided';
    const body = writeHandshake({
      ...handshake,
      version: Math.min(handshake.version, 5),
      encryption: 0,
      extensionField: 0,
      type: reason,
      peerIp: pending.remote.address,
      extensions: [],
    });
    pending.response = this.#transmitHandshake(body, handshake.socketId, pending.remote, nowUs);
    if (tellHost) this.#events.onRefused?.(pending.remote, reason, streamId);
  }

  #transmitHandshake(body: Buffer, destinationSocketId: number, remote: RemoteAddress, nowUs: number): Buffer {
    const header = { type: controlType.handshake, timestampUs: nowUs - this.#startUs, destinationSocketId };
    const datagram = writeControlPacket(header, body);
    this.#events.transmit(datagram, remote);
    return datagram;
  }

  /** Socket ids are random, so that clients cannot guess the ids of others. */
  #newSocketId(): number {
    const { index, count } = this.#options.member ?? { index: 0, count: 1 };
    for (;;) {
      const id = randomInt(1, Math.floor(maxSocketId / count)) * count + index;
      if (!this.#connections.has(id)) return id;
    }
  }

  /** Advances all connections and drops old handshakes. Returns the time of the next call, microseconds. */
  advance(nowUs: number): number {
    let nextUs = Number.POSITIVE_INFINITY;
    for (const attached of this.#connections.values()) {
      this.#guard(attached, nowUs, () => {
        nextUs = Math.min(nextUs, attached.connection.advance(nowUs));
      });
    }
    for (const [key, pending] of this.#callers) {
      if (pending.connection) continue;
      const limitUs = pending.state === 'waiting' ? pendingTimeoutUs : refusalMemoryUs;
      if (nowUs - pending.sinceUs > limitUs) this.#callers.delete(key);
    }
    return this.#callers.size > this.#connections.size ? Math.min(nextUs, nowUs + refusalMemoryUs) : nextUs;
  }

  /** An error in a handler closes only the connection of this handler. */
  #guard({ connection, remote }: Attached, nowUs: number, step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof SrtProtocolError || !this.#events.onFault) throw error;
      this.#events.onFault(remote, error);
      try {
        connection.close(nowUs);
      } catch (closeError) {
        this.#events.onFault(remote, closeError);
      }
    }
  }

  close(nowUs: number): void {
    for (const { connection } of [...this.#connections.values()]) connection.close(nowUs);
    this.#callers.clear();
  }
}

function isSameAddress(a: RemoteAddress, b: RemoteAddress): boolean {
  return a.port === b.port && a.address === b.address;
}

function conclusionOf(
  handshake: Handshake,
  terms: AgreedTerms,
  own: { readonly socketId: number; readonly peerIp: string },
): Buffer {
  return writeHandshake({
    ...handshake,
    ...own,
    version: Math.min(handshake.version, 5),
    encryption: 0,
    extensionField: terms.responseExtensionField,
    mtuBytes: Math.min(handshake.mtuBytes, mtuBytes),
    flowWindowPackets,
    extensions: terms.responseExtensions,
  });
}
