// ICE-lite agent of one session (RFC 8445 §2.5): responds to the peer's checks and sends no checks. The caller owns the sockets and selects
// the nominated address.
import { writeBindingError, writeBindingSuccess } from './binding-messages.ts';
import type { StunAddress } from './stun-address.ts';
import { bindingMethod } from './stun-format.ts';
import { hasIntegrity } from './stun-integrity.ts';
import type { StunMessage } from './stun-message.ts';

export interface IceLiteOptions {
  readonly localUfrag: string;
  readonly localPassword: string;
  readonly remoteUfrag: string;
}

export interface CheckResult {
  /** Response to send to the source address of the check; undefined if no response is needed. */
  readonly response: Buffer | undefined;
  /** The peer has proven knowledge of the password and consents to receive media (RFC 7675 §5.1). */
  readonly isValid: boolean;
  /** The peer requests media at this address (RFC 8445 §8.2.1). */
  readonly isNominated: boolean;
}

/** Errors of RFC 8489 §14.8 and RFC 8445 §7.1.3. */
const refusals = {
  400: 'Bad Request',
  401: 'Unauthenticated',
  420: 'Unknown Attribute',
  487: 'Role Conflict',
} as const;

const noResponse: CheckResult = { response: undefined, isValid: false, isNominated: false };

export class IceLiteAgent {
  readonly #password: string;
  /** USERNAME that the peer's checks must have (RFC 8445 §7.2.2). */
  readonly #username: string;

  constructor({ localUfrag, localPassword, remoteUfrag }: IceLiteOptions) {
    this.#password = localPassword;
    this.#username = `${localUfrag}:${remoteUfrag}`;
  }

  /**
   * Processes a message from `address` (RFC 8445 §7.3, RFC 8489 §6.3, §9.1.3). Only Binding requests get a response. Indications keep NAT
   * bindings open (RFC 8445 §11) and need no response.
   */
  handleCheck(datagram: Buffer, message: StunMessage, address: StunAddress): CheckResult {
    if (message.class !== 'request' || message.method !== bindingMethod || message.fingerprint === 'wrong')
      return noResponse;
    if (message.username === undefined || message.integrityOffset === 0) return this.#refuse(message, 400);
    if (message.username !== this.#username || !hasIntegrity(datagram, message, this.#password))
      return this.#refuse(message, 401);
    if (message.unknownRequired.length > 0) return this.#refuse(message, 420);
    // The lite side is always controlled (RFC 8445 §6.1.1), so the peer must be the controlling side.
    if (message.iceControlled !== undefined) return this.#refuse(message, 487);
    const { transactionId } = message;
    const response = writeBindingSuccess({ transactionId, address, password: this.#password });
    return { response, isValid: true, isNominated: message.useCandidate };
  }

  /** A sender that has not proven knowledge of the password gets an unsigned response (RFC 8489 §9.1.3). */
  #refuse({ transactionId, unknownRequired }: StunMessage, code: keyof typeof refusals): CheckResult {
    const response = writeBindingError({
      transactionId,
      code,
      reason: refusals[code],
      ...(code === 420 && { unknownAttributes: unknownRequired }),
      ...((code === 420 || code === 487) && { password: this.#password }),
    });
    return { response, isValid: false, isNominated: false };
  }
}
