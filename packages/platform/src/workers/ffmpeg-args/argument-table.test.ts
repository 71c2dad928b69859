// Every combination of input, codecs and output for FFmpeg, and texts that look like options.
import { transcodePictureDefaults, transcodeRules } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { checkAddress, pullSchemes, pushSchemes } from '../../network/address-rule.ts';
import { joinAddress, withEncodedUserInfo } from './address.ts';
import { encodedForwardArgs, forwardArgs } from './forward-args.ts';
import { transcodeArgs } from './transcode-args.ts';
import { type VliveEncoding, type VliveInput, vliveArgs } from './vlive-args.ts';

const outputs = {
  rtmp: { address: 'rtmp://t/live/key', format: 'flv' },
  rtmps: { address: 'rtmps://t:443/live/key', format: 'flv' },
  srt: { address: 'srt://t:10080?streamid=#!::r=live/key,m=publish', format: 'mpegts' },
} as const;
const inputs = {
  rtmp: 'rtmp,tcp',
  rtmps: 'rtmps,tls,tcp',
  rtsp: 'rtsp,rtp,srtp,tcp,udp',
  srt: 'srt,udp',
  http: 'http,https,httpproxy,tls,tcp,crypto',
  https: 'http,https,httpproxy,tls,tcp,crypto',
} as const;

function checkList(args: readonly string[], output: { address: string; format: string }): void {
  expect(args.slice(0, 3)).toEqual(['-nostdin', '-progress', 'pipe:1']);
  expect(args.at(-1)).toBe(output.address);
  expect(args.filter((arg) => arg === '-i')).toHaveLength(1);
  const whitelist = args.indexOf('-protocol_whitelist');
  expect(whitelist).toBeGreaterThan(0);
  expect(whitelist).toBeLessThan(args.indexOf('-i'));
  expect(args[args.lastIndexOf('-f') + 1]).toBe(output.format);
  expect(args.every((arg) => arg !== '' && !arg.includes('undefined') && !arg.includes('NaN'))).toBe(true);
  expect(args).not.toContain('-y');
}
const optionOf = (args: readonly string[], option: string) => args[args.indexOf(option) + 1];

describe.each(Object.entries(outputs))('to %s', (_scheme, output) => {
  it.each(Object.entries(inputs))('a forward from %s copies', (scheme, protocols) => {
    const args = forwardArgs({ input: `${scheme}://s/live/a`, output: output.address });
    checkList(args, output);
    expect(optionOf(args, '-protocol_whitelist')).toBe(protocols);
    expect(optionOf(args, '-c')).toBe('copy');
    expect(args.includes('-rtsp_transport')).toBe(scheme === 'rtsp');
    expect(args).not.toContain('-re');
    expect(args).not.toContain('-stream_loop');
  });

  it.each(Object.entries(inputs))('a forward from %s is encoded at one size', (scheme, protocols) => {
    const size = { frame: { width: 1920, height: 1080 }, kbps: 4_000 };
    const args = encodedForwardArgs({ input: `${scheme}://s/live/a`, output: output.address, ...size });
    checkList(args, output);
    expect(optionOf(args, '-protocol_whitelist')).toBe(protocols);
    expect(optionOf(args, '-vf')).toContain('pad=1920:1080');
    expect(args).not.toContain('copy');
  });

  const vliveInputs: [string, VliveInput, { protocols: string; loops: boolean }][] = [
    ['a file', { kind: 'file', path: '/data/vlive/a.mp4' }, { protocols: 'file', loops: true }],
    ['a playlist', { kind: 'playlist', path: '/data/vlive/l.ffconcat' }, { protocols: 'file', loops: true }],
    ...Object.entries(inputs).flatMap(
      ([scheme, protocols]): [string, VliveInput, { protocols: string; loops: boolean }][] =>
        [true, false].map((isLive) => [
          `${isLive ? 'live' : 'recorded'} ${scheme}`,
          { kind: 'stream', url: `${scheme}://s/a.flv`, isLive },
          { protocols, loops: !isLive },
        ]),
    ),
  ];
  const encodings: VliveEncoding[] = [
    { video: false, audio: false },
    { video: true, audio: false },
    { video: false, audio: true },
    { video: true, audio: true },
    { video: true, audio: true, size: { width: 640, height: 360 } },
  ];
  it.each(vliveInputs)('virtual live of %s, every encoding', (_name, input, { protocols, loops }) => {
    for (const encoding of encodings) {
      const args = vliveArgs({ input, encoding, output: output.address });
      checkList(args, output);
      expect(optionOf(args, '-protocol_whitelist')).toBe(protocols);
      expect(args.includes('-format_whitelist')).toBe(input.kind !== 'stream' || protocols.startsWith('http'));
      expect([args.includes('-stream_loop'), args.includes('-re')]).toEqual([loops, loops]);
      expect(optionOf(args, '-c:v')).toBe(encoding.video ? 'libx264' : 'copy');
      expect(optionOf(args, '-c:a')).toBe(encoding.audio ? 'aac' : 'copy');
      expect(args.includes('-vf')).toBe(encoding.video);
      const named = args[args.indexOf('-i') + 1]!;
      expect(named).toMatch(input.kind === 'stream' ? /^[a-z]+:\/\// : /^file:\//);
    }
  });

  it('a transcode of every profile, preset and channel count', () => {
    const { vcodec, vprofile, vpreset, acodec, achannels, vbitrate, abitrate } = transcodeRules;
    for (const profile of vprofile)
      for (const preset of vpreset)
        for (const channels of achannels)
          for (const [video, audio] of [
            [vbitrate.min, abitrate.min],
            [vbitrate.max, abitrate.max],
          ] as const) {
            const config = {
              ...{ vcodec: vcodec[0], vprofile: profile, vpreset: preset, vbitrate: video },
              ...{ acodec: acodec[0], abitrate: audio, achannels: channels },
            };
            const args = transcodeArgs({
              ...{ input: 'rtmp://127.0.0.1/live/a', output: output.address, config },
              picture: { ...transcodePictureDefaults, watermark: null },
            });
            checkList(args, output);
            expect([optionOf(args, '-profile:v'), optionOf(args, '-preset:v')]).toEqual([profile, preset]);
            expect([optionOf(args, '-b:v'), optionOf(args, '-b:a')]).toEqual([`${video}k`, `${audio}k`]);
            expect(args.includes('-ac')).toBe(channels > 0);
            if (channels > 0) expect(optionOf(args, '-ac')).toBe(String(channels));
          }
  });
});

describe('unusual text from a user', () => {
  const odd = [
    '-i',
    '-f null',
    '--',
    '-filter_complex',
    '$(reboot)',
    '`id`',
    '; rm -rf /',
    '| tee x',
    '\'quoted\' "twice"',
    'ünïcode 流',
    '%2e%2e/%00',
    '[f=flv]rtmp://x|/etc/passwd',
    'key?a=b&c=d#e',
    '../../other',
  ];

  it.each(odd)('as a key, "%s" stays one argument after its server, or is refused', (key) => {
    const output = joinAddress('rtmp://t/live/', key);
    const accepted = isAccepted(output, pushSchemes);
    const args = forwardArgs({ input: 'rtmp://127.0.0.1/live/a', output });
    expect(args.at(-1)).toBe(output);
    expect(output.startsWith('rtmp://t/live/')).toBe(true);
    // A whole address with spaces or control characters is refused.
    expect(accepted).toBe(!/[\s\p{Cc}]/u.test(key));
  });

  it.each(odd)('as an address, "%s" is refused', (address) => {
    expect(isAccepted(address, pushSchemes)).toBe(false);
    expect(isAccepted(address, pullSchemes)).toBe(false);
    expect(() => forwardArgs({ input: 'rtmp://127.0.0.1/live/a', output: address })).toThrow();
    expect(() => vliveArgs({ input: { kind: 'stream', url: address, isLive: true }, ...copied })).toThrow();
  });

  it.each(['-user', 'a b', "o'hara", 'p@ss:w/rd', '%'])('as a user name, "%s" stays in its address', (name) => {
    const url = withEncodedUserInfo(`rtsp://${name}@cam/1`);
    const args = vliveArgs({ input: { kind: 'stream', url, isLive: true }, ...copied });
    expect(args[args.indexOf('-i') + 1]).toBe(url);
    expect(url.startsWith('rtsp://')).toBe(true);
  });

  it.each([
    'file:///etc/passwd',
    'concat:a|b',
    'pipe:0',
    'subfile,,start,0,end,9,,:/etc/passwd',
    'data:text/plain,x',
    'udp://239.0.0.1:1',
    'tcp://h:1',
    'unix:///run/x',
    'crypto:file:/etc/passwd',
    'gopher://h',
    'ftp://h/x.flv',
    'RTMP:/h/x',
  ])('no other protocol: %s', (address) => {
    expect(isAccepted(address, pushSchemes)).toBe(false);
    expect(isAccepted(address, pullSchemes)).toBe(false);
    expect(() => vliveArgs({ input: { kind: 'stream', url: address, isLive: true }, ...copied })).toThrow();
  });

  const copied = { encoding: { video: false, audio: false }, output: outputs.rtmp.address };
  function isAccepted(address: string, schemes: readonly string[]): boolean {
    try {
      checkAddress(address, schemes);
      return true;
    } catch {
      return false;
    }
  }
});
