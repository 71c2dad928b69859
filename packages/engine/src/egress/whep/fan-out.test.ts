import { describe, expect, it } from 'vitest';
import { FanOut, type Kind } from './fan-out.ts';
import type { SharedPackets } from './shared-packets.ts';
import { SharedRtpPacket } from './shared-rtp-packet.ts';

function packet(sequence: number): SharedRtpPacket {
  return new SharedRtpPacket({
    marker: false,
    payloadType: 102,
    sequence,
    timestamp: 0,
    ssrc: 1,
    payload: Buffer.of(1),
  });
}

/** Viewers that record their packets; the test runs the turns of the event loop. */
function start(count: number) {
  const turns: (() => void)[] = [];
  const log: string[] = [];
  const fanOut = new FanOut<{ send(kind: Kind, packets: SharedPackets): void }>((turn) => turns.push(turn));
  const viewers = Array.from({ length: count }, (_, index) => ({
    send: (kind: Kind, { packets }: SharedPackets) =>
      log.push(`${index} ${kind} ${packets.map(({ sequence }) => sequence)}`),
  }));
  const add = (kind: Kind, ...sequences: number[]): void => {
    for (const sequence of sequences) fanOut.add(kind, packet(sequence));
    fanOut.flush(() => viewers);
  };
  const takeTurns = (): number => {
    let taken = 0;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      turn();
      taken++;
    }
    return taken;
  };
  return { add, takeTurns, log, viewers, fanOut };
}

describe('packets for all viewers', () => {
  it('go to each in order, starting with another one each time', () => {
    const { add, log } = start(3);
    add('video', 1, 2);
    expect(log.splice(0)).toEqual(['1 video 1,2', '2 video 1,2', '0 video 1,2']);
    add('video', 3);
    expect(log).toEqual(['2 video 3', '0 video 3', '1 video 3']);
  });

  it('are sent 256 per turn of the event loop', () => {
    const { add, takeTurns, log } = start(200);
    add('video', 1, 2, 3, 4);
    expect(log).toHaveLength(64);
    expect(takeTurns()).toBe(3);
    expect(log).toHaveLength(200);
    expect(new Set(log).size).toBe(200);
  });

  it('of a frame larger than a turn go to one viewer per turn', () => {
    const { add, takeTurns, log } = start(3);
    add('video', ...Array.from({ length: 600 }, (_, index) => index));
    expect(log).toHaveLength(1);
    expect(takeTurns()).toBe(2);
    expect(log).toHaveLength(3);
  });

  it('that arrive meanwhile follow in one batch, viewer by viewer, to the current viewers', () => {
    const { add, takeTurns, log, viewers } = start(300);
    add('video', 1);
    log.length = 0;
    add('audio', 1);
    add('video', 2);
    add('audio', 2);
    expect(log).toEqual([]);
    viewers.splice(2);
    takeTurns();
    expect(log.slice(-4)).toEqual(['0 video 2', '0 audio 1,2', '1 video 2', '1 audio 1,2']);
  });

  it('need no viewer', () => {
    const { add, takeTurns, log } = start(0);
    add('video', 1);
    expect(takeTurns()).toBe(0);
    expect(log).toEqual([]);
  });
});
