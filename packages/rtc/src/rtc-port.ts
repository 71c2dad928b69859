// All WebRTC sessions of a UDP port. Responds to checks (ICE-lite, RFC 8445 §2.5), sends checks only to verify an address, and passes
// events of the addon to their session.
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { writeBindingRequest } from '@srs-stack/media/protocols/stun/binding-messages.ts';
import { createIceCredentials, localUfragOf } from '@srs-stack/media/protocols/stun/ice-credentials.ts';
import { IceLiteAgent } from '@srs-stack/media/protocols/stun/ice-lite-agent.ts';
import type { StunAddress } from '@srs-stack/media/protocols/stun/stun-address.ts';
import { hasIntegrity } from '@srs-stack/media/protocols/stun/stun-integrity.ts';
import { parseStunMessage, type StunMessage } from '@srs-stack/media/protocols/stun/stun-message.ts';
import {
  type AddonCounters,
  type AddonHandle,
  type AddonSend,
  addonReached,
  loadAddon,
  type RtcAddon,
} from './native-addon.ts';
import { withSystemCode } from './system-code.ts';

export interface RtcSessionEvents {
  onConnected(): void;
  /** The peer closed the connection, the handshake failed, or the peer was silent for 30 s. The session must then be closed. */
  onClosed(): void;
  /** A decrypted RTP or (compound) RTCP packet, whose buffer belongs to the receiver. */
  onDatagram(packet: Buffer): void;
}

export interface RtcSessionOptions {
  readonly remoteUfrag: string;
  readonly remotePassword: string;
  /** The peer is the DTLS client; the answer of this side contains `a=setup:passive`. */
  readonly isDtlsServer: boolean;
  /** Values of `a=fingerprint` of the peer, all with one hash function. The peer's certificate must match one of the first four. */
  readonly fingerprints: readonly { readonly hash: string; readonly digest: Buffer }[];
  /**
   * Addresses from the SDP of an ICE-lite peer, which sends no checks (RFC 8445 §2.5). A handshake from such an address is accepted once a
   * cookie has verified the address. If this side is the client, it starts with the first address, which therefore must be the address of
   * the caller.
   */
  readonly expectedAt?: readonly StunAddress[];
  readonly events: RtcSessionEvents;
}

export interface RtcSession {
  readonly ufrag: string;
  readonly password: string;
  /**
   * Encrypts and queues RTP and RTCP packets. Packets of one turn of the event loop are sent together. Returns the number of accepted
   * packets, counted from the first; 0 when the session is not connected. Keeps no buffer.
   */
  sendAll(packets: readonly Buffer[]): number;
  /** Sends one packet like `sendAll`; false when the packet is not accepted. */
  send(packet: Buffer): boolean;
  /** Sends a close alert and removes the session, which then emits no more events. Idempotent. */
  close(): void;
}

export interface RtcEndpoint {
  readonly host?: string;
  readonly port: number;
  /**
   * Returns the original sender of a check that another process of this machine forwarded. The response contains the address of this
   * sender.
   */
  readonly senderOf?: (seen: StunAddress) => StunAddress;
}

interface Entry {
  readonly session: number;
  readonly ice: IceLiteAgent;
  readonly events: RtcSessionEvents;
  /** Username of outgoing checks, `<peer's ufrag>:<own ufrag>`. Their password is the peer's. */
  readonly username: string;
  readonly remotePassword: string;
  /** The address under verification, with the transaction id of the check that was sent there. */
  proof: { readonly transactionId: string; readonly path: Buffer; readonly sentMs: number } | undefined;
}

interface Sender {
  readonly ip: string;
  readonly port: number;
  readonly path: Buffer;
}

/** Maximum number of a peer's fingerprints in the addon (`DTLS_MAX_DIGESTS`). */
const maxDigests = 4;
/** Minimum interval of checks to a peer's new address, milliseconds. Peers usually send their checks at this interval. */
const proofIntervalMs = 500;
const transactionIdBytes = 12;
/** Priority of this side's peer-reflexive candidate (RFC 8445 §5.1.2.1). */
const proofPriority = 1_845_501_695;
const iceRandom = (bytes: number): Buffer => randomBytes(bytes);

export class RtcPort {
  readonly port: number;
  /** SHA-256 of this side's certificate. */
  readonly fingerprint: Buffer;
  readonly #addon: RtcAddon;
  readonly #handle: AddonHandle;
  readonly #sendNow: AddonSend;
  readonly #byUfrag = new Map<string, Entry>();
  readonly #bySession = new Map<number, Entry>();
  /** Sessions with an address under verification, by transaction. */
  readonly #proving = new Map<string, Entry>();
  readonly #onFault: (error: unknown) => void;
  readonly #senderOf: NonNullable<RtcEndpoint['senderOf']>;
  #isFlushing = false;
  #isClosed = false;

  /**
   * Binds the port. Throws the system's error (`code`, `address`, `port`) if the port cannot be bound, and the loader's error if the addon
   * fails to load.
   */
  constructor({ host = '', port, senderOf = (seen) => seen }: RtcEndpoint, onFault: (error: unknown) => void) {
    this.#addon = loadAddon();
    this.#onFault = onFault;
    this.#senderOf = senderOf;
    this.#handle = withSystemCode({ host, port }, () =>
      this.#addon.open(host, port, (checks, events, media) => this.#take(checks, events, media)),
    );
    this.#sendNow = this.#addon.sender(this.#handle);
    this.port = this.#addon.port(this.#handle);
    this.fingerprint = this.#addon.fingerprint(this.#handle);
  }

  get sessionCount(): number {
    return this.#bySession.size;
  }

  get counters(): AddonCounters {
    return this.#addon.counters(this.#handle);
  }

  /** Opens a session; undefined when the maximum number of sessions is reached, or memory is exhausted. */
  openSession({
    remoteUfrag,
    remotePassword,
    isDtlsServer,
    fingerprints,
    expectedAt = [],
    events,
  }: RtcSessionOptions): RtcSession | undefined {
    const hash = fingerprints[0]?.hash ?? '';
    const digests = Buffer.concat(fingerprints.slice(0, maxDigests).map(({ digest }) => digest));
    const { ufrag, password } = createIceCredentials(iceRandom);
    const session = this.#addon.openSession(this.#handle, isDtlsServer, hash, digests, ufrag, password);
    if (session === 0) return undefined;
    const ice = new IceLiteAgent({ localUfrag: ufrag, localPassword: password, remoteUfrag });
    const username = `${remoteUfrag}:${ufrag}`;
    const entry: Entry = { session, ice, events, username, remotePassword, proof: undefined };
    this.#byUfrag.set(ufrag, entry);
    this.#bySession.set(session, entry);
    for (const at of expectedAt.filter(({ ip }) => isIP(ip) !== 0))
      this.#addon.expect(this.#handle, session, this.#addon.path(at.ip, at.port));
    return {
      ufrag,
      password,
      sendAll: (packets) => this.#send(session, packets),
      send: (packet) => this.#send(session, [packet]) === 1,
      close: () => this.#closeSession(ufrag, session),
    };
  }

  /** Ends all sessions without events, and releases the port. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#byUfrag.clear();
    this.#bySession.clear();
    this.#proving.clear();
    this.#addon.close(this.#handle);
  }

  #send(session: number, packets: readonly Buffer[]): number {
    if (this.#isClosed) return 0;
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      // Packets of one turn of the event loop are sent together, with few system calls for many viewers.
      queueMicrotask(() => this.#flush());
    }
    return this.#sendNow(session, packets);
  }

  #flush(): void {
    this.#isFlushing = false;
    if (!this.#isClosed) this.#addon.flush(this.#handle);
  }

  #closeSession(ufrag: string, session: number): void {
    this.#byUfrag.delete(ufrag);
    const entry = this.#bySession.get(session);
    if (!entry) return;
    this.#bySession.delete(session);
    if (entry.proof) this.#proving.delete(entry.proof.transactionId);
    this.#addon.closeSession(this.#handle, session);
  }

  #take(
    checks: readonly (Buffer | string | number)[],
    events: readonly (number | string)[],
    media: readonly (number | Buffer)[],
  ): void {
    for (let i = 0; i < checks.length && !this.#isClosed; i += 4) {
      const sender = { ip: checks[i + 1] as string, port: checks[i + 2] as number, path: checks[i + 3] as Buffer };
      this.#guard(() => this.#respond(checks[i] as Buffer, sender));
    }
    for (let i = 0; i < events.length; i += 2) {
      const entry = this.#bySession.get(events[i] as number);
      if (entry)
        this.#guard(() => (events[i + 1] === 'connected' ? entry.events.onConnected() : entry.events.onClosed()));
    }
    for (let i = 0; i < media.length; i += 2) {
      const entry = this.#bySession.get(media[i] as number);
      if (entry) this.#guard(() => entry.events.onDatagram(media[i + 1] as Buffer));
    }
  }

  /** An error in the handler of one session must not affect the packets of other sessions. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #respond(datagram: Buffer, sender: Sender): void {
    let message: StunMessage;
    try {
      message = parseStunMessage(datagram);
    } catch (error) {
      if (error instanceof ProtocolError) return; // anyone can send arbitrary data to a public port
      throw error;
    }
    if (message.class === 'success') this.#takeProof(datagram, message, sender);
    const entry = this.#byUfrag.get(localUfragOf(message) ?? '');
    if (!entry) return;
    const { response, isValid, isNominated } = entry.ice.handleCheck(datagram, message, this.#senderOf(sender));
    const reached = isValid
      ? this.#addon.reach(this.#handle, entry.session, sender.path, isNominated)
      : addonReached.yes;
    // Without a response, the peer repeats its check. By then, the previous session at this address may have timed out.
    if (reached === addonReached.not) return;
    if (reached === addonReached.contested) {
      this.#requestProof(entry, sender.path);
      return;
    }
    if (response) this.#addon.sendPlain(this.#handle, response, sender.path);
    if (reached === addonReached.unproven) this.#requestProof(entry, sender.path);
    // The handshake starts after the response, because peers discard earlier packets.
    if (isValid) this.#addon.start(this.#handle, entry.session);
  }

  /**
   * Sends a check to an address. A check from a peer does not prove its source address, because the peer knows its own password. The peer
   * must therefore respond to a check of this side (RFC 7675 §5.1) in two cases. In the first, media moves away from the address of the
   * handshake. In the second, a session gets an address that another session claims.
   */
  #requestProof(entry: Entry, path: Buffer): void {
    const now = performance.now();
    if (entry.proof && now - entry.proof.sentMs < proofIntervalMs) return;
    if (entry.proof) this.#proving.delete(entry.proof.transactionId);
    const transaction = randomBytes(transactionIdBytes);
    const transactionId = transaction.toString('latin1');
    entry.proof = { transactionId, path, sentMs: now };
    this.#proving.set(transactionId, entry);
    const request = writeBindingRequest({
      transactionId: transaction,
      username: entry.username,
      password: entry.remotePassword,
      priority: proofPriority,
      useCandidate: false,
      controlled: randomBytes(8).readBigUInt64BE(),
    });
    this.#addon.sendPlain(this.#handle, request, path);
  }

  #takeProof(datagram: Buffer, message: StunMessage, sender: Sender): void {
    const entry = this.#proving.get(message.transactionId.toString('latin1'));
    if (!entry?.proof?.path.equals(sender.path) || !hasIntegrity(datagram, message, entry.remotePassword)) return;
    this.#proving.delete(entry.proof.transactionId);
    entry.proof = undefined;
    this.#addon.move(this.#handle, entry.session, sender.path);
  }
}
