import { describe, expect, it } from 'vitest';
import { type BindingRequest, writeBindingRequest, writeBindingSuccess } from './binding-messages.ts';
import { createIceCredentials, localUfragOf } from './ice-credentials.ts';
import { IceLiteAgent } from './ice-lite-agent.ts';
import { StunBuilder } from './stun-builder.ts';
import { bindingType, stunAttribute } from './stun-format.ts';
import { hasIntegrity } from './stun-integrity.ts';
import { parseStunMessage } from './stun-message.ts';

const transactionId = Buffer.from('b7e7a701bc34d686fa87dfae', 'hex');
const password = 'VOkJxbRl1RmTxUk/WvJxBt';
const address = { ip: '198.51.100.7', port: 50_001 };
const agent = new IceLiteAgent({ localUfrag: 'evtj', localPassword: password, remoteUfrag: 'h6vY' });

function check(datagram: Buffer, from = address) {
  const { response, ...result } = agent.handleCheck(datagram, parseStunMessage(datagram), from);
  const message = response && parseStunMessage(response);
  return {
    ...result,
    response,
    message,
    isSigned: message !== undefined && hasIntegrity(response!, message, password),
  };
}

const requestOf = (fields: Partial<BindingRequest> = {}) =>
  writeBindingRequest({
    ...{ transactionId, username: 'evtj:h6vY', password, priority: 1, useCandidate: false, controlling: 7n },
    ...fields,
  });

/** A message with attributes that browsers do not send. */
function built(add: (builder: StunBuilder) => void, type: number = bindingType.request): Buffer {
  const builder = new StunBuilder(type, transactionId, 200);
  add(builder);
  return builder.finish();
}

describe('the lite side of ICE', () => {
  it('responds to a check with the source address of the check, signed with the local password', () => {
    const { response, ...result } = check(requestOf());
    expect(response).toEqual(writeBindingSuccess({ transactionId, address, password }));
    expect(result).toMatchObject({ isValid: true, isNominated: false, isSigned: true });
    expect(result.message).toMatchObject({ class: 'success', transactionId, mappedAddress: address });
  });

  it('reports which check nominates, also over IPv6', () => {
    const from = { ip: '2001:db8::7', port: 9 };
    const result = check(requestOf({ useCandidate: true }), from);
    expect(result).toMatchObject({ isValid: true, isNominated: true, message: { mappedAddress: from } });
  });

  it.each([
    ['no USERNAME', built((builder) => builder.addIntegrity(password)), 400, false],
    [
      'no MESSAGE-INTEGRITY',
      built((builder) => builder.addBytes(stunAttribute.username, Buffer.from('evtj:h6vY'))),
      400,
      false,
    ],
    ['a wrong password', requestOf({ password: 'VOkJxbRl1RmTxUk/WvJxBu' }), 401, false],
    ['the password of another session', requestOf({ username: 'evtk:h6vY' }), 401, false],
    ['another peer', requestOf({ username: 'evtj:h6vZ' }), 401, false],
    ['a USERNAME without the peer', requestOf({ username: 'evtj' }), 401, false],
    [
      'an unknown required attribute',
      built((builder) => {
        builder.addBytes(stunAttribute.username, Buffer.from('evtj:h6vY'));
        builder.addBytes(0x0077, Buffer.alloc(2));
        builder.addIntegrity(password);
      }),
      420,
      true,
    ],
    [
      'a peer in the controlled role',
      built((builder) => {
        builder.addBytes(stunAttribute.username, Buffer.from('evtj:h6vY'));
        builder.addUInt64(stunAttribute.iceControlled, 7n);
        builder.addBytes(stunAttribute.useCandidate, Buffer.alloc(0));
        builder.addIntegrity(password);
      }),
      487,
      true,
    ],
  ] as const)('refuses %s', (_, datagram, errorCode, isSigned) => {
    const result = check(datagram);
    expect(result).toMatchObject({ isValid: false, isNominated: false, isSigned });
    expect(result.message).toMatchObject({ class: 'error', errorCode, transactionId, fingerprint: 'right' });
  });

  it('lists unknown attributes', () => {
    const datagram = built((builder) => {
      builder.addBytes(stunAttribute.username, Buffer.from('evtj:h6vY'));
      for (const type of [0x0077, 0x0055]) builder.addBytes(type, Buffer.alloc(0));
      builder.addIntegrity(password);
    });
    expect(check(datagram).response?.toString('hex')).toContain('000a000400770055');
  });

  it.each([
    ['an indication', built((builder) => builder.addIntegrity(password), bindingType.indication)],
    ['a success', writeBindingSuccess({ transactionId, address, password })],
    ['another method', built((builder) => builder.addIntegrity(password), 0x0003)],
    ['a damaged check', damaged(requestOf())],
  ])('ignores %s', (_, datagram) => {
    expect(check(datagram)).toMatchObject({ response: undefined, isValid: false, isNominated: false });
  });
});

function damaged(datagram: Buffer): Buffer {
  datagram[datagram.length - 1]! ^= 1;
  return datagram;
}

describe('ICE credentials', () => {
  it('have the length and characters of RFC 8839', () => {
    for (const fill of [0, 0xff, 0xa7]) {
      const { ufrag, password } = createIceCredentials((bytes) => Buffer.alloc(bytes, fill));
      expect(ufrag).toMatch(/^[A-Za-z\d+/]{8}$/);
      expect(password).toMatch(/^[A-Za-z\d+/]{24}$/);
    }
  });

  it('of a session are found by the first half of USERNAME', () => {
    const found = (username: string) => localUfragOf(parseStunMessage(requestOf({ username })));
    expect(found('evtj:h6vY')).toBe('evtj');
    expect(found('evtj:h6:vY')).toBe('evtj');
    expect(found(`${'a'.repeat(256)}:b`)).toBe('a'.repeat(256));
    for (const username of ['', ':h6vY', 'evtj', `${'a'.repeat(257)}:b`]) expect(found(username)).toBeUndefined();
    expect(localUfragOf(parseStunMessage(built(() => {})))).toBeUndefined();
  });
});
