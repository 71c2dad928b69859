// Finds out why a connection to another server failed, from errors of sockets, name resolution and TLS.
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';

type SocketReason =
  | 'address-refused'
  | 'connection-closed'
  | 'connection-refused'
  | 'failed'
  | 'host-unknown'
  | 'network-unreachable'
  | 'timeout'
  | 'tls-failed';

export interface SocketFailure {
  readonly reason: SocketReason;
  readonly detail: string;
}

const reasonOfCode: Readonly<Record<string, SocketReason>> = {
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-closed',
  EPIPE: 'connection-closed',
  ENOTFOUND: 'host-unknown',
  EAI_AGAIN: 'host-unknown',
  ENETUNREACH: 'network-unreachable',
  EHOSTUNREACH: 'network-unreachable',
  EADDRNOTAVAIL: 'network-unreachable',
  ETIMEDOUT: 'timeout',
  EFORBIDDEN: 'address-refused',
};
/** Error codes of certificate verification in OpenSSL and of TLS. */
const tlsCode = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_)/;

export function failureOfError(error: unknown): SocketFailure {
  if (error instanceof ProtocolError) return { reason: 'failed', detail: error.reason };
  const { code = '', message = '', errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  // Node tried every address of the name. The first error is reported for all.
  if (Array.isArray(errors) && errors.length > 0) return failureOfError(errors[0]);
  const reason = tlsCode.test(code) ? 'tls-failed' : (reasonOfCode[code] ?? 'failed');
  // The text of a certificate error depends on the version of OpenSSL; the code does not.
  return { reason, detail: reason === 'tls-failed' ? `${code}: ${message}` : message };
}
