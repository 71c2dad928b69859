// The client side of a session, for the warm-up of a server: sends a check and acts as DTLS client. A guest supports one session and one
// address, and does not repeat a lost check.
import { randomBytes } from 'node:crypto';
import { writeBindingRequest } from '@srs-stack/media/protocols/stun/binding-messages.ts';
import { createIceCredentials } from '@srs-stack/media/protocols/stun/ice-credentials.ts';
import { type AddonHandle, loadAddon, type RtcAddon } from './native-addon.ts';

/** The host's address, and values of its SDP answer. */
export interface RtcHost {
  readonly ip: string;
  readonly port: number;
  readonly ufrag: string;
  readonly password: string;
  readonly digest: Buffer;
}

/** Priority of a host candidate (RFC 8445 §5.1.2.1). */
const hostPriority = 2_130_706_431;
const transactionIdBytes = 12;

export class RtcGuest {
  /** For `a=ice-ufrag` and `a=ice-pwd` of the offer. */
  readonly ufrag: string;
  readonly password: string;
  /** SHA-256 of the guest's certificate. */
  readonly fingerprint: Buffer;
  received = 0;
  readonly #addon: RtcAddon;
  readonly #handle: AddonHandle;
  readonly #connected = Promise.withResolvers<void>();
  #session = 0;
  #isClosed = false;

  /** Binds a free UDP port of `ip`. Throws the system's error. */
  constructor(ip: string) {
    this.#addon = loadAddon();
    this.#handle = this.#addon.open(ip, 0, (checks, events, media) => {
      this.received += media.length / 2;
      for (let at = 0; at < checks.length && !this.#isClosed; at += 4) this.#takeResponse(checks[at + 3] as Buffer);
      if (events.includes('connected')) this.#connected.resolve();
      if (events.includes('closed')) this.#connected.reject(new Error('the peer closed the session'));
    });
    this.fingerprint = this.#addon.fingerprint(this.#handle);
    const { ufrag, password } = createIceCredentials((bytes) => randomBytes(bytes));
    this.ufrag = ufrag;
    this.password = password;
    this.#connected.promise.catch(() => undefined); // `connect` may not have been called
  }

  /**
   * Connects; call it only once. Resolves when media can be received. Rejects when the session ends, e.g. when the handshake with a host
   * that has another certificate times out. A lost check is not repeated.
   */
  async connect({ ip, port, ufrag, password, digest }: RtcHost): Promise<void> {
    this.#session = this.#addon.openSession(this.#handle, false, 'sha-256', digest, '', '');
    if (this.#session === 0) throw new Error('not enough memory for a WebRTC session');
    const check = writeBindingRequest({
      transactionId: randomBytes(transactionIdBytes),
      username: `${ufrag}:${this.ufrag}`,
      password,
      priority: hostPriority,
      useCandidate: true,
      controlling: randomBytes(8).readBigUInt64BE(),
    });
    this.#addon.sendPlain(this.#handle, check, this.#addon.path(ip, port));
    await this.#connected.promise;
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#addon.close(this.#handle);
  }

  /** The host has responded to the check. The handshake now verifies the host's certificate. */
  #takeResponse(path: Buffer): void {
    this.#addon.reach(this.#handle, this.#session, path, true);
    this.#addon.start(this.#handle, this.#session);
  }
}
