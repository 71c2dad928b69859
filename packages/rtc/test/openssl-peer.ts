// OpenSSL's own client as the peer of a session. A relay sends the check for this client. The caller selects the DTLS cipher. The
// client sends a close alert, as browsers do. SRTP with AES-CM (RFC 3711) is implemented independently here, with Node's ciphers.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createCipheriv, createHmac, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RtcPort, RtcSession } from '../src/rtc-port.ts';
import { checkOf, kindOf, loopback, type Observed, openBare, Relay, until } from './rtc-rig.ts';

/** Sizes of a master key and of its salt, bytes (RFC 5764 §4.2). */
const keyBytes = 16;
const saltBytes = 14;
const tagBytes = 10;

export interface OpensslPeer {
  readonly session: RtcSession;
  readonly observed: Observed;
  readonly relay: Relay;
  /** Encrypts. */
  protect(packet: Buffer): Buffer;
  send(datagram: Buffer): Promise<void>;
  received(): Buffer[];
  sendClose(): void;
  close(): void;
}

export interface OpensslOptions {
  readonly cipher: string;
  /** OpenSSL options for the key of the certificate. A certificate with a long key is sent in fragments. */
  readonly key?: readonly string[];
  readonly mtu?: number;
}

const shortKey = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** Connects OpenSSL's client to the port. Resolves when both sides have their keys. */
export async function openOpensslPeer(
  port: RtcPort,
  { cipher, key: keyKind = shortKey, mtu }: OpensslOptions,
): Promise<OpensslPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'rtc-openssl-'));
  const relay = await Relay.open(port.port);
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-newkey', ...keyKind, '-nodes', '-days', '2', '-subj', '/CN=peer'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const fingerprint = new X509Certificate(readFileSync(certificate)).fingerprint256.replaceAll(':', '');
  const { session, observed } = openBare(port, true, { hash: 'sha-256', digest: Buffer.from(fingerprint, 'hex') });
  relay.judge = (datagram) => kindOf(datagram) === 'dtls';
  await relay.far.send(checkOf(session), port.port);
  await relay.far.next('stun');
  const client = spawn('openssl', [
    ...['s_client', '-dtls1_2', '-connect', `${loopback}:${relay.near.port}`, '-cert', certificate, '-key', key],
    ...['-cipher', cipher, ...(mtu ? ['-mtu', String(mtu)] : [])],
    ...['-use_srtp', 'SRTP_AES128_CM_SHA1_80', '-keymatexport', 'EXTRACTOR-dtls_srtp', '-keymatexportlen', '60'],
  ]);
  const output = outputOf(client);
  await until(() => /Keying material: [\dA-F]{120}/.test(output.text) && observed.connected > 0, 'the handshake');
  const material = Buffer.from(/Keying material: ([\dA-F]{120})/.exec(output.text)![1]!, 'hex');
  const salts = material.subarray(2 * keyBytes);
  const own = new AesCm(material.subarray(0, keyBytes), salts.subarray(0, saltBytes));
  const others = new AesCm(material.subarray(keyBytes, 2 * keyBytes), salts.subarray(saltBytes));
  return {
    ...{ session, observed, relay },
    protect: (packet) => own.protect(packet),
    send: (datagram) => relay.far.send(datagram, port.port),
    received: () => relay.far.received.filter((one) => kindOf(one) === 'media').map((one) => others.unprotect(one)),
    sendClose: () => void client.stdin?.end('Q\n'),
    close() {
      client.kill('SIGKILL');
      relay.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function outputOf(child: ChildProcess): { text: string } {
  const output = { text: '' };
  child.stdin?.on('error', () => undefined);
  child.stdout?.on('data', (chunk) => {
    output.text += chunk;
  });
  return output;
}

/** AES-CM for RTP, limited to the first 65,536 packets of a source. */
class AesCm {
  readonly #key: Buffer;
  readonly #authentication: Buffer;
  readonly #salt: Buffer;

  constructor(masterKey: Buffer, masterSalt: Buffer) {
    const derive = (label: number, bytes: number) => {
      const iv = Buffer.alloc(16);
      masterSalt.copy(iv);
      iv[7]! ^= label;
      return createCipheriv('aes-128-ctr', masterKey, iv).update(Buffer.alloc(bytes));
    };
    [this.#key, this.#authentication, this.#salt] = [derive(0, keyBytes), derive(1, 20), derive(2, saltBytes)];
  }

  protect(packet: Buffer): Buffer {
    const sealed = this.#crypt(packet);
    return Buffer.concat([sealed, this.#tag(sealed)]);
  }

  unprotect(packet: Buffer): Buffer {
    const sealed = packet.subarray(0, -tagBytes);
    if (!this.#tag(sealed).equals(packet.subarray(-tagBytes))) throw new Error('a wrong tag');
    return this.#crypt(sealed);
  }

  #crypt(packet: Buffer): Buffer {
    const iv = Buffer.alloc(16);
    this.#salt.copy(iv);
    for (let index = 0; index < 4; index++) iv[4 + index]! ^= packet[8 + index]!;
    for (let index = 0; index < 2; index++) iv[12 + index]! ^= packet[2 + index]!;
    const header = packet.subarray(0, 12);
    return Buffer.concat([header, createCipheriv('aes-128-ctr', this.#key, iv).update(packet.subarray(12))]);
  }

  #tag(sealed: Buffer): Buffer {
    const rollOver = Buffer.alloc(4);
    return createHmac('sha1', this.#authentication).update(sealed).update(rollOver).digest().subarray(0, tagBytes);
  }
}
