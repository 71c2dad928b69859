import { describe, expect, it } from 'vitest';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import { type SlateClipSource, slateArgs } from './slate-args.ts';
import { shapeKey, shapeOf, startShape } from './slate-shape.ts';

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

function argsOf(stream: MediaServerStream, image?: string, clip?: SlateClipSource): string {
  const shape = shapeOf(stream);
  if (!shape || shape === 'unknown') throw new Error('no shape');
  const source = { image, isBlurred: false, textFilters: ['drawtext=x'], clip, maxBytes: 16 * 1024 ** 2 };
  return slateArgs(shape, source, '/out.ts').join(' ');
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
    expect(args).toContain('-framerate 30000/1001 -i file:/data/slates/image.jpg');
    expect(args).toContain('pad=1280:720:-1:-1');
  });

  it('has only the kind of media that the stream has', () => {
    expect(argsOf(streamWith({ video: null }))).toMatch(/-map 0:a(?!.*-map \d)/);
    expect(argsOf(streamWith({ audio: null }))).toMatch(/-map 0:V(?!.*-map \d)/);
  });

  it('draws the texts in the pixels of the stream, once', () => {
    const [, filters = ''] = /-vf (\S+)/.exec(argsOf(streamWith(), '/image.jpg')) ?? [];
    expect(filters.indexOf('pad=')).toBeLessThan(filters.indexOf('drawtext='));
    expect(filters.indexOf('drawtext=')).toBeLessThan(filters.indexOf('loop='));
  });

  const clip = { path: '/data/upload/a.mp4', hasVideo: true, hasAudio: true, seconds: 10 };

  it('repeats whole frames of a clip, with more audio than video', () => {
    const args = argsOf(streamWith(), '/image.jpg', clip);
    expect(args).toContain('-i file:/data/upload/a.mp4');
    expect(args).not.toContain('image.jpg');
    // 10 s at 29.97 frames per second are 300 frames, 10.01 s.
    expect(args).toContain('trim=end_frame=300');
    expect(args).toContain('atrim=end=10.1100');
    expect(args).toContain('-maxrate 4000k');
  });

  it('keeps a long clip below the largest file', () => {
    const kbps = Number(/-maxrate (\d+)k/.exec(argsOf(streamWith(), undefined, { ...clip, seconds: 60 }))?.[1]);
    expect(kbps).toBeGreaterThan(1_500);
    expect(((kbps + 96) * 1000 * 60) / 8).toBeLessThan(16 * 1024 ** 2);
  });

  it('shows the image with the audio of a clip without video, and is silent for a clip without audio', () => {
    const sound = argsOf(streamWith(), '/image.jpg', { ...clip, hasVideo: false });
    expect(sound).toContain('-i file:/data/upload/a.mp4 -protocol_whitelist file -f image2');
    expect(sound).toMatch(/-map 1:V:0.*-map 0:a:0/);
    const silent = argsOf(streamWith(), '/image.jpg', { ...clip, hasAudio: false });
    expect(silent).toContain('anullsrc');
    expect(silent).toMatch(/-map 0:V:0.*-map 1:a:0/);
  });

  it('is H.264 and AAC stereo of the chosen size for a stream that begins with it', () => {
    const shape = startShape({ width: 1920, height: 1080, fps: 30, sampleRate: 48_000 });
    const source = { image: undefined, isBlurred: false, textFilters: [], clip: undefined, maxBytes: 1e6 };
    const args = slateArgs(shape, source, '/out.ts').join(' ');
    expect(args).toContain('color=c=0x14161c:s=1920x1080:r=30');
    expect(args).toContain('-profile:v high -crf');
    expect(args).toContain('-c:a aac -b:a 96k -ar 48000 -ac 2');
    expect(shapeKey(shape)).not.toBe(shapeKey(startShape({ width: 1920, height: 1080, fps: 25, sampleRate: 48_000 })));
  });

  it('does not exist for codecs without an encoder, nor before the tracks are known', () => {
    expect(shapeOf(streamWith({ video: { ...video, codec: 'AV1' } }))).toBeUndefined();
    expect(shapeOf(streamWith({ audio: { ...audio, codec: 'AC3' } }))).toBeUndefined();
    expect(shapeOf(streamWith({ video: { ...video, width: 0 } }))).toBe('unknown');
    expect(shapeOf(streamWith({ video: null, audio: null }))).toBe('unknown');
    expect(shapeOf(streamWith({ details: undefined }))).toBe('unknown');
  });

  it('differs for another size, but not while only the measured rate varies', () => {
    const keyOf = (stream: MediaServerStream) =>
      shapeKey(shapeOf(stream) as Exclude<ReturnType<typeof shapeOf>, string | undefined>);
    expect(keyOf(streamWith({}, 24.7))).toBe(keyOf(streamWith()));
    expect(keyOf(streamWith({ video: { ...video, width: 640 } }))).not.toBe(keyOf(streamWith()));
    expect(keyOf(streamWith({ audio: null }))).not.toBe(keyOf(streamWith()));
  });
});
