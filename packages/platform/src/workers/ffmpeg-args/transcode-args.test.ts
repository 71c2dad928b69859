import { describe, expect, it } from 'vitest';
import { type TranscodeArgs, transcodeArgs } from './transcode-args.ts';

const config = {
  vcodec: 'libx264',
  vprofile: 'high',
  vpreset: 'fast',
  vbitrate: 1_200,
  acodec: 'aac',
  abitrate: 64,
  achannels: 0,
};
const asSpecified = { height: 0, fps: 25, keyframeSeconds: 2, watermark: null };
const watermark = {
  path: "/data/it's [odd];path, with %s/watermarks/a.png",
  corner: 'top-right',
  marginPercent: 2,
  widthPercent: 15,
  opacityPercent: 80,
} as const;
const argsOf = (picture: Partial<TranscodeArgs['picture']>, achannels = 0) =>
  transcodeArgs({
    input: 'rtmp://127.0.0.1:1/a/s',
    output: 'rtmp://t/a/o',
    config: { ...config, achannels },
    picture: { ...asSpecified, ...picture },
  });
const text = (picture: Partial<TranscodeArgs['picture']>, achannels = 0) => argsOf(picture, achannels).join(' ');

describe('transcode', () => {
  it('has the specified arguments by default', () => {
    expect(text({}, 2)).toBe(
      [
        '-nostdin -progress pipe:1 -protocol_whitelist rtmp,tcp -max_pixels 35389440 -analyzeduration 2000000 -i rtmp://127.0.0.1:1/a/s',
        '-vcodec libx264 -profile:v high -preset:v fast -tune zerolatency -b:v 1200k -maxrate 1200k -bufsize 2400k',
        '-r 25 -g 50 -bf 0 -pix_fmt yuv420p -acodec aac -b:a 64k -ac 2',
        '-f flv -flvflags no_duration_filesize rtmp://t/a/o',
      ].join(' '),
    );
  });

  it('keeps the number of audio channels of the source for 0', () => {
    expect(text({})).not.toContain('-ac ');
    expect(text({}, 1)).toContain('-ac 1');
  });

  it.each<[Partial<TranscodeArgs['picture']>, string, string]>([
    [{ height: 720 }, "-vf scale=-2:'trunc(min(720,ih)/2)*2' -vcodec", '-r 25 -g 50'],
    [{ height: 144, fps: 60 }, "-vf scale=-2:'trunc(min(144,ih)/2)*2' -vcodec", '-r 60 -g 120'],
    [{ fps: 15, keyframeSeconds: 10 }, '-i rtmp://127.0.0.1:1/a/s -vcodec', '-r 15 -g 150'],
    [{ fps: 0 }, '-i rtmp://127.0.0.1:1/a/s -vcodec', '-force_key_frames expr:gte(t,n_forced*2) -g 240'],
    [{ fps: 0, keyframeSeconds: 1 }, '-vcodec libx264', '-force_key_frames expr:gte(t,n_forced*1) -g 120'],
  ])('%j', (picture, size, timing) => {
    expect(text(picture)).toContain(size);
    expect(text(picture)).toContain(timing);
    expect(text(picture).includes('-r ')).toBe(picture.fps !== 0);
  });

  it.each([
    ['top-left', "overlay=x='W*0.02':y='W*0.02'"],
    ['top-right', "overlay=x='W-w-W*0.02':y='W*0.02'"],
    ['bottom-left', "overlay=x='W*0.02':y='H-h-W*0.02'"],
    ['bottom-right', "overlay=x='W-w-W*0.02':y='H-h-W*0.02'"],
  ] as const)('places a watermark in the corner %s', (corner, overlay) => {
    const args = argsOf({ height: 480, watermark: { ...watermark, corner } });
    const graph = args[args.indexOf('-filter_complex') + 1]!;
    expect(graph.split(';')).toEqual([
      "[0:v:0]scale=-2:'trunc(min(480,ih)/2)*2'[base]",
      '[1:v:0]format=rgba,colorchannelmixer=aa=0.8[mark]',
      "[mark][base]scale2ref=w='min(iw*0.15,(ih-2*iw*0.02)*mdar)':h='max(1,ow/mdar)'[sized][picture]",
      `[picture][sized]${overlay}:shortest=1[out]`,
    ]);
    expect(args.join(' ')).toContain('-map [out] -map 0:a:0?');
    expect(args).not.toContain('-vf');
  });

  it('passes the watermark file as one argument, read as PNG only', () => {
    const args = argsOf({ watermark });
    const at = args.indexOf(`file:${watermark.path}`);
    expect(args.slice(at - 9, at)).toEqual('-protocol_whitelist file -f png_pipe -loop 1 -framerate 1 -i'.split(' '));
    expect(args.filter((arg) => arg.includes(watermark.path))).toHaveLength(1);
    expect(args[args.indexOf('-filter_complex') + 1]).toContain('[0:v:0]null[base]');
  });
});
