import { describe, expect, it } from 'vitest';
import { joinLengthPrefixed } from '../../codecs/nal-units.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import type { Packet } from '../../packet.ts';
import { audio, h264Track } from '../../testing/media.ts';
import type { Track } from '../../track.ts';
import { FrameJoiner } from './frame-joiner.ts';

const h265Track = videoTrackFromConfig('h265', Buffer.from('0101600000', 'hex'));

/** Bytes of NAL units by name. */
const h264Units = {
  sps: '6742',
  pps: '68ce',
  sei: '0605',
  aud: '09f0',
  eos: '0a',
  idr: '6588',
  first: '4180',
  next: '4140',
};
const h265Units = { sps: '420101', sei: '4e0105', suffix: '500105', idr: '260180', first: '020180', next: '020140' };

class Rig {
  readonly out: string[] = [];
  readonly joiner = new FrameJoiner({
    setTrack: () => this.out.push('track'),
    setMetadata: () => {},
    push: (packet) => this.out.push(describePacket(packet)),
  });

  send(dtsMs: number, ...names: (keyof typeof h264Units)[]): void {
    const keyframe = names.includes('idr');
    this.push(
      h264Track,
      dtsMs,
      keyframe,
      names.map((name) => h264Units[name]),
    );
  }

  sendHevc(dtsMs: number, ...names: (keyof typeof h265Units)[]): void {
    this.push(
      h265Track,
      dtsMs,
      names.includes('idr'),
      names.map((name) => h265Units[name]),
    );
  }

  push(track: Track, dtsMs: number, keyframe: boolean, units: string[]): void {
    const payload = joinLengthPrefixed(units.map((hex) => Buffer.from(hex, 'hex')));
    this.joiner.push({ track, dtsMs, ptsMs: dtsMs, keyframe, payload } as Packet);
  }
}

function describePacket({ track, dtsMs, keyframe, payload }: Packet): string {
  if (track.kind === 'audio') return `audio ${dtsMs}`;
  const units: string[] = [];
  for (let at = 0; at < payload.length; at += 4 + payload.readUInt32BE(at)) {
    const hex = payload.toString('hex', at + 4, at + 4 + payload.readUInt32BE(at));
    const names = Object.entries(track.codec === 'h264' ? h264Units : h265Units);
    units.push(names.find(([, bytes]) => bytes === hex)?.[0] ?? hex);
  }
  return `${dtsMs}${keyframe ? 'K' : ''} ${units.join('+')}`;
}

describe('frames sent whole', () => {
  it('are emitted immediately, the first one as soon as another message follows', () => {
    const rig = new Rig();
    rig.send(0, 'idr', 'next', 'next');
    expect(rig.out).toEqual([]);
    rig.send(40, 'first', 'next');
    expect(rig.out).toEqual(['0K idr+next+next', '40 first+next']);
    rig.send(80, 'sei', 'first');
    expect(rig.out.at(-1)).toBe('80 sei+first');
  });

  it('keep their order relative to audio', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    rig.joiner.push(audio(0));
    rig.send(40, 'first');
    expect(rig.out).toEqual(['0K idr', 'audio 0', '40 first']);
  });

  it('are emitted when nothing follows, after two ticks or at the end', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    rig.joiner.tick();
    expect(rig.out).toEqual([]);
    rig.joiner.tick();
    expect(rig.out).toEqual(['0K idr']);
    const other = new Rig();
    other.send(0, 'idr');
    other.joiner.flush();
    expect(other.out).toEqual(['0K idr']);
  });

  it('remain separate when two of them have the same time', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    rig.send(0, 'first');
    rig.send(0, 'first');
    expect(rig.out).toEqual(['0K idr', '0 first', '0 first']);
  });

  it('include NAL units that were sent before them, and keep their own time', () => {
    const rig = new Rig();
    rig.send(0, 'sps', 'pps');
    rig.send(20, 'idr');
    rig.send(40, 'sei');
    rig.send(60, 'first');
    rig.send(80, 'first');
    expect(rig.out).toEqual(['20K sps+pps+idr', '60 sei+first', '80 first']);
  });
});

describe('frames sent in parts', () => {
  it('are joined when each part is one slice', () => {
    const rig = new Rig();
    for (const dtsMs of [0, 40, 80]) {
      rig.send(dtsMs, dtsMs === 0 ? 'idr' : 'first');
      rig.send(dtsMs, 'next');
      rig.send(dtsMs, 'next');
    }
    rig.joiner.flush();
    expect(rig.out).toEqual(['0K idr+next+next', '40 first+next+next', '80 first+next+next']);
  });

  it('are joined when each part is one NAL unit, with one slice or several', () => {
    const rig = new Rig();
    for (const name of ['aud', 'sps', 'pps', 'sei', 'idr', 'next'] as const) rig.send(0, name);
    for (const name of ['aud', 'first', 'next', 'eos'] as const) rig.send(40, name);
    for (const name of ['aud', 'first'] as const) rig.send(80, name);
    rig.joiner.flush();
    expect(rig.out).toEqual(['0K aud+sps+pps+sei+idr+next', '40 aud+first+next+eos', '80 aud+first']);
  });

  it('are joined for HEVC too', () => {
    const rig = new Rig();
    for (const name of ['sps', 'sei', 'idr', 'next', 'suffix'] as const) rig.sendHevc(0, name);
    for (const name of ['sei', 'first', 'next'] as const) rig.sendHevc(40, name);
    rig.joiner.flush();
    expect(rig.out).toEqual(['0K sps+sei+idr+next+suffix', '40 sei+first+next']);
  });

  it('wait for the next message and not for the clock', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    rig.send(0, 'next');
    for (let i = 0; i < 5; i++) rig.joiner.tick();
    rig.joiner.push(audio(20));
    expect(rig.out).toEqual(['audio 20']);
    rig.send(0, 'next');
    rig.send(40, 'first');
    expect(rig.out.at(-1)).toBe('0K idr+next+next');
  });

  it('are joined from the second frame on when the first one had one slice', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    for (const dtsMs of [40, 80, 120]) {
      rig.send(dtsMs, 'first');
      rig.send(dtsMs, 'next');
    }
    rig.joiner.flush();
    expect(rig.out).toEqual(['0K idr', '40 first', '40 next', '80 first+next', '120 first+next']);
  });

  it('end where a configuration changes', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    rig.send(0, 'next');
    rig.joiner.setTrack(h264Track);
    expect(rig.out).toEqual(['0K idr+next', 'track']);
  });

  it('are not joined from slices with different times, which are passed on separately', () => {
    const rig = new Rig();
    rig.send(0, 'idr');
    rig.send(40, 'next');
    expect(rig.out).toEqual(['0K idr', '40 next']);
  });

  it('have a bounded number of parts', () => {
    const rig = new Rig();
    for (let i = 0; i < 10_000; i++) rig.send(0, i === 0 ? 'idr' : 'next');
    rig.send(40, 'first');
    expect(rig.out[0]!.split('+').length).toBeLessThanOrEqual(4_096);
  });
});
