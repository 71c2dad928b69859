// Server side of the RTMP handshake (RTMP 1.0 §5.2). `push` returns S0+S1+S2 once; the bytes after C2 are chunk data.
//
//   client  C0 (1) C1 (1536)                 C2 (1536)  chunks …
//   server                    S0 S1 S2                            chunks …
import { ProtocolError } from '../../protocol-error.ts';
import { findDigest, handshakePartBytes, signPart, signResponse } from './handshake-digest.ts';

const rtmpVersion = 3;
/** Version of Flash Media Server 4 in a signed S1. FFmpeg requires that the first byte is 3 or more. */
const serverVersion = Buffer.of(4, 5, 0, 1);

interface HandshakeStep {
  /** S0, S1 and S2; set in the step that completes C1. */
  readonly reply: Buffer | undefined;
  /** Chunk data after C2; set in the step that ends the handshake. */
  readonly rest: Buffer | undefined;
}

export interface ServerHandshake {
  /** Throws `ProtocolError` when the client does not speak RTMP. */
  push(data: Buffer): HandshakeStep;
}

/** `random` fills S1 and S2; tests pass fixed bytes. C2 is not verified, because many clients send arbitrary bytes. */
export function createServerHandshake(random: (bytes: number) => Buffer): ServerHandshake {
  const hello = Buffer.allocUnsafe(1 + handshakePartBytes);
  let received = 0;

  function collectHello(data: Buffer): number {
    if (received === 0) checkVersion(data[0]!);
    const taken = data.copy(hello, received, 0, hello.length - received);
    received += taken;
    return taken;
  }

  return {
    push(data) {
      if (data.length === 0) return { reply: undefined, rest: undefined };
      let offset = 0;
      let reply: Buffer | undefined;
      if (received < hello.length) {
        offset = collectHello(data);
        if (received === hello.length) reply = respondToHello(hello.subarray(1), random);
      }
      const end = hello.length + handshakePartBytes;
      const taken = Math.min(data.length - offset, end - received);
      received += taken;
      return { reply, rest: received === end ? data.subarray(offset + taken) : undefined };
    },
  };
}

function checkVersion(version: number): void {
  if (version === rtmpVersion) return;
  if (version === 6) throw new ProtocolError('rtmp', 'encrypted handshake (RTMPE) is not supported', 0);
  throw new ProtocolError('rtmp', 'not an RTMP handshake', 0);
}

/** A signed C1 gets a signed response in the schema of the client. An unsigned C1 gets a plain response that echoes C1. */
function respondToHello(c1: Buffer, random: (bytes: number) => Buffer): Buffer {
  const s1 = Buffer.concat([c1.subarray(0, 4), serverVersion, random(handshakePartBytes - 8)]);
  const signed = c1.readUInt32BE(4) === 0 ? undefined : findDigest(c1, 'client');
  if (signed === undefined) {
    s1.fill(0, 4, 8);
    return Buffer.concat([Buffer.of(rtmpVersion), s1, c1]);
  }
  signPart(s1, signed.schema, 'server');
  const s2 = Buffer.from(random(handshakePartBytes));
  signResponse(s2, signed.digest, 'server');
  return Buffer.concat([Buffer.of(rtmpVersion), s1, s2]);
}
