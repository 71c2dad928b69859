// Classifies errors about the certificate of another server.

/** A certificate error that operators can distinguish. */
export type CertificateFault =
  | 'certificate-early'
  | 'certificate-expired'
  | 'certificate-name'
  | 'certificate-untrusted'
  | 'no-tls';

/** Faults by error code of OpenSSL or Node. The gateway's message begins with this code. */
const faults: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-untrusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no-tls',
};

/** The fault in a message of the form `CODE: text`. */
export function certificateFault(message: string): CertificateFault | undefined {
  return faults[message.slice(0, message.indexOf(':'))];
}
