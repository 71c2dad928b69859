import { describe, expect, it } from 'vitest';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import { shapeKey, shapeOf, slateArgs } from './slate-shape.ts';

const video = { codec: 'H264', profile: 'Main', level: '3.1', width: 1280, height: 720 };
const audio = { codec: 'AAC', sampleRate: 44_100, channels: 1, profile: 'LC' };

function streamWith(changes: Partial<MediaServerStream> = {}, fps = 29.8): MediaServerStream {
  const details = {
    ...{ protocol: 'rtmp', ip: '127.0.0.1', hasMedia: true, fps, keyframeIntervalMs: 2000 },
    ...{ bitrateHistoryKbps: [], publishedForMs: 1 },
  };
  return {
    ...{ id: 'vid-1', vhost: '__defaultVhost__', app: 'live', stream: 's', isPublished: true, publisherClientId: 'a' },
    ...{ clients: 1, receivedBytes: 1, sentBytes: 1, receivedKbps: 1, video, audio, details, ...changes },
  };
}

function argsOf(stream: MediaServerStream, image?: string): string {
  const shape = shapeOf(stream);
  if (!shape || shape === 'unknown') throw new Error('no shape');
  return slateArgs(shape, image, '/out.ts').join(' ');
}

describe('shape of a slate', () => {
  it('has codec, profile, level, size, rate and channels of the stream', () => {
    const args = argsOf(streamWith());
    expect(args).toContain('color=c=0x14161c:s=1280x720:r=30000/1001');
    expect(args).toContain('-profile:v main -level:v 3.1');
    expect(args).toContain('anullsrc=r=44100:cl=mono');
    expect(args).toContain('-c:a aac -b:a 96k -ar 44100 -ac 1');
    expect(args).not.toContain('-map 0:a');
  });

  it('has no B-frames in either codec, and one GOP', () => {
    expect(argsOf(streamWith())).toContain('-g 60');
    expect(argsOf(streamWith())).toContain('-bf 0');
    expect(argsOf(streamWith({ video: { ...video, codec: 'HEVC' } }))).toContain('bframes=0');
  });

  it('fits an image into the frame', () => {
    const args = argsOf(streamWith(), '/data/slates/image.jpg');
    expect(args).toContain('-loop 1 -framerate 30000/1001 -i file:/data/slates/image.jpg');
    expect(args).toContain('pad=1280:720:-1:-1');
  });

  it('has one kind of media for a stream with one', () => {
    expect(argsOf(streamWith({ video: null }))).toMatch(/-map 0:a(?!.*-map)/);
    expect(argsOf(streamWith({ audio: null }))).toMatch(/-map 0:v(?!.*-map)/);
  });

  it('is not made for codecs without an encoder, nor before the media are known', () => {
    expect(shapeOf(streamWith({ video: { ...video, codec: 'AV1' } }))).toBeUndefined();
    expect(shapeOf(streamWith({ audio: { ...audio, codec: 'AC3' } }))).toBeUndefined();
    expect(shapeOf(streamWith({ video: { ...video, width: 0 } }))).toBe('unknown');
    expect(shapeOf(streamWith({ video: null, audio: null }))).toBe('unknown');
    expect(shapeOf(streamWith({ details: undefined }))).toBe('unknown');
  });

  it('is another one for another size, and the same one while only the measured rate varies', () => {
    const keyOf = (stream: MediaServerStream) =>
      shapeKey(shapeOf(stream) as Exclude<ReturnType<typeof shapeOf>, string | undefined>);
    expect(keyOf(streamWith({}, 24.7))).toBe(keyOf(streamWith()));
    expect(keyOf(streamWith({ video: { ...video, width: 640 } }))).not.toBe(keyOf(streamWith()));
    expect(keyOf(streamWith({ audio: null }))).not.toBe(keyOf(streamWith()));
  });
});
