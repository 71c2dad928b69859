import type { AudioPacket, VideoPacket } from '@srs-stack/media/packet.ts';
import { audio, video } from '@srs-stack/media/testing/media.ts';
import { describe, expect, it } from 'vitest';
import type { SlateMedia } from './slate-media.ts';
import { SlateShow } from './slate-show.ts';

const frameMs = 40;
const hourMs = 3_600_000;
const largest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);

function clip({ frames, audioCount, audioMs }: { frames: number; audioCount: number; audioMs: number }): SlateMedia {
  const shown = Array.from({ length: frames }, (_, n) => video(n * frameMs, { keyframe: n === 0 }));
  const packets = Array.from({ length: audioCount }, (_, n) => audio(n * audioMs));
  return {
    video: { packets: shown as VideoPacket[], durationMs: frames * frameMs },
    audio: { packets: packets as AudioPacket[], durationMs: audioCount * audioMs },
  };
}

function roundsOf(media: SlateMedia, forMs: number) {
  const show = new SlateShow(media, 0);
  const first = { video: media.video!.packets[0]!.payload, audio: media.audio!.packets[0]!.payload };
  const rounds: Record<'video' | 'audio', number[]> = { video: [], audio: [] };
  const times: Record<'video' | 'audio', number[]> = { video: [], audio: [] };
  for (let now = 0; now <= forMs; now += frameMs) {
    for (const packet of show.take(now)) {
      times[packet.track.kind].push(packet.dtsMs);
      if (packet.payload === first[packet.track.kind]) rounds[packet.track.kind].push(packet.dtsMs);
    }
  }
  return { rounds, times };
}

describe('clip that repeats', () => {
  it.each([
    ['44.1 kHz', (1024 / 44_100) * 1000],
    ['48 kHz', (1024 / 48_000) * 1000],
    ['Opus', 20],
  ])('keeps audio within one frame of the video for an hour at %s', (_name, audioMs) => {
    const frames = 53;
    const media = clip({ frames, audioCount: Math.ceil((frames * frameMs) / audioMs) + 2, audioMs });
    const { rounds, times } = roundsOf(media, hourMs);
    expect(rounds.video.length).toBeGreaterThan(1_600);
    expect(Math.abs(rounds.audio.length - rounds.video.length)).toBeLessThanOrEqual(1);
    const offsets = rounds.audio.map((time, round) => Math.abs(time - round * frames * frameMs));
    expect(largest(offsets)).toBeLessThanOrEqual(audioMs);
    const gaps = times.audio.slice(1).map((time, index) => Math.abs(time - times.audio[index]! - audioMs));
    expect(largest(gaps)).toBeLessThan(0.001);
  });

  it('repeats audio that is shorter than its round', () => {
    const media = clip({ frames: 100, audioCount: 10, audioMs: 20 });
    const { times } = roundsOf(media, 60_000);
    expect(times.audio).toEqual(Array.from({ length: 60_000 / 20 + 1 }, (_, n) => n * 20));
  });

  it('shows every frame of every round at its time', () => {
    const media = clip({ frames: 7, audioCount: 15, audioMs: 20 });
    const { times } = roundsOf(media, 10_000);
    expect(times.video).toEqual(Array.from({ length: 10_000 / frameMs + 1 }, (_, n) => n * frameMs));
  });
});
