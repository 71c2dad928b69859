// Writes the messages of a connectivity check (RFC 8445 §7): request, success response and error response.
import { type StunAddress, xorAddressBytes } from './stun-address.ts';
import { StunBuilder } from './stun-builder.ts';
import { attributeBytes, bindingType, stunAttribute } from './stun-format.ts';

export interface BindingSuccess {
  /** 12 bytes, copied from the request. */
  readonly transactionId: Buffer;
  readonly address: StunAddress;
  /** Password of the side that responds. */
  readonly password: string;
}

/** The response to a valid check (RFC 8489 §7.3.1.1, RFC 8445 §7.3). */
export function writeBindingSuccess({ transactionId, address, password }: BindingSuccess): Buffer {
  const builder = new StunBuilder(bindingType.success, transactionId, attributeBytes(xorAddressBytes(address)));
  builder.addXorAddress(address);
  builder.addIntegrity(password);
  return builder.finish();
}

export interface BindingError {
  /** 12 bytes, copied from the request. */
  readonly transactionId: Buffer;
  /** 300 to 699. */
  readonly code: number;
  /** Readable text below 128 characters (RFC 8489 §14.8). */
  readonly reason: string;
  /** For error 420: the unknown attribute types (RFC 8489 §14.9). */
  readonly unknownAttributes?: readonly number[];
  /** Omitted for a sender that has not proven knowledge of the password (RFC 8489 §9.1.3). */
  readonly password?: string;
}

/** The response to an invalid check (RFC 8489 §7.3.1.2, §14.8). */
export function writeBindingError(error: BindingError): Buffer {
  const reason = Buffer.from(error.reason, 'utf8');
  const value = Buffer.alloc(4 + reason.length);
  value[2] = Math.floor(error.code / 100);
  value[3] = error.code % 100;
  reason.copy(value, 4);
  const unknown = error.unknownAttributes ?? [];
  const bytes = attributeBytes(value.length) + attributeBytes(unknown.length * 2);
  const builder = new StunBuilder(bindingType.error, error.transactionId, bytes);
  builder.addBytes(stunAttribute.errorCode, value);
  if (unknown.length > 0) builder.addBytes(stunAttribute.unknownAttributes, typesOf(unknown));
  if (error.password !== undefined) builder.addIntegrity(error.password);
  return builder.finish();
}

function typesOf(unknown: readonly number[]): Buffer {
  const value = Buffer.alloc(unknown.length * 2);
  unknown.forEach((type, index) => {
    value.writeUInt16BE(type, index * 2);
  });
  return value;
}

export interface BindingRequest {
  /** 12 random bytes. */
  readonly transactionId: Buffer;
  /** `receiver ufrag:sender ufrag` (RFC 8445 §7.2.2). */
  readonly username: string;
  readonly password: string;
  readonly priority: number;
  readonly useCandidate: boolean;
  /** Tie-breaker of the controlling side, 64 bits. */
  readonly controlling?: bigint;
  /** Tie-breaker of the controlled side. Set either `controlled` or `controlling`. */
  readonly controlled?: bigint;
}

/** Writes a connectivity check of the controlling or the controlled side (RFC 8445 §7.2.2). */
export function writeBindingRequest(request: BindingRequest): Buffer {
  const username = Buffer.from(request.username, 'utf8');
  const bytes = attributeBytes(username.length) + attributeBytes(4) + attributeBytes(8) + attributeBytes(0);
  const builder = new StunBuilder(bindingType.request, request.transactionId, bytes);
  builder.addBytes(stunAttribute.username, username);
  builder.addUInt32(stunAttribute.priority, request.priority);
  if (request.controlling !== undefined) builder.addUInt64(stunAttribute.iceControlling, request.controlling);
  else builder.addUInt64(stunAttribute.iceControlled, request.controlled ?? 0n);
  if (request.useCandidate) builder.addBytes(stunAttribute.useCandidate, Buffer.alloc(0));
  builder.addIntegrity(request.password);
  return builder.finish();
}
