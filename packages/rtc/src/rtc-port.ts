// All WebRTC sessions of one UDP port: finds the session of each check (ICE-lite, RFC 8445 §2.5), answers it, and hands what the addon
// tells to whom it belongs.
import { randomBytes } from 'node:crypto';
import { getSystemErrorName } from 'node:util';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { createIceCredentials, localUfragOf } from '@srs-stack/media/protocols/stun/ice-credentials.ts';
import { IceLiteAgent } from '@srs-stack/media/protocols/stun/ice-lite-agent.ts';
import { parseStunMessage, type StunMessage } from '@srs-stack/media/protocols/stun/stun-message.ts';
import { type AddonCounters, type AddonHandle, loadAddon, type RtcAddon } from './native-addon.ts';

export interface RtcSessionEvents {
  /** Media can be sent and received. */
  onConnected(): void;
  /** The peer said goodbye, failed to prove itself, or was silent for 30 s. Close the session then. */
  onClosed(): void;
  /** One decrypted RTP or (compound) RTCP packet. The buffer belongs to the receiver. */
  onDatagram(packet: Buffer): void;
}

export interface RtcSessionOptions {
  /** `a=ice-ufrag` of the peer. */
  readonly remoteUfrag: string;
  /** The peer begins DTLS: our `a=setup:passive`. */
  readonly isDtlsServer: boolean;
  /** Of one hash; the peer's certificate must have one of them, of which the first four count. From its `a=fingerprint`. */
  readonly fingerprints: readonly { readonly hash: string; readonly digest: Buffer }[];
  readonly events: RtcSessionEvents;
}

export interface RtcSession {
  /** For `a=ice-ufrag` and `a=ice-pwd` of the answer. */
  readonly ufrag: string;
  readonly password: string;
  /** Encrypts one RTP or RTCP packet and queues it; it leaves with all others of this turn. False when the peer cannot take it. */
  send(packet: Buffer): boolean;
  /** Says goodbye and forgets the session. Idempotent; none of its events comes afterwards. */
  close(): void;
}

export interface RtcEndpoint {
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
}

interface Entry {
  readonly session: number;
  readonly ice: IceLiteAgent;
  readonly events: RtcSessionEvents;
}

/** A check that is to be answered: who sent it. */
interface Sender {
  readonly ip: string;
  readonly port: number;
  /** Of the addon. */
  readonly path: Buffer;
}

/** `DTLS_MAX_DIGESTS` of the addon. */
const maxDigests = 4;
const iceRandom = (bytes: number): Buffer => randomBytes(bytes);

export class RtcPort {
  readonly port: number;
  /** SHA-256 of our certificate. */
  readonly fingerprint: Buffer;
  readonly #addon: RtcAddon;
  readonly #handle: AddonHandle;
  readonly #byUfrag = new Map<string, Entry>();
  readonly #bySession = new Map<number, Entry>();
  readonly #onFault: (error: unknown) => void;
  #isFlushing = false;
  #isClosed = false;

  /** Binds. Throws the system's error (`errno`) when the port is taken, and what the loader said where the addon cannot be loaded. */
  constructor({ host = '', port }: RtcEndpoint, onFault: (error: unknown) => void) {
    this.#addon = loadAddon();
    this.#onFault = onFault;
    this.#handle = withSystemCode(() =>
      this.#addon.open(host, port, (checks, events, media) => this.#take(checks, events, media)),
    );
    this.port = this.#addon.port(this.#handle);
    this.fingerprint = this.#addon.fingerprint(this.#handle);
  }

  get sessionCount(): number {
    return this.#bySession.size;
  }

  get counters(): AddonCounters {
    return this.#addon.counters(this.#handle);
  }

  /** Undefined when the port has no room for another session. */
  openSession({ remoteUfrag, isDtlsServer, fingerprints, events }: RtcSessionOptions): RtcSession | undefined {
    const hash = fingerprints[0]?.hash ?? '';
    const digests = Buffer.concat(fingerprints.slice(0, maxDigests).map(({ digest }) => digest));
    const session = this.#addon.openSession(this.#handle, isDtlsServer, hash, digests);
    if (session === 0) return undefined;
    const { ufrag, password } = createIceCredentials(iceRandom);
    const ice = new IceLiteAgent({ localUfrag: ufrag, localPassword: password, remoteUfrag });
    const entry: Entry = { session, ice, events };
    this.#byUfrag.set(ufrag, entry);
    this.#bySession.set(session, entry);
    return {
      ufrag,
      password,
      send: (packet) => this.#send(session, packet),
      close: () => this.#closeSession(ufrag, session),
    };
  }

  /** Ends all sessions without telling them, and releases the port. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#byUfrag.clear();
    this.#bySession.clear();
    this.#addon.close(this.#handle);
  }

  #send(session: number, packet: Buffer): boolean {
    if (this.#isClosed) return false;
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      // What is sent in this turn of the event loop leaves together: one call of the kernel for many viewers.
      queueMicrotask(() => this.#flush());
    }
    return this.#addon.send(this.#handle, session, packet);
  }

  #flush(): void {
    this.#isFlushing = false;
    if (!this.#isClosed) this.#addon.flush(this.#handle);
  }

  #closeSession(ufrag: string, session: number): void {
    this.#byUfrag.delete(ufrag);
    if (this.#bySession.delete(session)) this.#addon.closeSession(this.#handle, session);
  }

  #take(
    checks: readonly (Buffer | string | number)[],
    events: readonly (number | string)[],
    media: readonly (number | Buffer)[],
  ): void {
    for (let i = 0; i < checks.length && !this.#isClosed; i += 4) {
      const sender = { ip: checks[i + 1] as string, port: checks[i + 2] as number, path: checks[i + 3] as Buffer };
      this.#guard(() => this.#answer(checks[i] as Buffer, sender));
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

  /** A session that throws must not keep the others from what came for them. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #answer(datagram: Buffer, sender: Sender): void {
    let message: StunMessage;
    try {
      message = parseStunMessage(datagram);
    } catch (error) {
      if (error instanceof ProtocolError) return; // anybody may send anything to a public port
      throw error;
    }
    const entry = this.#byUfrag.get(localUfragOf(message) ?? '');
    if (!entry) return;
    const { answer, isValid, isNominated } = entry.ice.handleCheck(datagram, message, sender);
    // Unanswered, the peer asks again: by then whoever was reached there before may be known to be gone.
    if (isValid && !this.#addon.reach(this.#handle, entry.session, sender.path, isNominated)) return;
    if (answer) this.#addon.sendPlain(this.#handle, answer, sender.path);
  }
}

/** The addon tells `errno` alone. */
function withSystemCode(open: () => AddonHandle): AddonHandle {
  try {
    return open();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno !== undefined) (error as NodeJS.ErrnoException).code = getSystemErrorName(errno);
    throw error;
  }
}
