// The calling side without a peer: what it sends and when, and how it handles invalid responses.
import { describe, expect, it } from 'vitest';
import {
  extensionType,
  type Handshake,
  handshakeType,
  parseHandshake,
  srtMagic,
  writeCapabilities,
  writeHandshake,
} from '../packet/handshake-packet.ts';
import { type ControlPacket, controlType, parsePacket, writeControlPacket } from '../packet/packet-header.ts';
import { SrtCaller } from './srt-caller.ts';

const ms = 1000;

function openCall(options: { passphrase?: string; keyLength?: 16 | 24 | 32 } = {}) {
  const sent: Buffer[] = [];
  const outcomes: string[] = [];
  const caller = new SrtCaller(
    { receiverLatencyMs: 120, senderLatencyMs: 200, ...options },
    'live/s',
    {
      transmit: (datagram) => sent.push(datagram),
      onPayload: () => {},
      onClosed: (reason) => outcomes.push(`closed ${reason}`),
      onConnected: (connection) => outcomes.push(`connected, latency ${connection.stats(0).latencyMs}`),
      onFailed: (code) => outcomes.push(`failed ${code}`),
    },
    0,
  );
  const last = () => {
    const packet = parsePacket(sent.at(-1)!) as ControlPacket;
    return { packet, handshake: parseHandshake(packet.body) };
  };
  const respond = (change: Partial<Handshake>, cut?: number) => {
    const { handshake } = last();
    const body = writeHandshake({ ...handshake, extensions: [], ...change });
    const datagram = writeControlPacket(
      { type: controlType.handshake, timestampUs: 0, destinationSocketId: handshake.socketId },
      body,
    );
    caller.handleDatagram(cut === undefined ? datagram : datagram.subarray(0, cut), 10 * ms);
  };
  return { caller, sent, outcomes, last, respond };
}

const induction = { type: handshakeType.induction, version: 5, extensionField: srtMagic, cookie: 0x1234_5678 };
const agreed = {
  type: handshakeType.conclusion,
  socketId: 77,
  extensions: [
    {
      type: extensionType.handshakeResponse,
      content: writeCapabilities({ srtVersion: 0x010500, flags: 0xbf, receiverLatencyMs: 300, senderLatencyMs: 50 }),
    },
  ],
};

describe('a call', () => {
  it('retries every 250 ms as libsrt does, and fails after three seconds', () => {
    const { caller, sent, outcomes, last } = openCall();
    expect(last().packet).toMatchObject({ type: controlType.handshake, destinationSocketId: 0, timestampUs: 0 });
    expect(last().handshake).toMatchObject({ version: 4, extensionField: 2, type: handshakeType.induction, cookie: 0 });
    const times: number[] = [];
    for (let atMs = 1; atMs <= 3_000; atMs++) {
      const before = sent.length;
      caller.advance(atMs * ms);
      if (sent.length > before) times.push(atMs);
    }
    expect(times).toEqual(Array.from({ length: 12 }, (_, index) => (index + 1) * 250));
    expect(new Set(sent.map((datagram) => datagram.toString('hex'))).size).toBe(1);
    expect(outcomes).toEqual([]);
    expect(caller.advance(3_000 * ms + 1)).toBe(Number.POSITIVE_INFINITY);
    expect(outcomes).toEqual(['failed 0']);
    expect(caller.advance(9_000 * ms)).toBe(Number.POSITIVE_INFINITY);
    expect(outcomes).toHaveLength(1);
  });

  it('concludes with the cookie, its latencies and the stream id, and uses the larger latency', () => {
    const { outcomes, last, respond } = openCall();
    respond(induction);
    expect(last().handshake).toMatchObject({
      version: 5,
      type: handshakeType.conclusion,
      cookie: 0x1234_5678,
      encryption: 0,
    });
    expect(last().handshake.extensions.map(({ type, content }) => [type, content.toString('hex')])).toEqual([
      [extensionType.handshakeRequest, '000105000000003f007800c8'],
      // `live/s` in 32-bit words with reversed bytes.
      [extensionType.streamId, '6576696c0000732f'],
    ]);
    respond(agreed);
    expect(outcomes).toEqual(['connected, latency 300']);
  });

  it.each([
    [16, 2],
    [24, 3],
    [32, 4],
  ] as const)(
    'with a passphrase, announces AES with %i key bytes as %i and sends the wrapped key',
    (keyLength, field) => {
      const { last, respond } = openCall({ passphrase: 'a long passphrase', keyLength });
      respond(induction);
      expect(last().handshake).toMatchObject({ encryption: field });
      const keys = last().handshake.extensions.find(({ type }) => type === extensionType.keyMaterialRequest);
      expect(keys?.content).toHaveLength(32 + keyLength + 8);
    },
  );

  it('with a passphrase, connects only to a listener that confirms the keys', () => {
    const keys = { type: extensionType.keyMaterialResponse, content: Buffer.alloc(56, 1) };
    const cases = [
      [[...agreed.extensions, keys], 'connected, latency 300'],
      [[...agreed.extensions, { ...keys, content: Buffer.of(0, 0, 0, 4) }], 'failed 1010'],
      [agreed.extensions, 'failed 1010'],
    ] as const;
    for (const [extensions, outcome] of cases) {
      const { outcomes, respond } = openCall({ passphrase: 'a long passphrase' });
      respond(induction);
      respond({ ...agreed, extensions: [...extensions] });
      expect(outcomes).toEqual([outcome]);
    }
  });

  it.each([
    ['a listener of version 4', { ...induction, version: 4 }, 'failed 0'],
    ['a listener that is not SRT', { ...induction, extensionField: 2 }, 'failed 0'],
    ['an agreement without capabilities', { ...agreed, extensions: [] }, 'failed 0'],
    ['a refusal, by its code', { type: 1403 }, 'failed 1403'],
  ])('fails once at %s', (_, change, outcome) => {
    const { outcomes, respond, caller } = openCall();
    respond(change);
    respond(induction);
    caller.advance(20 * ms);
    expect(outcomes).toEqual([outcome]);
  });

  it('retries after a truncated response or one for another caller', () => {
    const { caller, sent, outcomes, respond, last } = openCall();
    for (let cut = 0; cut < 16 + 48; cut++) respond(induction, cut);
    const other = writeControlPacket(
      { type: controlType.handshake, timestampUs: 0, destinationSocketId: last().handshake.socketId + 1 },
      writeHandshake({ ...last().handshake, ...induction }),
    );
    caller.handleDatagram(other, 10 * ms);
    expect([sent.length, outcomes]).toEqual([1, []]);
    respond(induction);
    expect(sent).toHaveLength(2);
  });
});
