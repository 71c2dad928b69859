// One side of a connection without a peer. The test passes in packets and times. Both sides together: test/lossy-path.test.ts.
import { describe, expect, it } from 'vitest';
import { parseKeyMaterial, type StreamKeys, writeKeyMaterial } from '../crypto/key-material.ts';
import { PayloadCipher } from '../crypto/payload-cipher.ts';
import { flowWindowPackets, maxPayloadBytes } from '../limits.ts';
import { type ControlHeader, parsePacket, type SrtPacket, writeDataPacket } from '../packet/packet-header.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { SrtConnection } from './srt-connection.ts';

const startUs = 5_000_000;
const ms = 1000;
const peer = 0x0b0b;
const own = 0x0a0a;
const sequence = 0x100;
const passphrase = 'a long passphrase';
const keysOf = (keyLength: 16 | 24 | 32, parts: Partial<StreamKeys>): StreamKeys => ({
  salt: Buffer.alloc(16, 0x5a),
  keyLength,
  ...parts,
});

/** A side that starts at `startUs`. The datagrams that it sends and the texts that it delivers are recorded. */
function openSide(options: Partial<ConnectionOptions> = {}, hasTimeBase = true) {
  const sent: Buffer[] = [];
  const delivered: string[] = [];
  const ends: string[] = [];
  let lost = 0;
  const connection = new SrtConnection(
    {
      socketId: own,
      peerSocketId: peer,
      initialSequence: sequence,
      receiverLatencyMs: 120,
      senderLatencyMs: 120,
      peerFlowWindowPackets: flowWindowPackets,
      ...(hasTimeBase && { timeBase: { timestampUs: 0, nowUs: startUs } }),
      startUs,
      peerIdleTimeoutUs: 10_000_000,
      maxBandwidthBytesPerSecond: 125_000_000,
      ...options,
    },
    {
      transmit: (datagram) => sent.push(Buffer.from(datagram)),
      onPayload: (payload) => delivered.push(payload.toString()),
      onLoss: (packets) => {
        lost += packets;
      },
      onClosed: (reason) => ends.push(reason),
    },
    startUs,
  );
  const receive = (hex: string, atUs: number) =>
    connection.handlePacket(parsePacket(Buffer.from(hex.replaceAll(' ', ''), 'hex')), startUs + atUs);
  const data = (step: number, payload: string | Buffer, atUs: number, encryption: 0 | 1 | 2 = 0) =>
    connection.handlePacket(
      parsePacket(
        writeDataPacket(
          {
            sequence: sequence + step,
            encryption,
            retransmitted: false,
            messageNumber: step + 1,
            timestampUs: atUs,
            destinationSocketId: own,
          },
          Buffer.from(payload),
        ),
      ),
      startUs + atUs,
    );
  return {
    connection,
    delivered,
    ends,
    receive,
    data,
    lost: () => lost,
    advance: (atUs: number) => connection.advance(startUs + atUs) - startUs,
    send: (text: string, atUs: number) => connection.send(Buffer.from(text), startUs + atUs),
    stats: (atUs: number) => connection.stats(startUs + atUs),
    takeSent: () => sent.splice(0).map((datagram) => datagram.toString('hex')),
    takePackets: (): SrtPacket[] => sent.splice(0).map((datagram) => parsePacket(datagram)),
  };
}

const controlHex = ({ type, subtype = 0, info = 0, timestampUs }: Omit<ControlHeader, 'destinationSocketId'>) =>
  [0x8000_0000 + type * 0x1_0000 + subtype, info, timestampUs, peer]
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('');

describe('an idle connection', () => {
  it('sends one keep-alive per second, byte for byte', () => {
    const side = openSide();
    side.advance(999 * ms);
    expect(side.takeSent()).toEqual([]);
    side.advance(1_000 * ms);
    expect(side.takeSent()).toEqual([`${controlHex({ type: 1, timestampUs: 1_000_000 })}00000000`]);
    side.advance(1_500 * ms);
    side.advance(2_000 * ms);
    expect(side.takeSent()).toHaveLength(1);
  });

  it('closes after the idle timeout: notifies the peer once, then sends and accepts nothing', () => {
    const side = openSide();
    side.receive(`80010000 00000000 00000000 00000a0a`, 1_000 * ms);
    side.advance(11_000 * ms);
    expect(side.ends).toEqual([]);
    side.takeSent();
    expect(side.advance(11_001 * ms)).toBe(Number.POSITIVE_INFINITY);
    expect(side.ends).toEqual(['peer-timeout']);
    expect(side.takeSent()).toEqual([`${controlHex({ type: 5, timestampUs: 11_001_000 })}00000000`]);
    side.data(0, 'late', 11_002 * ms);
    side.connection.close(startUs + 11_003 * ms);
    expect(side.send('x', 11_003 * ms)).toBe(false);
    expect(side.advance(12_000 * ms)).toBe(Number.POSITIVE_INFINITY);
    expect([side.delivered, side.ends, side.takeSent()]).toEqual([[], ['peer-timeout'], []]);
  });
});

describe('received packets', () => {
  it('are delivered one latency after they were sent, and acknowledged within ten milliseconds', () => {
    const side = openSide();
    side.data(0, 'a', 0);
    expect(side.advance(1)).toBe(1 + 10 * ms);
    side.takeSent();
    side.data(1, 'b', 10 * ms);
    side.advance(20 * ms);
    const [ack] = side.takePackets();
    expect(ack).toMatchObject({ kind: 'control', type: 2, info: 2 });
    expect((ack as { body: Buffer }).body.readUInt32BE(0)).toBe(sequence + 2);
    side.advance(120 * ms - 1);
    expect(side.delivered).toEqual([]);
    side.advance(120 * ms);
    expect(side.delivered).toEqual(['a']);
    side.advance(130 * ms);
    expect(side.delivered).toEqual(['a', 'b']);
  });

  it('are acknowledged with a light ACK after 64 packets without a full one', () => {
    const side = openSide();
    for (let step = 0; step < 64; step++) side.data(step, 'x', step);
    expect(side.takeSent()).toEqual([`${controlHex({ type: 2, timestampUs: 63 })}00000140`]);
  });

  it('are reported as lost immediately, and again after a whole interval', () => {
    const side = openSide();
    side.advance(0);
    side.data(3, 'd', 1 * ms);
    expect(side.takeSent()).toEqual([`${controlHex({ type: 3, timestampUs: 1_000 })}8000010000000102`]);
    const naks = () => side.takeSent().filter((hex) => hex.startsWith('8003'));
    side.advance(100 * ms);
    expect(naks()).toEqual([]);
    // The NAK interval is (RTT + 4 RTTVar) / 2 with the initial values 100 ms and 50 ms.
    side.advance(150 * ms - 1);
    expect(naks()).toEqual([]);
    expect(side.stats(150 * ms)).toMatchObject({ lostPackets: 3, recoveredPackets: 0 });
  });

  it('are counted when they are duplicates or too late', () => {
    const side = openSide();
    side.data(0, 'a', 0);
    side.data(0, 'a', 1);
    side.advance(120 * ms);
    side.data(0, 'a', 121 * ms);
    expect(side.delivered).toEqual(['a']);
    expect(side.stats(121 * ms)).toMatchObject({ receivedPackets: 3, duplicatePackets: 2 });
  });

  it('are skipped on a drop request, up to the first one that has arrived', () => {
    const side = openSide();
    side.data(3, 'd', 0);
    side.takeSent();
    side.receive(`80070000 00000000 00000000 00000a0a 00000100 00000109`, 1 * ms);
    expect(side.lost()).toBe(3);
    side.advance(120 * ms);
    expect(side.delivered).toEqual(['d']);
    // These two ranges, before the head and after a later gap, do not contain the gap at the head.
    side.receive(`80070000 00000000 00000000 00000a0a 00000100 00000101`, 121 * ms);
    side.receive(`80070000 00000000 00000000 00000a0a 00000108 00000109`, 121 * ms);
    expect(side.stats(121 * ms).droppedPackets).toBe(3);
  });

  it('measure the round trip by acknowledgements, the last 64 of which are kept', () => {
    const side = openSide();
    for (let step = 0; step < 70; step++) {
      side.data(step, 'x', step * 10 * ms);
      side.advance(step * 10 * ms + 1);
    }
    // The first acknowledgement was dropped, so its ACKACK has no effect. The ACKACK of the last acknowledgement arrives after 31 ms.
    side.receive(`80060000 00000001 00000000 00000a0a`, 720 * ms);
    expect(side.stats(720 * ms).rttMs).toBe(100);
    side.receive(`80060000 00000046 00000000 00000a0a`, 690 * ms + 1 + 31 * ms);
    expect(side.stats(722 * ms)).toMatchObject({ rttMs: 31, rttVarianceMs: 15.5 });
  });
});

describe('sent packets', () => {
  it('have number, timestamp and socket id of the peer, byte for byte', () => {
    const side = openSide();
    expect(side.send('ab', 2 * ms)).toBe(true);
    expect(side.connection.waitingPackets).toBe(1);
    side.advance(3 * ms);
    expect(side.takeSent()).toEqual([`00000100e0000001000007d000000b0b6162`]);
    expect(side.stats(3 * ms)).toMatchObject({ sentPackets: 1, sentBytes: 2, flightPackets: 1 });
  });

  it('are retransmitted when the peer reports them, with the retransmission flag', () => {
    const side = openSide();
    for (const text of ['a', 'b', 'c']) side.send(text, 0);
    side.advance(1);
    side.takeSent();
    side.receive(`80030000 00000000 00000000 00000a0a 80000101 00000102`, 50 * ms);
    side.advance(50 * ms);
    expect(side.takeSent()).toEqual([`00000101e40000020000000000000b0b62`, `00000102e40000030000000000000b0b63`]);
    // A second report of the loss has no effect. The peer sent it before the retransmission arrived.
    side.receive(`80030000 00000000 00000000 00000a0a 00000102`, 60 * ms);
    side.advance(60 * ms);
    expect(side.takeSent()).toEqual([]);
  });

  it('are kept until acknowledged; a later loss report gets a drop request', () => {
    const side = openSide();
    for (const text of ['a', 'b', 'c']) side.send(text, 0);
    side.advance(1);
    side.takeSent();
    // A full acknowledgement of two packets, with a round trip of 60 ms. The response is an ACKACK.
    side.receive(`80020000 00000009 00000000 00000a0a 00000102 0000ea60 00007530 00001fff`, 60 * ms);
    expect(side.takeSent()).toEqual([`${controlHex({ type: 6, info: 9, timestampUs: 60_000 })}00000000`]);
    expect(side.stats(60 * ms)).toMatchObject({ rttMs: 60, flightPackets: 1 });
    side.receive(`80030000 00000000 00000000 00000a0a 80000100 00000102`, 70 * ms);
    expect(side.takeSent()).toEqual([`${controlHex({ type: 7, timestampUs: 70_000 })}0000010000000101`]);
    // A light acknowledgement gets no ACKACK. An acknowledgement of packets that were never sent is ignored.
    side.receive(`80020000 00000000 00000000 00000a0a 00000103`, 80 * ms);
    side.receive(`80020000 00000000 00000000 00000a0a 00000200`, 81 * ms);
    expect(side.takeSent()).toEqual([]);
    expect(side.stats(81 * ms).flightPackets).toBe(0);
  });

  it('are retransmitted after a timeout without acknowledgement, which doubles each time', () => {
    const side = openSide({ senderLatencyMs: 8_000 });
    side.send('a', 0);
    const times: number[] = [];
    for (let atMs = 0; atMs <= 3_000; atMs++) {
      side.advance(atMs * ms + 1);
      if (side.takeSent().some((hex) => hex.startsWith('00000100'))) times.push(atMs);
    }
    // The timeout is 100 ms + 4 × 50 ms without a measured round trip, plus two ACK intervals (20 ms). It doubles each time.
    expect(times).toEqual([0, 320, 960, 2_240]);
    expect(side.stats(3_000 * ms).retransmittedPackets).toBe(3);
  });

  it('are dropped when too late, with a drop request to the peer', () => {
    const side = openSide();
    for (const text of ['a', 'b']) side.send(text, 0);
    side.advance(1);
    for (let atMs = 10; atMs < 1_020; atMs += 10) {
      if (atMs === 500) side.send('c', atMs * ms);
      side.advance(atMs * ms);
    }
    side.advance(1_020 * ms);
    side.takeSent();
    side.advance(1_020 * ms + 1);
    expect(side.takeSent()[0]).toBe(`${controlHex({ type: 7, timestampUs: 1_020_001 })}0000010000000101`);
    expect(side.stats(1_021 * ms).droppedPackets).toBe(2);
  });

  it('are not dropped before this process reads acknowledgements that arrived while it was blocked', () => {
    const side = openSide();
    for (const text of ['a', 'b']) side.send(text, 0);
    side.advance(1);
    side.advance(3_000 * ms);
    side.receive(`80020000 00000000 00000000 00000a0a 00000101`, 3_001 * ms);
    expect(side.stats(3_001 * ms)).toMatchObject({ flightPackets: 1, droppedPackets: 0, retransmittedPackets: 0 });
    // When the time for reading acknowledgements is over, unacknowledged packets are dropped.
    side.advance(3_050 * ms);
    expect(side.stats(3_050 * ms)).toMatchObject({ flightPackets: 0, droppedPackets: 1 });
  });

  it('wait while the window of the peer is full, and are refused while our own is', () => {
    const side = openSide({ peerFlowWindowPackets: 3 });
    for (let count = 0; count < flowWindowPackets; count++) expect(side.send('x', 0)).toBe(true);
    expect(side.send('x', 0)).toBe(false);
    expect(side.stats(0).droppedPackets).toBe(1);
    side.advance(1);
    expect(side.takeSent()).toHaveLength(3);
  });

  it('do not exceed the maximum rate: the rest follows a millisecond later', () => {
    const side = openSide({ maxBandwidthBytesPerSecond: 100_000 });
    for (let count = 0; count < 100; count++) side.connection.send(Buffer.alloc(984), startUs);
    expect(side.advance(1)).toBe(1 + 1 * ms);
    let sentPackets = 0;
    for (let atMs = 1; atMs <= 500; atMs++) {
      side.advance(atMs * ms);
      sentPackets += side.takePackets().filter(({ kind }) => kind === 'data').length;
    }
    expect(sentPackets).toBeGreaterThan(48);
    expect(sentPackets).toBeLessThan(52);
  });

  it('have payloads of at most one packet', () => {
    const side = openSide();
    expect(side.connection.send(Buffer.alloc(maxPayloadBytes), startUs)).toBe(true);
    expect(() => side.connection.send(Buffer.alloc(maxPayloadBytes + 1), startUs)).toThrow(RangeError);
  });
});

describe('keys', () => {
  const first = keysOf(16, { even: Buffer.alloc(16, 1) });
  const encrypt = (keys: StreamKeys, step: number, key: 1 | 2, text: string) =>
    new PayloadCipher(keys).apply(Buffer.from(text), sequence + step, key)!;
  const refreshHex = (message: Buffer) =>
    `7fff0003 00000000 00000000 00000a0a ${message.toString('hex')}`.replace(/^7/, 'f');
  const openSecret = () => openSide({ cipher: new PayloadCipher(first), passphrase });

  it('encrypt what is sent and decrypt what arrives', () => {
    const side = openSecret();
    side.send('ab', 0);
    side.advance(1);
    const [packet] = side.takePackets();
    expect(packet).toMatchObject({ encryption: 1, payload: encrypt(first, 0, 1, 'ab') });
    side.data(0, encrypt(first, 0, 1, 'secret'), 0, 1);
    side.advance(120 * ms);
    expect(side.delivered).toEqual(['secret']);
  });

  it.each([
    ['the other key of the same length', keysOf(16, { odd: Buffer.alloc(16, 2) })],
    ['both keys', keysOf(16, { even: Buffer.alloc(16, 3), odd: Buffer.alloc(16, 2) })],
    ['keys of another length', keysOf(32, { even: Buffer.alloc(32, 3), odd: Buffer.alloc(32, 4) })],
  ])('are refreshed by %s during transmission; the message is echoed', (_, keys) => {
    const side = openSecret();
    const message = writeKeyMaterial(keys, passphrase);
    side.receive(refreshHex(message), 1 * ms);
    expect(side.takeSent()).toEqual([
      `${controlHex({ type: 0x7fff, subtype: 4, timestampUs: 1_000 })}${message.toString('hex')}`,
    ]);
    expect(parseKeyMaterial(message, passphrase)).toEqual(keys);
    side.data(0, encrypt(keys, 0, 2, 'after'), 2 * ms, 2);
    side.send('own', 2 * ms);
    side.advance(122 * ms);
    expect(side.delivered).toEqual(['after']);
    expect(side.takePackets().find(({ kind }) => kind === 'data')).toMatchObject({ encryption: 1 });
  });

  it('of another passphrase change nothing and get no response', () => {
    const side = openSecret();
    side.receive(refreshHex(writeKeyMaterial(keysOf(16, { odd: Buffer.alloc(16, 2) }), 'another passphrase')), 1 * ms);
    expect(side.takeSent()).toEqual([]);
    side.data(0, encrypt(first, 0, 1, 'still'), 2 * ms, 1);
    side.advance(122 * ms);
    expect(side.delivered).toEqual(['still']);
  });

  it('that are unknown cost only their payload: it is counted, and the next one is delivered', () => {
    const side = openSecret();
    side.data(0, Buffer.from('?'), 0, 2);
    side.data(1, encrypt(first, 1, 1, 'next'), 0, 1);
    side.advance(120 * ms);
    expect(side.delivered).toEqual(['next']);
    expect(side.stats(120 * ms).undecryptedPackets).toBe(1);
  });

  it('protect against unencrypted payloads: they are dropped and counted', () => {
    const side = openSecret();
    side.data(0, 'forged', 0, 0);
    side.data(1, encrypt(first, 1, 1, 'next'), 0, 1);
    side.advance(120 * ms);
    expect(side.delivered).toEqual(['next']);
    expect(side.stats(120 * ms).undecryptedPackets).toBe(1);
  });

  it('in endless messages are unwrapped ten times a second; a repeated message gets the same response', () => {
    const side = openSecret();
    const messages = Array.from({ length: 100 }, (_, n) =>
      refreshHex(writeKeyMaterial(keysOf(16, { odd: Buffer.alloc(16, n + 1) }), passphrase)),
    );
    for (const [n, message] of messages.entries()) side.receive(message, (n + 1) * ms);
    expect(side.takeSent()).toHaveLength(1);
    side.receive(messages[0]!, 101 * ms);
    expect(side.takeSent()).toHaveLength(1);
    side.receive(messages[1]!, 102 * ms);
    expect(side.takeSent()).toHaveLength(1);
  });

  it('that reach a side without a passphrase are ignored', () => {
    const side = openSide();
    side.receive(refreshHex(writeKeyMaterial(first, passphrase)), 1 * ms);
    expect([side.takeSent(), side.ends]).toEqual([[], []]);
  });
});

describe('a caller of version 4', () => {
  it('sends its capabilities after the handshake: they set the time base, and the response has our latency', () => {
    const side = openSide({}, false);
    side.receive(`ffff0001 00000000 000f4240 00000a0a 00010203 000000bf 00780000`, 50 * ms);
    expect(side.takeSent()).toEqual([
      `${controlHex({ type: 0x7fff, subtype: 2, timestampUs: 50_000 })}00010203000000bf00780000`,
    ]);
    // The peer's timestamp is 10 ms later, so the packet is due 60 ms + 120 ms after the start.
    side.receive(`00000100 e0000001 000f6950 00000a0a 61`, 61 * ms);
    side.advance(180 * ms - 1);
    expect(side.delivered).toEqual([]);
    side.advance(180 * ms);
    expect(side.delivered).toEqual(['a']);
  });
});

describe('a packet truncated at any byte', () => {
  const keyMaterial = writeKeyMaterial(keysOf(16, { even: Buffer.alloc(16, 9) }), passphrase).toString('hex');
  it.each([
    [
      'acknowledgement',
      '80020000 00000001 00000000 00000a0a 00000101 0000ea60 00007530 00001fff 00000010 00000010 00000010',
    ],
    ['loss report', '80030000 00000000 00000000 00000a0a 00000100 80000101 00000102'],
    ['drop request', '80070000 00000000 00000000 00000a0a 00000100 00000101'],
    ['key refresh', `ffff0003 00000000 00000000 00000a0a ${keyMaterial}`],
    ['capabilities', 'ffff0001 00000000 00000000 00000a0a 00010500 000000bf 00780078'],
    ['keep-alive', '80010000 00000000 00000000 00000a0a 00000000'],
  ])('%s: closes this connection as a protocol error or is accepted; nothing is thrown', (_, hex) => {
    const whole = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    for (let length = 16; length <= whole.length; length++) {
      const side = openSide({ cipher: new PayloadCipher(keysOf(16, { even: Buffer.alloc(16, 1) })), passphrase });
      side.send('a', 0);
      side.advance(1);
      side.receive(whole.subarray(0, length).toString('hex'), 1 * ms);
      side.advance(2 * ms);
      expect([[], ['protocol-error']]).toContainEqual(side.ends);
      if (length === whole.length) expect(side.ends).toEqual([]);
    }
  });
});
