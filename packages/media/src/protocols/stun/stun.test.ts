import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { writeBindingError, writeBindingRequest, writeBindingSuccess } from './binding-messages.ts';
import { StunBuilder } from './stun-builder.ts';
import { bindingType, stunAttribute } from './stun-format.ts';
import { hasIntegrity } from './stun-integrity.ts';
import { isStun, parseStunMessage, type StunMessage } from './stun-message.ts';

const bytes = (...hex: readonly string[]) => Buffer.from(hex.join('').replaceAll(' ', ''), 'hex');
const transactionId = bytes('b7e7a701bc34d686fa87dfae');
const password = 'VOkJxbRl1RmTxUk/WvJxBt';
const ipv4 = { ip: '192.0.2.1', port: 32_853 };
const ipv6 = { ip: '2001:db8:1234:5678:11:2233:4455:6677', port: 32_853 };

/** Messages of RFC 5769. The padding of the first three is not zero. */
const sampleRequest = bytes(
  '00010058 2112a442 b7e7a701bc34d686fa87dfae',
  '80220010 5354554e207465737420636c69656e74',
  '00240004 6e0001ff',
  '80290008 932ff9b151263b36',
  '00060009 6576746a3a68367659 202020',
  '00080014 9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2',
  '80280004 e57a3bcf',
);
const sampleIpv4Answer = bytes(
  '0101003c 2112a442 b7e7a701bc34d686fa87dfae',
  '8022000b 7465737420766563746f72 20',
  '00200008 0001a147e112a643',
  '00080014 2b91f599fd9e90c38c7489f92af9ba53f06be7d7',
  '80280004 c07d4c96',
);
const sampleIpv6Answer = bytes(
  '01010048 2112a442 b7e7a701bc34d686fa87dfae',
  '8022000b 7465737420766563746f72 20',
  '00200014 0002a1470113a9faa5d3f179bc25f4b5bed2b9d9',
  '00080014 a382954e4be67bf11784c97c8292c275bfe3ed41',
  '80280004 c8fb0b4c',
);
const sampleLongTermRequest = bytes(
  '00010060 2112a442 78ad3433c6ad72c029da412e',
  '00060012 e3839ee38388e383aae38383e382afe382b9 0000',
  '0015001c 662f2f3439396b39353464364f4c33346f4c394653547679363473 41',
  '0014000b 6578616d706c652e6f7267 00',
  '00080014 f67024656dd64a3e02b8e0712e85c9a28ca89666',
);

const request = {
  ...{ transactionId, username: 'evtj:h6vY', password, priority: 0x6e0001ff },
  ...{ useCandidate: true, controlling: 0x932ff9b151263b36n },
};
const unknown = [0x0030, 0x0031, 0x0032];

/** Expected bytes from an independent STUN implementation. */
const golden = [
  [
    'a request',
    writeBindingRequest(request),
    '000100482112a442b7e7a701bc34d686fa87dfae000600096576746a3a68367659000000002400046e0001ff802a0008932ff9b151263b36',
    '00250000000800149722b22f7aced8809ee6b97a2d6327ec2882d509802800041d7c6f47',
  ],
  [
    'a success over IPv4',
    writeBindingSuccess({ transactionId, address: ipv4, password }),
    '0101002c2112a442b7e7a701bc34d686fa87dfae002000080001a147e112a643',
    '0008001474c9371ebf3148548518699c3e3174c20dd9e68a80280004fae4043a',
  ],
  [
    'a success over IPv6',
    writeBindingSuccess({ transactionId, address: ipv6, password }),
    '010100382112a442b7e7a701bc34d686fa87dfae002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9',
    '00080014ee33a0555319eec10ad5fbfdf8733d196e552b3c802800045ded7186',
  ],
  [
    'an error for an unauthenticated sender',
    writeBindingError({ transactionId, code: 401, reason: 'Unauthenticated' }),
    '011100202112a442b7e7a701bc34d686fa87dfae0009001300000401556e61757468656e746963617465640080280004c472ad1c',
    '',
  ],
  [
    'an error with the unknown types',
    writeBindingError({ transactionId, code: 420, reason: 'Unknown Attribute', unknownAttributes: unknown, password }),
    '011100482112a442b7e7a701bc34d686fa87dfae0009001500000414556e6b6e6f776e20417474726962757465000000000a0006003000310032',
    '00000008001490e41278eedf1180c2a7e93dcb68d6b190702a298028000402ac90b6',
  ],
] as const;

describe('the messages of RFC 5769', () => {
  it.each([
    [
      'request',
      sampleRequest,
      { class: 'request', username: 'evtj:h6vY', priority: 0x6e0001ff, iceControlled: 0x932ff9b151263b36n },
    ],
    ['response over IPv4', sampleIpv4Answer, { class: 'success', mappedAddress: ipv4 }],
    ['response over IPv6', sampleIpv6Answer, { class: 'success', mappedAddress: ipv6 }],
  ] as const)('%s', (_, datagram, facts) => {
    const message = parseStunMessage(datagram);
    expect(message).toMatchObject({ method: 1, transactionId, fingerprint: 'right', unknownRequired: [], ...facts });
    expect(hasIntegrity(datagram, message, password)).toBe(true);
    expect(hasIntegrity(datagram, message, `${password}.`)).toBe(false);
  });

  it('request with a long-term credential, whose key is derived from the password', () => {
    const message = parseStunMessage(sampleLongTermRequest);
    expect(message).toMatchObject({ username: 'マトリックス', fingerprint: 'missing', unknownRequired: [] });
    const key = createHash('md5').update('マトリックス:example.org:TheMatrIX').digest();
    expect(hasIntegrity(sampleLongTermRequest, message, key)).toBe(true);
  });
});

describe('STUN messages', () => {
  it.each(golden)('are written byte for byte: %s', (_, datagram, ...hex) => {
    expect(datagram.toString('hex')).toBe(hex.join(''));
  });

  it.each([
    [request, { class: 'request', username: 'evtj:h6vY', priority: 0x6e0001ff, useCandidate: true }],
    [
      { ...request, useCandidate: false, username: 'abcd:12345678' },
      { useCandidate: false, username: 'abcd:12345678' },
    ],
  ] as const)('are parsed as they were written: request %#', (fields, facts) => {
    const datagram = writeBindingRequest(fields);
    const message = parseStunMessage(datagram);
    expect(message).toMatchObject({ ...facts, iceControlling: request.controlling, fingerprint: 'right' });
    expect(hasIntegrity(datagram, message, password)).toBe(true);
  });

  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::1', '::1'],
    ['::', '::'],
    ['fe80::', 'fe80::'],
    ['fe80::fc:ff:fe00:1%eth0', 'fe80::fc:ff:fe00:1'],
    ['2001:db8::7', '2001:db8::7'],
  ])('contain the address %s as %s', (ip, expected) => {
    const answer = parseStunMessage(writeBindingSuccess({ transactionId, address: { ip, port: 65_535 }, password }));
    expect(answer.mappedAddress).toEqual({ ip: expected, port: 65_535 });
  });

  it.each([400, 401, 420, 487, 500])('contain the error %i', (code) => {
    const message = parseStunMessage(writeBindingError({ transactionId, code, reason: 'no' }));
    expect(message).toMatchObject({ class: 'error', errorCode: code, integrityOffset: 0 });
  });

  it('ignore all attributes after MESSAGE-INTEGRITY except FINGERPRINT', () => {
    const builder = new StunBuilder(bindingType.request, transactionId, 100);
    builder.addIntegrity(password);
    builder.addUInt32(stunAttribute.priority, 1);
    builder.addBytes(0x0077, Buffer.alloc(3));
    const datagram = builder.finish();
    const message = parseStunMessage(datagram);
    expect(message).toMatchObject({ priority: undefined, unknownRequired: [], fingerprint: 'right' });
    expect(hasIntegrity(datagram, message, password)).toBe(true);
  });

  it('list unknown required attributes; the first of two equal attributes applies', () => {
    const builder = new StunBuilder(bindingType.indication, transactionId, 100);
    for (const type of [0x0077, 0x8077, 0x0078]) builder.addBytes(type, Buffer.alloc(5));
    builder.addUInt32(stunAttribute.priority, 1);
    builder.addUInt32(stunAttribute.priority, 2);
    const message = parseStunMessage(builder.finish());
    expect(message).toMatchObject({ class: 'indication', priority: 1, unknownRequired: [0x77, 0x78] });
  });

  it('with one wrong bit have a wrong fingerprint, and no integrity where it covers them', () => {
    const datagram = Buffer.from(writeBindingRequest(request));
    datagram[30]! ^= 1;
    const message = parseStunMessage(datagram);
    expect(message.fingerprint).toBe('wrong');
    expect(hasIntegrity(datagram, message, password)).toBe(false);
  });

  it('are distinguished from DTLS, RTP and short datagrams', () => {
    expect(isStun(sampleRequest)).toBe(true);
    for (const first of [4, 20, 63, 128, 191])
      expect(isStun(Buffer.concat([bytes('16'), sampleRequest]).fill(first, 0, 1))).toBe(false);
    expect(isStun(sampleRequest.subarray(0, 19))).toBe(false);
    expect(isStun(Buffer.alloc(0))).toBe(false);
    expect(isStun(Buffer.alloc(20))).toBe(false);
  });
});

describe('malformed STUN messages', () => {
  const header = (length: number) => `0001${length.toString(16).padStart(4, '0')}2112a442b7e7a701bc34d686fa87dfae`;
  const oneOf = (attribute: string) => bytes(header(attribute.length / 2), attribute);
  const parsed = (datagram: Buffer): StunMessage | undefined => {
    try {
      return parseStunMessage(datagram);
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
      return undefined;
    }
  };

  it.each([
    ['a length that is not a multiple of four', bytes(header(2), '0000')],
    ['a length beyond the datagram', bytes(header(8), '80220000')],
    ['bytes after the message', bytes(header(0), '00')],
    ['another cookie', bytes('00010000 2112a443 b7e7a701bc34d686fa87dfae')],
    ['an attribute that exceeds the message', oneOf('8022000500000000')],
    ['a PRIORITY of three bytes', oneOf('0024000300000000')],
    ['a USE-CANDIDATE with a value', oneOf('0025000400000000')],
    ['a tie-breaker of four bytes', oneOf('8029000400000000')],
    ['a short MESSAGE-INTEGRITY', oneOf('0008000400000000')],
    ['a short FINGERPRINT', oneOf('80280000')],
    ['an ERROR-CODE without a code', oneOf('0009000000250000')],
    ['an address of another family', oneOf('002000080003a147e112a643')],
    ['an IPv6 address of four bytes', oneOf('002000080002a147e112a643')],
    ['an attribute after FINGERPRINT', oneOf('802800040000000080220000')],
    ['a USERNAME without end', oneOf(`00060204${'61'.repeat(516)}`)],
    ['thirty-three attributes', oneOf('80220000'.repeat(33))],
  ])('are refused: %s', (_, datagram) => {
    expect(() => parseStunMessage(datagram)).toThrow(ProtocolError);
  });

  it('are refused when truncated anywhere', () => {
    for (const whole of [sampleRequest, sampleIpv4Answer, sampleIpv6Answer, sampleLongTermRequest]) {
      for (let length = 0; length < whole.length; length++) {
        expect(parsed(whole.subarray(0, length))).toBeUndefined();
        // A truncated message with adjusted header length may be parsed, but must not authenticate the sender.
        const shortened = Buffer.from(whole.subarray(0, length));
        if (length >= 20) shortened.writeUInt16BE(length - 20, 2);
        const message = parsed(shortened);
        if (message) expect(hasIntegrity(shortened, message, 'another')).toBe(false);
      }
    }
  });

  it('throw only ProtocolError after any change', () => {
    const samples = [sampleRequest, sampleIpv6Answer, ...golden.map(([, datagram]) => datagram)];
    const change = fc.tuple(fc.nat(120), fc.nat(255));
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 6 }), (sample, changes) => {
        const datagram = Buffer.from(sample);
        for (const [at, value] of changes) datagram[at % datagram.length] = value;
        const message = parsed(datagram);
        if (message) hasIntegrity(datagram, message, password);
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });

  it('throw only ProtocolError for attributes of any kind', () => {
    const attribute = fc
      .tuple(fc.constantFrom(...Object.values(stunAttribute), 0x0077), fc.uint8Array({ maxLength: 24 }))
      .map(([type, value]) => ({ type, value: Buffer.from(value) }));
    fc.assert(
      fc.property(fc.array(attribute, { maxLength: 8 }), (attributes) => {
        const builder = new StunBuilder(bindingType.request, transactionId, 8 * 28);
        for (const { type, value } of attributes) builder.addBytes(type, value);
        const datagram = builder.finish();
        const message = parsed(datagram);
        if (message) hasIntegrity(datagram, message, password);
      }),
      { numRuns: 1_000, seed: 6 },
    );
  });
});
