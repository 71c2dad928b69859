// TLS 1.3 between the nodes of a cluster (RFC 8446), with certificates of the cluster's authority on both sides. A client requires a node
// id in the certificate, and requests a gateway of that node by SNI (RFC 6066 §3).
import { createSecureContext, type PeerCertificate, type SecureContext, type TlsOptions } from 'node:tls';
import { type ClusterAuthority, deriveClusterAuthority } from './cluster-authority.ts';

/** Renewal interval of certificates, milliseconds. A certificate is valid for seven intervals. */
const renewAfterMs = 86_400_000;

export interface ClusterTlsOptions {
  readonly secret: string;
  readonly clusterName: string;
  readonly nodeId: string;
  /** Milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** TLS options for connections to a gateway of another node. */
export interface ClusterClientOptions {
  readonly secureContext: SecureContext;
  readonly servername: string;
  readonly minVersion: 'TLSv1.3';
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
}

export async function createClusterTls(options: ClusterTlsOptions): Promise<ClusterTls> {
  const { secret, clusterName } = options;
  return new ClusterTls(options, await deriveClusterAuthority(secret, clusterName));
}

export class ClusterTls {
  readonly nodeId: string;
  readonly #authority: ClusterAuthority;
  readonly #nowMs: () => number;
  #context: SecureContext | undefined;
  #madeAtMs = 0;

  constructor({ nodeId, nowMs = Date.now }: ClusterTlsOptions, authority: ClusterAuthority) {
    this.nodeId = nodeId;
    this.#authority = authority;
    this.#nowMs = nowMs;
  }

  context(): SecureContext {
    const nowMs = this.#nowMs();
    // The absolute difference also renews the certificate after the clock was set back.
    if (!this.#context || Math.abs(nowMs - this.#madeAtMs) >= renewAfterMs) {
      const { key, cert } = this.#authority.issue(this.nodeId, new Date(nowMs));
      const ca = this.#authority.certificate;
      this.#context = createSecureContext({ key, cert, ca, minVersion: 'TLSv1.3' });
      this.#madeAtMs = nowMs;
    }
    return this.#context;
  }

  serverOptions(): TlsOptions {
    return {
      minVersion: 'TLSv1.3',
      requestCert: true,
      rejectUnauthorized: true,
      SNICallback: (_name, done) => done(null, this.context()),
    };
  }

  clientOptions(nodeId: string, gateway: number): ClusterClientOptions {
    return {
      secureContext: this.context(),
      servername: gatewayName(gateway),
      minVersion: 'TLSv1.3',
      checkServerIdentity: (_host, { subject }) =>
        subject.CN === nodeId ? undefined : new OtherNodeError(String(subject.CN)),
    };
  }
}

/** The node that responded is not the requested node. */
export class OtherNodeError extends Error {
  constructor(found: string) {
    super(`this address belongs to another node (${found})`);
    this.name = 'OtherNodeError';
  }
}

export function gatewayName(gateway: number): string {
  return `gateway-${gateway}`;
}

/** Index of the requested gateway; undefined if the client requested none. */
export function gatewayOfName(servername: string | false | undefined): number | undefined {
  const match = /^gateway-(\d{1,3})$/.exec(servername || '');
  return match ? Number(match[1]) : undefined;
}

const otherSecret = 'the other node has a different CLUSTER_SECRET or CLUSTER_NAME';
const clocks = 'a certificate is expired or not valid yet: compare the clocks of both servers';

const reasons: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: otherSecret,
  UNABLE_TO_GET_ISSUER_CERT: otherSecret,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: otherSecret,
  SELF_SIGNED_CERT_IN_CHAIN: otherSecret,
  DEPTH_ZERO_SELF_SIGNED_CERT: otherSecret,
  CERT_SIGNATURE_FAILURE: otherSecret,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: otherSecret,
  ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR: otherSecret,
  CERT_HAS_EXPIRED: clocks,
  CERT_NOT_YET_VALID: clocks,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: clocks,
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'the peer sent no certificate, so it is not a node of a cluster',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the peer does not use TLS',
  ERR_SSL_HTTP_REQUEST: 'the peer sent plain HTTP',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the peer does not support TLS 1.3',
  ECONNRESET: 'the peer closed the connection during the handshake',
};

/** Explains why a connection between two nodes failed, for operators. */
export function connectionTrouble(error: Error & { code?: string }): string {
  return reasons[error.code ?? ''] ?? error.message;
}
