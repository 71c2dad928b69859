// Client side of the plain RTMP handshake (RTMP 1.0 §5.2). Send `hello` first. `push` returns C2 once; the bytes after S2 are chunk data.
//
//   client  C0 (1) C1 (1536)              C2 (1536)  chunks …
//   server                    S0 S1 S2                        chunks …
import { ProtocolError } from '../../protocol-error.ts';
import { handshakePartBytes } from './handshake-digest.ts';

const rtmpVersion = 3;
/** Time and version of a plain C1, both 0. */
const plainPrefixBytes = 8;

interface ClientHandshakeStep {
  /** C2; set in the step that completes S1. */
  readonly reply: Buffer | undefined;
  /** Chunk data after S2; set in the step that ends the handshake. */
  readonly rest: Buffer | undefined;
}

export interface ClientHandshake {
  /** C0 and C1. */
  readonly hello: Buffer;
  /** Throws `ProtocolError` when the server does not speak RTMP. */
  push(data: Buffer): ClientHandshakeStep;
}

/** `random` fills C1; tests pass fixed bytes. S2 is not verified, because many servers send arbitrary bytes. */
export function createClientHandshake(random: (bytes: number) => Buffer): ClientHandshake {
  const c1 = Buffer.concat([Buffer.alloc(plainPrefixBytes), random(handshakePartBytes - plainPrefixBytes)]);
  const response = Buffer.allocUnsafe(1 + handshakePartBytes);
  const end = response.length + handshakePartBytes;
  let received = 0;
  return {
    hello: Buffer.concat([Buffer.of(rtmpVersion), c1]),
    push(data) {
      if (data.length === 0) return { reply: undefined, rest: undefined };
      if (received === 0) checkVersion(data[0]!);
      const hadResponse = received >= response.length;
      const copied = hadResponse ? 0 : data.copy(response, received, 0, response.length - received);
      received += copied;
      const reply = !hadResponse && received === response.length ? Buffer.from(response.subarray(1)) : undefined;
      const skipped = received < response.length ? 0 : Math.min(data.length - copied, end - received);
      received += skipped;
      return { reply, rest: received === end ? data.subarray(copied + skipped) : undefined };
    },
  };
}

/** Servers may respond with another version than 3 (§5.2.2). From 32 on, the byte is a character of another protocol. */
function checkVersion(version: number): void {
  if (version === 0 || version >= 32)
    throw new ProtocolError('rtmp', 'the peer does not respond with an RTMP handshake', 0);
}
