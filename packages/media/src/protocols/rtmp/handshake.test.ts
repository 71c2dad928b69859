import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { createServerHandshake } from './handshake.ts';
import { type DigestSchema, findDigest, handshakePartBytes, isResponseTo, signPart } from './handshake-digest.ts';

function fixedRandom(bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 31 + 7) & 0xff));
}

function plainC1(): Buffer {
  const c1 = fixedRandom(handshakePartBytes);
  c1.writeUInt32BE(1234, 0);
  c1.writeUInt32BE(0, 4);
  return c1;
}

function signedC1(schema: DigestSchema): Buffer {
  const c1 = plainC1();
  c1.set([9, 0, 124, 2], 4);
  signPart(c1, schema, 'client');
  return c1;
}

const hello = (c1: Buffer): Buffer => Buffer.concat([Buffer.of(3), c1]);
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

describe('server handshake', () => {
  it('echoes a plain C1', () => {
    const c1 = plainC1();
    const { reply, rest } = createServerHandshake(fixedRandom).push(hello(c1));
    expect(rest).toBeUndefined();
    expect(reply).toHaveLength(1 + 2 * handshakePartBytes);
    expect(reply![0]).toBe(3);
    expect(reply!.subarray(1, 9).toString('hex')).toBe('000004d200000000');
    expect(reply!.subarray(1 + handshakePartBytes).equals(c1)).toBe(true);
  });

  it.each([0, 1] as const)('responds to a C1 signed in schema %i with the same schema', (schema) => {
    const c1 = signedC1(schema);
    const client = findDigest(c1, 'client')!;
    expect(client.schema).toBe(schema);
    const { reply } = createServerHandshake(fixedRandom).push(hello(c1));
    const s1 = reply!.subarray(1, 1 + handshakePartBytes);
    const s2 = reply!.subarray(1 + handshakePartBytes);
    expect(findDigest(s1, 'server')?.schema).toBe(schema);
    expect(isResponseTo(s2, client.digest, 'server')).toBe(true);
    expect(sha256(reply!)).toBe(goldenReplies[schema]);
  });

  it('treats a C1 with a version but without a valid digest as plain', () => {
    const c1 = signedC1(0);
    c1[100]! ^= 1;
    const { reply } = createServerHandshake(fixedRandom).push(hello(c1));
    expect(reply!.subarray(1 + handshakePartBytes).equals(c1)).toBe(true);
  });

  it('gives the same result however the bytes are split', () => {
    const stream = Buffer.concat([hello(signedC1(1)), Buffer.alloc(handshakePartBytes), Buffer.from('chunks')]);
    for (const size of [1, 7, 1536, 1537, 3000]) {
      const handshake = createServerHandshake(fixedRandom);
      let replies = 0;
      let rest: Buffer | undefined;
      let offset = 0;
      for (; offset < stream.length && rest === undefined; offset += size) {
        const step = handshake.push(stream.subarray(offset, offset + size));
        if (step.reply) replies++;
        rest = step.rest;
      }
      expect(replies).toBe(1);
      expect(Buffer.concat([rest!, stream.subarray(offset)]).toString()).toBe('chunks');
    }
  });

  it.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n')],
    ['TLS', Buffer.from('160301', 'hex')],
    ['RTMPE', Buffer.of(6)],
    ['zeros', Buffer.alloc(4000)],
  ])('refuses %s at the first byte', (_name, data) => {
    expect(() => createServerHandshake(fixedRandom).push(data)).toThrow(ProtocolError);
  });
});

/** SHA-256 of S0+S1+S2 for the fixed C1 and random bytes. */
const goldenReplies = [
  'f3139a4462112006275e0a776d8ab30ba7fd0e995060ae64832b0c1105d94444',
  '3614d279bbd5a0fa014ec6bced32d23e8ae10e43eb57c59a5951501b771de82c',
];
