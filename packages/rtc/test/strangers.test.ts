// Attackers. Most know a peer's address and forge it as their source address. A relay injects their datagrams. Others flood with checks.
import { randomBytes } from 'node:crypto';
import { writeBindingSuccess } from '@srs-stack/media/protocols/stun/binding-messages.ts';
import { parseStunMessage } from '@srs-stack/media/protocols/stun/stun-message.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadAddon } from '../src/native-addon.ts';
import { RtcPort } from '../src/rtc-port.ts';
import {
  checkOf,
  kindOf,
  loopback,
  openBare,
  openPeer,
  type PeerOptions,
  payloadType,
  Relay,
  rtp,
  ssrc,
  UdpPeer,
  until,
  untilConnected,
} from './rtc-rig.ts';

const faults: unknown[] = [];
let port: RtcPort;

beforeEach(() => {
  port = new RtcPort({ host: loopback, port: 0 }, (error) => faults.push(error));
  onTestFinished(() => port.close());
});

afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

async function socket(): Promise<UdpPeer> {
  const peer = await UdpPeer.open();
  onTestFinished(() => peer.close());
  return peer;
}

async function relayTo(to: RtcPort): Promise<Relay> {
  const relay = await Relay.open(to.port);
  onTestFinished(() => relay.close());
  return relay;
}

async function peerOf(options: PeerOptions) {
  const peer = await openPeer(port, options);
  onTestFinished(() => peer.close());
  return peer;
}

// --- DTLS -------------------------------------------------------------------------------------------------------------------

const type = { changeCipherSpec: 20, alert: 21, handshake: 22, data: 23 } as const;

/** A DTLS 1.2 record (RFC 6347 §4.1). Records of epoch 0 are unencrypted. */
function record(kind: number, body: Buffer, { epoch = 0, number = 0 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt8(kind, 0);
  header.writeUInt16BE(0xfefd, 1);
  header.writeUInt16BE(epoch, 3);
  header.writeUIntBE(number, 5, 6);
  header.writeUInt16BE(body.length, 11);
  return Buffer.concat([header, body]);
}

/** A handshake message of `total` bytes, or a fragment of the message (RFC 6347 §4.2.2). */
function message(kind: number, number: number, body: Buffer, { total = body.length, offset = 0 } = {}): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(kind, 0);
  header.writeUIntBE(total, 1, 3);
  header.writeUInt16BE(number, 4);
  header.writeUIntBE(offset, 6, 3);
  header.writeUIntBE(body.length, 9, 3);
  return Buffer.concat([header, body]);
}

/** A well-formed ClientHello whose only cipher is accepted by no server. */
const impossibleHello = Buffer.concat([
  Buffer.from('fefd', 'hex'),
  Buffer.alloc(32, 9),
  Buffer.from([0, 0, 0, 2, 0, 0xff, 1, 0]),
]);
const fatalAlert = record(type.alert, Buffer.from([2, 40]), { number: 9 });
const emptyHandshake = record(type.handshake, Buffer.alloc(0), { number: 8 });
const handshake = (...messages: Buffer[]) => record(type.handshake, Buffer.concat(messages), { number: 7 });
const foreignCertificate = Buffer.concat([Buffer.from([0, 1, 3, 0, 1, 0]), Buffer.alloc(256, 0x30)]);

const anyRole = [
  ['an alert', fatalAlert],
  ['an alert behind an empty handshake record', Buffer.concat([emptyHandshake, fatalAlert])],
  ['an alert behind a record of an unknown type', Buffer.concat([record(26, Buffer.alloc(4)), fatalAlert])],
  [
    'an alert behind an encrypted record',
    Buffer.concat([record(type.handshake, Buffer.alloc(40), { epoch: 1 }), fatalAlert]),
  ],
  ['data behind an empty handshake record', Buffer.concat([emptyHandshake, record(type.data, Buffer.alloc(5))])],
  ['many empty handshake records', Buffer.concat(Array.from({ length: 60 }, () => emptyHandshake))],
  ['an encrypted record that is too short', record(type.handshake, Buffer.alloc(3), { epoch: 1 })],
  ['a record with the highest number', record(type.handshake, Buffer.alloc(0), { number: 2 ** 48 - 1 })],
  ['a message longer than any', handshake(message(1, 0, Buffer.alloc(20), { total: 0xffffff }))],
  ['a fragment outside of its message', handshake(message(11, 1, Buffer.alloc(20), { total: 21, offset: 9 }))],
  ['another certificate', handshake(message(11, 1, foreignCertificate))],
] as const;

const whileServer = [
  ['a ClientHello of zeros', handshake(message(1, 0, Buffer.alloc(60)))],
  ['a ClientHello cut off', handshake(message(1, 0, impossibleHello.subarray(0, 30)))],
  ['a ClientHello without a common cipher', handshake(message(1, 0, impossibleHello))],
  ['a fragment of another ClientHello', handshake(message(1, 0, Buffer.alloc(50, 7), { total: 900 }))],
  [
    'a ClientHello with a high record number',
    record(type.handshake, message(1, 0, impossibleHello), { number: 2 ** 47 }),
  ],
  ['a message of a server', handshake(message(2, 0, Buffer.alloc(38)))],
  ['a request for a new handshake', handshake(message(0, 0, Buffer.alloc(0)))],
  ['a key exchange of zeros', handshake(message(16, 2, Buffer.alloc(66)))],
  ['an early key exchange', handshake(message(16, 1, Buffer.alloc(66)))],
  ['a signature of zeros', handshake(message(15, 3, Buffer.alloc(76)))],
  ['a fragment of another certificate', handshake(message(11, 1, Buffer.alloc(100), { total: 700 }))],
  ['an unencrypted Finished', handshake(message(20, 4, Buffer.alloc(12)))],
  ['a change of ciphers', record(type.changeCipherSpec, Buffer.from([1]))],
] as const;

/** Connects a peer. Before each DTLS datagram of the peer, injects `datagram` from the peer's address. */
async function connectBeside(datagram: Buffer, setup: 'actpass' | 'passive'): Promise<void> {
  const relay = await relayTo(port);
  let injected = 0;
  relay.judge = (own, isToPort) => {
    if (isToPort && kindOf(own) === 'dtls') {
      injected++;
      void relay.far.send(datagram, port.port);
    }
    return true;
  };
  const peer = await peerOf({ setup, relay });
  await until(() => peer.observed.closed > 0 || peer.states.includes('failed') || peer.observed.connected > 0);
  expect(peer.observed).toMatchObject({ connected: 1, closed: 0 });
  await untilConnected(peer);
  expect(injected).toBeGreaterThan(0);
  peer.session.send(rtp(1, { type: payloadType.audio, source: ssrc.ofPort }));
  await until(() => peer.received.length > 0);
}

describe('a handshake succeeds despite', () => {
  it.each([...anyRole, ...whileServer])('%s, with the port as its server', async (_, datagram) => {
    await connectBeside(datagram, 'actpass');
  });

  it.each(anyRole)('%s, with the port as its client', async (_, datagram) => {
    await connectBeside(datagram, 'passive');
  });

  it('all of them together', async () => {
    const all = [...anyRole, ...whileServer].map(([, datagram]) => datagram);
    await connectBeside(Buffer.concat(all).subarray(0, 2048), 'actpass');
  });
});

async function completeHello(): Promise<Buffer> {
  const relay = await relayTo(port);
  let hello: Buffer | undefined;
  relay.judge = (datagram, isToPort) => {
    if (isToPort && kindOf(datagram) === 'dtls') hello ??= datagram;
    return hello === undefined;
  };
  await peerOf({ relay });
  await until(() => hello !== undefined);
  return hello!;
}

it('a complete ClientHello that a stranger sent first does not prevent the handshake of the peer', async () => {
  const forged = await completeHello();
  const relay = await relayTo(port);
  relay.judge = (datagram, isToPort) => {
    if (isToPort && kindOf(datagram) !== 'media') void relay.far.send(forged, port.port);
    return true;
  };
  const peer = await peerOf({ relay, beforeAnswer: () => relay.far.send(forged, port.port) });
  await untilConnected(peer);
  peer.session.send(rtp(1, { type: payloadType.audio, source: ssrc.ofPort }));
  await until(() => peer.received.length > 0);
});

it('the response to a stranger’s ClientHello contains nothing that the peer would accept', async () => {
  const { session, observed } = openBare(port, true);
  const peer = await socket();
  await peer.send(checkOf(session), port.port);
  await peer.next('stun');
  for (let count = 0; count < 50; count++) await peer.send(handshake(message(1, 0, impossibleHello)), port.port);
  await peer.send(checkOf(session), port.port);
  await peer.next('stun', 1);
  expect(peer.received.filter((datagram) => kindOf(datagram) === 'dtls')).toEqual([]);
  expect(observed.closed).toBe(0);
});

// --- STUN -------------------------------------------------------------------------------------------------------------------

it('STUN messages for no session are dropped in the addon', async () => {
  const addon = loadAddon();
  let seen = 0;
  const handle = addon.open(loopback, 0, (checks) => {
    seen += checks.length / 4;
  });
  onTestFinished(() => addon.close(handle));
  const known = { ufrag: 'known', password: 'p'.repeat(24) };
  addon.openSession(handle, true, 'sha-256', Buffer.alloc(32), known.ufrag, known.password);
  const check = checkOf(known);
  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(check);
    change(copy);
    return copy;
  };
  const address = { ip: loopback, port: 9 };
  const strangers = [
    ...['00', '0001', '000100002112a442', '03'.repeat(300)].map((text) => Buffer.from(text, 'hex')),
    changed((copy) => copy.writeUInt32BE(0, 4)), // no cookie
    changed((copy) => copy.writeUInt16BE(copy.length - 24, 2)), // shorter than the datagram
    changed((copy) => copy.writeUInt16BE(0x0011, 0)), // an indication
    changed((copy) => copy.writeUInt16BE(0x0003, 0)), // another method
    changed((copy) => copy.writeUInt16BE(0xffff, 22)), // an attribute longer than the message
    check.subarray(0, -4),
    checkOf({ ...known, ufrag: 'knowm' }),
    checkOf({ ...known, ufrag: 'know' }),
    checkOf({ ...known, ufrag: '' }),
    writeBindingSuccess({ transactionId: Buffer.alloc(12), address, password: known.password }),
    writeBindingSuccess({ transactionId: randomBytes(12), address, password: known.password }),
  ];
  const peer = await socket();
  for (const datagram of [...strangers, check]) await peer.send(datagram, addon.port(handle));
  await until(() => addon.counters(handle).received === strangers.length + 1 && seen > 0);
  expect(seen).toBe(1);
  expect(addon.counters(handle).ignored).toBe(strangers.length);
});

describe('checks with a wrong password', () => {
  /** The limit allows a further response every 100 ms. */
  const [sent, maxResponses] = [1_000, 500] as const;

  it('get responses at a limited rate, and do not block responses to other peers', async () => {
    const { session } = openBare(port, true);
    const [guesser, peer] = [await socket(), await socket()];
    const guess = () => checkOf({ ufrag: session.ufrag, password: randomBytes(12).toString('hex') });
    await guesser.send(guess(), port.port);
    expect(parseStunMessage(await guesser.next('stun')).errorCode).toBe(401);
    for (let count = 0; count < sent; count++) await guesser.send(guess(), port.port);
    await peer.send(checkOf(session), port.port);
    expect(parseStunMessage(await peer.next('stun')).class).toBe('success');
    // The response to this check comes after all others. Neither limit applies to this response.
    await guesser.send(checkOf(session), port.port);
    const responses = () => guesser.received.map((datagram) => parseStunMessage(datagram));
    await until(() => responses().some((message) => message.class === 'success'));
    expect(responses().filter(({ errorCode }) => errorCode === 401).length).toBeLessThan(maxResponses);
  });
});

it('limits the rate of responses to checks of one session', async () => {
  /** The limit allows a further response every 10 ms. */
  const [sent, maxResponses] = [3_000, 2_000] as const;
  const { session } = openBare(port, true);
  const flood = await socket();
  const check = checkOf(session);
  for (let count = 0; count < sent; count++) await flood.send(check, port.port);
  // The response to this check comes after all others.
  await flood.send(checkOf({ ufrag: session.ufrag, password: 'x'.repeat(24) }), port.port);
  const responses = () => flood.received.map((datagram) => parseStunMessage(datagram));
  await until(() => responses().some(({ errorCode }) => errorCode === 401));
  expect(responses().filter((message) => message.class === 'success').length).toBeLessThan(maxResponses);
});

// --- Addresses --------------------------------------------------------------------------------------------------------------

describe('an address that a session has not verified', () => {
  it('is given to the peer that responds there, although the session is connected elsewhere', async () => {
    const thief = await peerOf({});
    await untilConnected(thief);
    const relay = await relayTo(port);
    const peer = await peerOf({
      relay,
      beforeAnswer: () => relay.far.send(checkOf(thief.session, thief.remote.ufrag), port.port),
    });
    await untilConnected(peer);
    expect(thief.observed.closed).toBe(0);
  });

  it('is given to the peer that responds there while the session connects, and checks of the session do not take it back', async () => {
    const thief = openBare(port, true);
    const relay = await relayTo(port);
    relay.judge = (datagram, isToPort) => {
      if (isToPort && kindOf(datagram) !== 'media') void relay.far.send(checkOf(thief.session), port.port);
      return true;
    };
    const peer = await peerOf({
      relay,
      beforeAnswer: () => relay.far.send(checkOf(thief.session), port.port),
    });
    await untilConnected(peer);
    peer.session.send(rtp(1, { type: payloadType.audio, source: ssrc.ofPort }));
    await until(() => peer.received.length > 0);
  });
});
