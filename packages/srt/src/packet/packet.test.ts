// Exact bytes: a handshake recorded from libsrt 1.5.1 (FFmpeg 5.1), and tables that are both parsed and written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeyMaterial } from '../crypto/key-material.ts';
import { SrtProtocolError } from '../protocol-error.ts';
import { parseAck, writeFullAck, writeLightAck } from './ack.ts';
import {
  extensionType,
  handshakeType,
  parseCapabilities,
  parseExtensionText,
  parseHandshake,
  writeExtensionText,
  writeHandshake,
} from './handshake-packet.ts';
import { parseLossReport, type SequenceRange, writeLossReport } from './loss-report.ts';
import { type ControlPacket, controlType, parsePacket, writeControlPacket, writeDataPacket } from './packet-header.ts';

const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex');

const induction = bytes(`8000000000000000000000c2000000000000000400000002520b2c53000005dc0000200000000001
  2ba4dcb5000000000100007f000000000000000000000000`);
const conclusionPacket = bytes(`80000000000000000000120c000000000000000500020007520b2c53000005dc00002000ffffffff
  2ba4dcb55e7ebcf20100007f0000000000000000000000000001000300010501000000bf007800000005
  00073a3a2123696c3d72672f657665646c6f3d6d2c6e6c627570006873690003000e1220290100000000
  02000200000004049a43c1a7fc7974b657d4b4005eb72ec150e5345926a8b8d0346865b234a6261ee0d91c27580c085f`);

function control(datagram: Buffer): ControlPacket {
  const packet = parsePacket(datagram);
  if (packet.kind !== 'control') throw new Error('not a control packet');
  return packet;
}

describe('a handshake of libsrt', () => {
  it('reads an induction', () => {
    const handshake = parseHandshake(control(induction).body);
    expect(handshake).toMatchObject({
      version: 4,
      extensionField: 2,
      initialSequence: 0x520b2c53,
      mtuBytes: 1500,
      flowWindowPackets: 8192,
      type: handshakeType.induction,
      socketId: 0x2ba4dcb5,
      cookie: 0,
      peerIp: '127.0.0.1',
      extensions: [],
    });
  });

  it('reads a conclusion with latency, stream id and key material', () => {
    const { extensions, cookie } = parseHandshake(control(conclusionPacket).body);
    const content = (type: number) => extensions.find((extension) => extension.type === type)!.content;
    expect(cookie).toBe(0x5e7ebcf2);
    expect(parseCapabilities(content(extensionType.handshakeRequest))).toEqual({
      srtVersion: 0x010501,
      flags: 0xbf,
      receiverLatencyMs: 120,
      senderLatencyMs: 0,
    });
    expect(parseExtensionText(content(extensionType.streamId))).toBe('#!::r=live/golden,m=publish');
    const keys = parseKeyMaterial(content(extensionType.keyMaterialRequest), 'golden-passphrase');
    expect(keys?.even).toHaveLength(16);
    expect(parseKeyMaterial(content(extensionType.keyMaterialRequest), 'another-passphrase')).toBeUndefined();
  });

  it.each([induction, conclusionPacket])('is written back byte for byte', (datagram) => {
    const packet = control(datagram);
    const body = writeHandshake(parseHandshake(packet.body));
    expect(writeControlPacket(packet, body).toString('hex')).toBe(datagram.toString('hex'));
  });
});

describe('data packets', () => {
  it('carry sequence, flags, message number, time and payload', () => {
    const datagram = writeDataPacket(
      {
        sequence: 0x12345678,
        encryption: 1,
        retransmitted: true,
        messageNumber: 9,
        timestampUs: 0x1_0000_0005,
        destinationSocketId: 77,
      },
      Buffer.from('payload'),
    );
    expect(datagram.toString('hex')).toBe(`12345678ec000009000000050000004d${Buffer.from('payload').toString('hex')}`);
    expect(parsePacket(datagram)).toMatchObject({
      kind: 'data',
      sequence: 0x12345678,
      position: 3,
      inOrder: true,
      encryption: 1,
      retransmitted: true,
      messageNumber: 9,
      timestampUs: 5,
    });
  });
});

describe('loss reports', () => {
  const table: [string, SequenceRange[]][] = [
    ['00000005', [{ first: 5, last: 5 }]],
    ['8000000a00000014', [{ first: 10, last: 20 }]],
    [
      '0000000580000007000000097fffffff',
      [
        { first: 5, last: 5 },
        { first: 7, last: 9 },
        { first: 0x7fffffff, last: 0x7fffffff },
      ],
    ],
    ['ffffffff00000002', [{ first: 0x7fffffff, last: 2 }]],
  ];
  it.each(table)('%s in both directions', (hex, ranges) => {
    expect(parseLossReport(bytes(hex))).toEqual(ranges);
    expect(writeLossReport(ranges).toString('hex')).toBe(hex);
  });

  it('refuses a range without an end', () => {
    expect(() => parseLossReport(bytes('80000001'))).toThrow(SrtProtocolError);
  });
});

describe('acknowledgements', () => {
  it('keep their seven words', () => {
    const ack = {
      sequence: 42,
      rttUs: 60_000,
      rttVarianceUs: 5_000,
      availableBufferPackets: 8000,
      receivingPacketsPerSecond: 400,
      linkCapacityPacketsPerSecond: 1000,
      receivingBytesPerSecond: 500_000,
    };
    expect(parseAck(writeFullAck(ack))).toEqual({ sequence: 42, full: ack });
    expect(parseAck(writeLightAck(42))).toEqual({ sequence: 42 });
  });
});

describe('extension text', () => {
  it.each(['', 'a', 'abcd', '#!::r=live/直播,m=publish'])('%j in both directions', (text) => {
    expect(parseExtensionText(writeExtensionText(text))).toBe(text);
  });
});

describe('arbitrary input', () => {
  const parseAll = (datagram: Buffer) => {
    const packet = parsePacket(datagram);
    if (packet.kind === 'data') return;
    if (packet.type === controlType.handshake) {
      for (const { type, content } of parseHandshake(packet.body).extensions) {
        if (type === extensionType.handshakeRequest) parseCapabilities(content);
        if (type === extensionType.keyMaterialRequest) parseKeyMaterial(content, 'golden-passphrase');
        parseExtensionText(content);
      }
    }
    if (packet.type === controlType.ack) parseAck(packet.body);
    if (packet.type === controlType.nak) parseLossReport(packet.body);
  };
  const survives = (datagram: Buffer) => {
    try {
      parseAll(datagram);
    } catch (error) {
      expect(error).toBeInstanceOf(SrtProtocolError);
    }
  };

  it('throws only SrtProtocolError for truncated handshakes', () => {
    for (let length = 0; length < conclusionPacket.length; length++) survives(conclusionPacket.subarray(0, length));
  });

  it('throws only SrtProtocolError for mutated and random datagrams', () => {
    const mutated = fc
      .array(fc.tuple(fc.nat(conclusionPacket.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((edits) => {
        const copy = Buffer.from(conclusionPacket);
        for (const [offset, value] of edits) copy[offset] = value;
        return copy;
      });
    const random = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    fc.assert(fc.property(fc.oneof(mutated, random), survives), { numRuns: 500, seed: 7 });
  });
});
