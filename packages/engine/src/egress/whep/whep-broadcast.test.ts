import type { AudioPacket } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import type { AudioTrack } from '@srs-stack/media/track.ts';
import { describe, expect, it } from 'vitest';
import type { Kind } from './fan-out.ts';
import { WhepBroadcast } from './whep-broadcast.ts';
import type { WhepViewer } from './whep-viewer.ts';

const ticksPerMs = { video: 90, audio: 48 } as const;
const opus: AudioTrack = { ...aacTrack, codec: 'opus' };
const opusAudio = (dtsMs: number): AudioPacket => ({ ...audio(dtsMs), track: opus });

function start() {
  const wall = { nowMs: 1_700_000_000_000 };
  const times: Record<Kind, number[]> = { video: [], audio: [] };
  const broadcast = new WhepBroadcast({ maxHistoryBytes: 1_000_000, wallClock: () => wall.nowMs });
  const viewer = {
    catchUp: () => false,
    sendReport: () => undefined,
    send: (kind: Kind, { packets }: { packets: readonly { timestamp: number }[] }) =>
      times[kind].push(...packets.map(({ timestamp }) => timestamp / ticksPerMs[kind])),
    onStreamEnd: () => undefined,
  };
  broadcast.addViewer(viewer as unknown as WhepViewer);
  return { broadcast, wall, times };
}

describe('the RTP time of WebRTC viewers', () => {
  it('continues through a pause between publishers as the wall clock does, the same for audio and video', () => {
    const { broadcast, wall, times } = start();
    broadcast.onPacket(keyframe(1_000));
    broadcast.onPacket(opusAudio(1_000));
    wall.nowMs += 40;
    broadcast.onPacket(video(1_040));
    wall.nowMs += 3_000;
    broadcast.onPublisherChange();
    broadcast.onPacket(keyframe(1_080));
    broadcast.onPacket(opusAudio(1_090));
    wall.nowMs += 40;
    broadcast.onPacket(video(1_120));
    expect(times).toEqual({ video: [1_000, 1_040, 4_040, 4_080], audio: [1_000, 4_050] });
  });

  it('is the media time while one publisher sends, however late', () => {
    const { broadcast, wall, times } = start();
    broadcast.onPacket(keyframe(1_000));
    wall.nowMs += 2_000;
    broadcast.onPacket(video(1_040));
    expect(times.video).toEqual([1_000, 1_040]);
  });

  it('never goes back when the next publisher begins early', () => {
    const { broadcast, wall, times } = start();
    broadcast.onPacket(keyframe(1_000));
    wall.nowMs += 10;
    broadcast.onPublisherChange();
    broadcast.onPacket(keyframe(1_040));
    expect(times.video).toEqual([1_000, 1_040]);
  });
});
