// The certificate authority of a cluster, derived from CLUSTER_SECRET. Every node derives the authority without a file, and signs its own
// certificate. Nodes without the secret have no valid certificate. RFC 5280, keys of RFC 8410 (Ed25519). Time is a parameter.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
  sign,
} from 'node:crypto';
import { promisify } from 'node:util';
import {
  bitString,
  booleanTrue,
  explicit,
  implicit,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from '../der.ts';

/**
 * Cost of one guess of the secret (RFC 7914): 32 MiB and about 80 ms. Anyone who connects receives a signed certificate and can test
 * secrets offline. A plain hash would allow millions of guesses per second.
 */
const scryptCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;
/** Validity of a certificate, milliseconds. Nodes renew their certificates daily. */
const certificateMs = 7 * 86_400_000;
/** Certificates are backdated by this time, milliseconds, for nodes with different clocks. The node registry reports clock differences. */
const backdatedMs = 86_400_000;
const serialBytes = 16;

const oid = {
  commonName: '2.5.4.3',
  ed25519: '1.3.101.112',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
};
/** RFC 8410 §7: PrivateKeyInfo of Ed25519 up to the 32 bytes of the key. */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex');
const algorithm = sequence(objectId(oid.ed25519));
/** Start of validity. It is constant, so that all nodes derive the same authority certificate. */
const authorityFrom = new Date('2020-01-01T00:00:00Z');
const authorityUntil = new Date('9999-12-31T23:59:59Z');

export interface ClusterAuthority {
  /** PEM. */
  readonly certificate: string;
  /** Creates a key and its certificate for a node, both in PEM. */
  issue(nodeId: string, now: Date): { readonly key: string; readonly cert: string };
}

/** Derives the authority. Every node with the same secret and name gets the same result. */
export async function deriveClusterAuthority(secret: string, clusterName: string): Promise<ClusterAuthority> {
  const derive = promisify(scrypt) as (secret: string, salt: string, bytes: number, cost: object) => Promise<Buffer>;
  const master = await derive(secret, `srs-stack nodes ${clusterName}`, keyBytes, scryptCost);
  const seed = Buffer.from(hkdfSync('sha256', master, clusterName, 'srs-stack authority v1', keyBytes));
  const key = createPrivateKey({ key: Buffer.concat([privateKeyHead, seed]), format: 'der', type: 'pkcs8' });
  const authority = { key, id: keyIdOf(createPublicKey(key)) };
  return {
    certificate: toPem(authorityCertificate(authority)),
    issue: (nodeId, now) => issue(authority, nodeId, now),
  };
}

interface Authority {
  readonly key: KeyObject;
  readonly id: Buffer;
}

function authorityCertificate({ key, id }: Authority): Buffer {
  return signed(key, {
    serial: Buffer.from([1]),
    issuer: authorityName(id),
    subject: authorityName(id),
    from: authorityFrom,
    until: authorityUntil,
    publicKey: createPublicKey(key),
    extensions: [
      // cA is true. The path length 0 means that the authority cannot sign another authority.
      critical(oid.basicConstraints, sequence(booleanTrue, integer(Buffer.from([0])))),
      // Bit 5, keyCertSign.
      critical(oid.keyUsage, bitString(Buffer.from([0x04]), 2)),
      plain(oid.subjectKeyIdentifier, octetString(id)),
    ],
  });
}

function issue({ key, id }: Authority, nodeId: string, now: Date): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const certificate = signed(key, {
    serial: randomBytes(serialBytes),
    issuer: authorityName(id),
    subject: name(nodeId),
    from: new Date(now.getTime() - backdatedMs),
    until: new Date(now.getTime() + certificateMs),
    publicKey,
    extensions: [
      critical(oid.basicConstraints, sequence()),
      // Bit 0, digitalSignature.
      critical(oid.keyUsage, bitString(Buffer.from([0x80]), 7)),
      plain(oid.extendedKeyUsage, sequence(objectId(oid.serverAuthentication), objectId(oid.clientAuthentication))),
      plain(oid.subjectKeyIdentifier, octetString(keyIdOf(publicKey))),
      plain(oid.authorityKeyIdentifier, sequence(implicit(0, id))),
    ],
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: toPem(certificate) };
}

interface CertificateParts {
  readonly serial: Buffer;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly from: Date;
  readonly until: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function signed(key: KeyObject, parts: CertificateParts): Buffer {
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(parts.serial),
    algorithm,
    parts.issuer,
    sequence(time(parts.from), time(parts.until)),
    parts.subject,
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...parts.extensions)),
  );
  return sequence(body, algorithm, bitString(sign(null, body, key)));
}

const critical = (id: string, content: Buffer) => sequence(objectId(id), booleanTrue, octetString(content));
const plain = (id: string, content: Buffer) => sequence(objectId(id), octetString(content));
const name = (text: string) => sequence(set(sequence(objectId(oid.commonName), utf8String(text))));
/** The name of the authority contains the key id, so that authorities of different clusters have different names. */
const authorityName = (id: Buffer) => name(`srs-stack cluster ${id.toString('hex').slice(0, 16)}`);
const keyIdOf = (publicKey: KeyObject) => hash('sha1', publicKey.export({ type: 'spki', format: 'der' }), 'buffer');

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
