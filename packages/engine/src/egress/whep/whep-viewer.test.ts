import { writeNack, writePli } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { describe, expect, it } from 'vitest';
import type { RtcTrack } from '../../webrtc-transport/webrtc-transport.ts';
import { SharedPackets } from './shared-packets.ts';
import { SharedRtpPacket } from './shared-rtp-packet.ts';
import { WhepViewer } from './whep-viewer.ts';

function start() {
  const requested: number[] = [];
  let keyframeRequests = 0;
  const track = (kind: 'video' | 'audio', ssrc: number): RtcTrack => ({
    plan: {
      kind,
      mid: '0',
      direction: 'send',
      codec: kind === 'video' ? 'h264' : 'opus',
      payloadType: 1,
      format: '',
      ssrc,
    },
    send: () => true,
    sendAll: ({ length }) => length,
  });
  const events = {
    onSent: () => {},
    onKeyframeRequest: () => {
      keyframeRequests++;
    },
    onResendRequest: (sequences: readonly number[]) => requested.push(...sequences),
    onStreamEnd: () => {},
    wallClock: () => 0,
  };
  const viewer = new WhepViewer([track('video', 10), track('audio', 20)], events, 0);
  const send = (kind: 'video' | 'audio') => viewer.send(kind, new SharedPackets([packet]));
  return { viewer, send, requested, keyframeRequests: () => keyframeRequests };
}

const packet = new SharedRtpPacket({
  marker: false,
  payloadType: 1,
  sequence: 1,
  timestamp: 1,
  ssrc: 10,
  payload: Buffer.alloc(4),
});

describe('a viewer over WebRTC', () => {
  it('counts as silent from the first frame without a report', () => {
    const { viewer, send } = start();
    viewer.isAlive(5_000);
    expect(viewer.silentMs(5_000)).toBe(0);
    send('video');
    viewer.isAlive(5_050);
    expect(viewer.silentMs(6_050)).toBe(1_000);
    viewer.handleDatagram(writePli(1, 10), 6_100);
    expect(viewer.silentMs(9_000)).toBe(0);
  });

  it('may miss rare reports, and is ended after 15 s without one', () => {
    const { viewer, send } = start();
    send('video');
    viewer.handleDatagram(writePli(1, 10), 2_100);
    send('video');
    expect(viewer.isAlive(17_000)).toBe(true);
    expect(viewer.isAlive(17_100)).toBe(false);
  });

  it('does not count as silent with audio only, for which reports are rare, but is ended when none ever arrives', () => {
    const { viewer, send } = start();
    send('audio');
    expect(viewer.isAlive(14_900)).toBe(true);
    expect(viewer.silentMs(14_900)).toBe(0);
    expect(viewer.isAlive(15_000)).toBe(false);
  });

  it('gets at most 100 retransmissions at once, whatever it requests', () => {
    const { viewer, requested } = start();
    const many = Array.from({ length: 400 }, (_, index) => index);
    viewer.handleDatagram(writeNack(1, 10, many), 10);
    expect(requested).toHaveLength(100);
    viewer.handleDatagram(writeNack(1, 10, [7]), 15);
    expect(requested).toHaveLength(100);
    viewer.handleDatagram(writeNack(1, 10, [307]), 1_100);
    expect(requested.at(-1)).toBe(307);
  });

  it('with heavy loss causes three keyframes at first, then one in 3 s', () => {
    const { viewer, keyframeRequests } = start();
    for (let at = 0; at < 1_000; at += 50) viewer.handleDatagram(writePli(1, 10), at);
    expect(keyframeRequests()).toBe(3);
    for (let at = 1_000; at < 31_000; at += 50) viewer.handleDatagram(writePli(1, 10), at);
    expect(keyframeRequests()).toBe(13);
  });
});
