import { describe, expect, it } from 'vitest';
import type { RtcTrack } from '../../webrtc-transport/webrtc-transport.ts';
import { SharedPackets } from './shared-packets.ts';
import { SharedRtpPacket } from './shared-rtp-packet.ts';
import { WhepViewer } from './whep-viewer.ts';

function packet(sequence: number, timestamp: number): SharedRtpPacket {
  return new SharedRtpPacket({
    ...{ marker: false, payloadType: 96, sequence: sequence & 0xffff, timestamp: timestamp >>> 0, ssrc: 10 },
    payload: Buffer.from([sequence & 0xff]),
  });
}

/** Frames of two packets each; `first` is the number of the first packet. */
function gopOf(first: number, count: number): SharedRtpPacket[] {
  return Array.from({ length: count * 2 }, (_, index) => packet(first + index, 4_294_960_000 + (index >> 1) * 3_000));
}

function start(onAudio: (datagrams: readonly Buffer[]) => void = () => {}) {
  const sent: Buffer[] = [];
  const plan = {
    kind: 'video',
    mid: '0',
    direction: 'send',
    codec: 'h264',
    payloadType: 97,
    format: '',
    ssrc: 10,
  } as const;
  const track: RtcTrack = {
    plan,
    send: (datagram) => sent.push(datagram) > 0,
    sendAll: (datagrams) => {
      // The buffers are valid only until this call returns.
      sent.push(...datagrams.map((datagram) => Buffer.from(datagram)));
      return datagrams.length;
    },
  };
  const events = {
    ...{ onSent: () => {}, onKeyframeRequest: () => {}, onResendRequest: () => {}, onStreamEnd: () => {} },
    wallClock: () => 0,
  };
  const audioTrack: RtcTrack = {
    plan: { ...plan, kind: 'audio', mid: '1', codec: 'opus', ssrc: 20 },
    send: (datagram) => audioTrack.sendAll([datagram]) > 0,
    sendAll: (datagrams) => {
      onAudio(datagrams);
      return datagrams.length;
    },
  };
  return { viewer: new WhepViewer([track, audioTrack], events, 0), sent };
}

const numberOf = (datagram: Buffer) => datagram.readUInt16BE(2);
const timeOf = (datagram: Buffer) => datagram.readUInt32BE(4);

describe.each([
  ['far from the wrap', 1_000],
  ['across the wrap', 65_533],
])('a viewer that joins, with sequence numbers %s', (_where, first) => {
  it('gets the frames in order, with compressed times before the newest', () => {
    const { viewer, sent } = start();
    const gop = gopOf(first, 5);
    viewer.catchUp(gop);
    expect(sent.map(numberOf)).toEqual(gop.map(({ sequence }) => sequence));
    const newest = gop.at(-1)!.timestamp;
    expect(sent.map((datagram) => (newest - timeOf(datagram)) >>> 0)).toEqual(
      [4, 4, 3, 3, 2, 2, 1, 1, 0, 0].map((behind) => behind * 270),
    );
  });

  it('gets a retransmission identical to the first packet', () => {
    const { viewer, sent } = start();
    const gop = gopOf(first, 5);
    viewer.catchUp(gop);
    const before = sent.splice(0);
    viewer.send('video', new SharedPackets([packet(first + 10, 1_000_000)]));
    viewer.resend([gop[2]!, gop[7]!]);
    expect(sent.slice(1)).toEqual([before[2], before[7]]);
  });

  it('gets no sequence number twice: queued packets were part of the catch-up', () => {
    const { viewer, sent } = start();
    const gop = gopOf(first, 5);
    viewer.catchUp(gop);
    sent.splice(0);
    viewer.send(
      'video',
      new SharedPackets([...gop.slice(6), packet(first + 10, 1_000_000), packet(first + 11, 1_000_000)]),
    );
    expect(sent.map(numberOf)).toEqual([(first + 10) & 0xffff, (first + 11) & 0xffff]);
  });

  it('gets packets unchanged after the sequence numbers have wrapped', () => {
    const { viewer, sent } = start();
    const gop = gopOf(first, 5);
    viewer.catchUp(gop);
    sent.splice(0);
    viewer.send('video', new SharedPackets([packet(first + 10_000, 1)]));
    viewer.send('video', new SharedPackets([packet(first + 65_536, gop[0]!.timestamp)]));
    expect(sent.map(timeOf)).toEqual([1, gop[0]!.timestamp]);
  });
});

describe('a viewer that is far behind', () => {
  it('advances in steps, and then gets later packets, each once and in order', () => {
    const { viewer, sent } = start();
    const gop = gopOf(65_500, 60);
    expect(viewer.catchUp(gop)).toBe(true);
    expect(sent.map(numberOf)).toEqual(gop.slice(0, 48).map(({ sequence }) => sequence));
    // The next batch repeats the last packets of the GOP.
    viewer.send('video', new SharedPackets([...gop.slice(-2), packet(65_620, 1_000_000)]));
    viewer.send('video', new SharedPackets([packet(65_621, 1_003_000)]));
    expect(sent).toHaveLength(48);
    expect(viewer.sendStep()).toBe(true);
    expect(sent).toHaveLength(96);
    expect(viewer.sendStep()).toBe(false);
    viewer.send('video', new SharedPackets([packet(65_622, 1_006_000)]));
    const whole = Array.from({ length: 123 }, (_, index) => (65_500 + index) & 0xffff);
    expect(sent.map(numberOf)).toEqual(whole);
    expect(sent.slice(-3).map(timeOf)).toEqual([1_000_000, 1_003_000, 1_006_000]);
  });

  it('has caught up after at most 25 steps', () => {
    const { viewer, sent } = start();
    let isBehind = viewer.catchUp(gopOf(0, 3_000));
    let steps = 1;
    for (; isBehind; steps++) isBehind = viewer.sendStep();
    expect([steps, sent.length]).toEqual([25, 6_000]);
  });

  it('gets audio immediately', () => {
    const audioNumbers: number[] = [];
    const { viewer, sent } = start((datagrams) => audioNumbers.push(...datagrams.map(numberOf)));
    viewer.catchUp(gopOf(0, 60));
    viewer.send('audio', new SharedPackets([packet(7, 0)]));
    expect([sent.length, audioNumbers]).toEqual([48, [7]]);
  });
});
