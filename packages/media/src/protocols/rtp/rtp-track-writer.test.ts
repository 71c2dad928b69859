import { describe, expect, it } from 'vitest';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { parseH264Config } from '../../codecs/h264-config.ts';
import { writeH265Config } from '../../codecs/h265-config.ts';
import { joinLengthPrefixed } from '../../codecs/nal-units.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import { aacTrack, audio, h264Config, h264Track, keyframe, video } from '../../testing/media.ts';
import type { AudioCodec, Track } from '../../track.ts';
import type { AccessUnit } from './access-unit-builder.ts';
import { H264Depacketizer } from './h264-depacketizer.ts';
import { H265Depacketizer } from './h265-depacketizer.ts';
import { parseRtpPacket } from './rtp-packet.ts';
import { RtpTrackWriter, rtpClockRate, rtpPayloadType } from './rtp-track-writer.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const hexOf = (buffers: readonly Buffer[] = []) => buffers.map((buffer) => buffer.toString('hex'));
const hevcSets = [
  '40010c01ffff01600000030090000003000003003c959809',
  '42010101600000030090000003000003003ca00a080b9f796566924caf016808000003000800000300c840',
  '4401c172b46240',
].map(hex);
const hevcTrack = videoTrackFromConfig('h265', writeH265Config(hevcSets)!);
const h264Sets = (() => {
  const { sps, pps } = parseH264Config(h264Config)!;
  return [...sps, ...pps];
})();
const audioTrack = (codec: AudioCodec, sampleRate: number): Track =>
  audioTrackFromConfig(codec, Buffer.alloc(0), { sampleRate, channels: 2 });

it.each([
  [h264Track, 96, 90_000],
  [hevcTrack, 96, 90_000],
  [aacTrack, 97, 48_000],
  [audioTrack('opus', 16_000), 97, 48_000],
  [audioTrack('mp3', 44_100), 14, 90_000],
  [audioTrack('mp2', 48_000), 14, 90_000],
  [audioTrack('pcmu', 0), 0, 8_000],
  [audioTrack('pcma', 16_000), 8, 16_000],
])('$codec has its payload type and clock rate', (track, payloadType, clockRate) => {
  expect([rtpPayloadType(track), rtpClockRate(track)]).toEqual([payloadType, clockRate]);
});

describe('RtpTrackWriter', () => {
  it('numbers packets across the wrap, counts them, and marks the last of a frame', () => {
    const writer = new RtpTrackWriter(0xdead, 0xffff);
    const packets = writer.write(video(1000, { bytes: 3000, compositionMs: 40 })).map(parseRtpPacket);
    expect(packets.map(({ sequence }) => sequence)).toEqual([0xffff, 0, 1]);
    expect(packets.map(({ marker }) => marker)).toEqual([false, false, true]);
    expect(new Set(packets.map(({ timestamp, ssrc }) => `${timestamp} ${ssrc}`))).toEqual(new Set(['93600 57005']));
    expect(writer.packets).toBe(3);
    expect(writer.payloadBytes).toBe(packets.reduce((sum, { payload }) => sum + payload.length, 0));
  });

  it('wraps times at 32 bits, also those before 0', () => {
    const writer = new RtpTrackWriter(1, 0);
    const timestampOf = (dtsMs: number) => parseRtpPacket(writer.write(video(dtsMs))[0]!).timestamp;
    expect(timestampOf(-20)).toBe(2 ** 32 - 1800);
    expect(timestampOf(48 * 3_600_000)).toBe((48 * 3_600_000 * 90) % 2 ** 32);
  });

  it.each([
    ['H.264', h264Track, h264Sets, '0910', '65aabb', new H264Depacketizer()],
    ['H.265', hevcTrack, hevcSets, '460150', '2601aabb', new H265Depacketizer()],
  ] as const)('sends the parameter sets of %s before a keyframe without them, and no delimiter', (...row) => {
    const [, track, sets, delimiter, slice, depacketizer] = row;
    const writer = new RtpTrackWriter(1, 0);
    const sent = (units: readonly Buffer[], isKeyframe: boolean) => {
      const frame = { ...keyframe(0, { track }), keyframe: isKeyframe, payload: joinLengthPrefixed(units) };
      const results: (AccessUnit | undefined)[] = writer
        .write(frame)
        .map((datagram) => depacketizer.push(parseRtpPacket(datagram)));
      return hexOf(results.at(-1)?.units);
    };
    expect(sent([hex(delimiter), hex(slice)], true)).toEqual([...hexOf(sets), slice]);
    expect(sent([hex(delimiter), hex(slice)], false)).toEqual([slice]);
    expect(sent([...sets, hex(slice)], true)).toEqual([...hexOf(sets), slice]);
  });

  it('sends an AAC frame with its header, at its sample rate', () => {
    const [only, ...more] = new RtpTrackWriter(1, 5).write(audio(500)).map(parseRtpPacket);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ marker: true, payloadType: 97, sequence: 5, timestamp: 24_000 });
    expect(only!.payload.toString('hex')).toBe('00100018211004');
  });

  it('sends a long G.711 frame in packets whose times advance by their samples', () => {
    const track = audioTrack('pcmu', 8_000);
    const packet = { ...audio(0), track, payload: Buffer.alloc(2000, 1) } as ReturnType<typeof audio>;
    const packets = new RtpTrackWriter(1, 0).write(packet).map(parseRtpPacket);
    expect(packets.map(({ timestamp, payload, marker }) => [timestamp, payload.length, marker])).toEqual([
      [0, 1400, false],
      [1400, 600, true],
    ]);
  });

  it('sends nothing for a codec without a supported payload format', () => {
    const track = videoTrackFromConfig('vp8', Buffer.alloc(0));
    const writer = new RtpTrackWriter(1, 0);
    expect(writer.write(keyframe(0, { track }))).toEqual([]);
    expect(writer.packets).toBe(0);
  });
});
