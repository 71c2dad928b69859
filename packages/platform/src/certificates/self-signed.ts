// Creates a self-signed certificate (RFC 5280), so that HTTPS works before a public certificate exists.
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
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
} from '@srs-stack/process/der.ts';

const selfSignedName = 'srs.stack.local';
const alwaysNamed = [selfSignedName, 'localhost', '127.0.0.1'];
const validYears = 10;
/** Certificates start this long in the past, milliseconds, so that a browser with a slow clock accepts them. */
const backdatedMs = 3_600_000;
/**
 * Length of the serial number, bytes (at most 20, RFC 5280 §4.1.2.2). The number is random, because browsers refuse a repeated serial
 * number of an issuer.
 */
const serialBytes = 16;

const oid = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  subjectKeyIdentifier: '2.5.29.14',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
};

/** Creates a P-256 key and a certificate as PEM, valid for ten years. `names` are added to the default names. */
export function makeSelfSigned(now: Date, names: readonly string[] = []): { key: string; crt: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(oid.ecdsaWithSha256));
  const body = toBeSigned({ algorithm, publicKey, now, names: [...new Set([...names, ...alwaysNamed])] });
  const signature = sign('sha256', body, { key: privateKey, dsaEncoding: 'der' });
  const certificate = sequence(body, algorithm, bitString(signature));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), crt: toPem(certificate) };
}

interface Parts {
  readonly algorithm: Buffer;
  readonly publicKey: KeyObject;
  readonly now: Date;
  readonly names: readonly string[];
}

function toBeSigned({ algorithm, publicKey, now, names }: Parts): Buffer {
  const owner = sequence(set(sequence(objectId(oid.commonName), utf8String(selfSignedName))));
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + validYears);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(serialBytes)),
    algorithm,
    owner,
    sequence(time(new Date(now.getTime() - backdatedMs)), time(until)),
    owner,
    spki,
    explicit(3, sequence(...extensions(names, hash('sha1', spki, 'buffer')))),
  );
}

function extensions(names: readonly string[], keyId: Buffer): Buffer[] {
  const critical = (id: string, content: Buffer) => sequence(objectId(id), booleanTrue, octetString(content));
  const plain = (id: string, content: Buffer) => sequence(objectId(id), octetString(content));
  return [
    critical(oid.basicConstraints, sequence()),
    // Bit 0, digitalSignature.
    critical(oid.keyUsage, bitString(Buffer.from([0x80]), 7)),
    plain(oid.extendedKeyUsage, sequence(objectId(oid.serverAuthentication))),
    plain(oid.subjectAltName, sequence(...names.map(generalName))),
    plain(oid.subjectKeyIdentifier, octetString(keyId)),
  ];
}

/** RFC 5280 §4.2.1.6: dNSName [2], iPAddress [7]. */
function generalName(name: string): Buffer {
  return isIP(name) ? implicit(7, addressBytes(name)) : implicit(2, Buffer.from(name));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser shortens IPv6 and converts an embedded IPv4 address to hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
