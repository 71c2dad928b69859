import { expect, it } from 'vitest';
import { h264Track } from '../testing/media.ts';
import type { Track } from '../track.ts';
import { audioTrackFromConfig } from './audio-track.ts';
import { codecString } from './codec-string.ts';
import { writeOpusConfig } from './opus.ts';
import { videoTrackFromConfig } from './video-track.ts';

const hvcC = '0101600000009000000000005df000fcfdf8f800000f03';
const aac = (hex: string) => audioTrackFromConfig('aac', Buffer.from(hex, 'hex'));

it.each<[Track, string | undefined]>([
  [h264Track, 'avc1.640028'],
  [videoTrackFromConfig('h265', Buffer.from(hvcC, 'hex')), 'hvc1.1.6.L93.90'],
  [videoTrackFromConfig('h265', Buffer.from(`0122200000009${hvcC.slice(13)}`, 'hex')), 'hvc1.2.4.H93.90'],
  [videoTrackFromConfig('av1', Buffer.from('81040c00', 'hex')), 'av01.0.04M.08'],
  [videoTrackFromConfig('av1', Buffer.from('8128c000', 'hex')), 'av01.1.08H.10'],
  [aac('1190'), 'mp4a.40.2'],
  [aac('2b118800'), 'mp4a.40.5'],
  [audioTrackFromConfig('opus', writeOpusConfig(2)), 'opus'],
  [audioTrackFromConfig('mp3', Buffer.alloc(0)), undefined],
  [videoTrackFromConfig('h264', Buffer.alloc(0)), undefined],
])('formats track %#', (track, name) => {
  expect(codecString(track)).toBe(name);
});
