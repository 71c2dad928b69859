import { describe, expect, it } from 'vitest';
import { ladderArgs, scaleGraph } from './ladder-args.ts';

const base = {
  input: 'rtmp://127.0.0.1:1935/live/x',
  encoder: 'libx264',
  speed: 'veryfast',
  followsSource: true,
  hasSound: true,
} as const;
const at = (step: string) => `rtmp://127.0.0.1:1935/live/x~${step}?ladder=k`;

describe('arguments of a ladder', () => {
  it('read the source once, keep its clock and its keyframes', () => {
    const args = ladderArgs({
      ...base,
      outputs: [
        { kind: 'source', address: at('source') },
        { kind: 'picture', address: at('720p'), width: 1280, height: 720, divisor: 1, kbps: 2500 },
        { kind: 'sound', address: at('audio'), kbps: 64 },
      ],
    });
    expect(args.filter((arg) => arg === '-i')).toHaveLength(1);
    expect(args).toContain('-copyts');
    const text = args.join(' ');
    expect(text).toContain('-map 0:v:0 -c:v copy -map 0:a:0? -c:a copy -f flv -flvflags no_duration_filesize');
    expect(text).toContain('-map [v0] -c:v libx264 -preset veryfast');
    expect(text).toContain(
      '-b:v 2500k -maxrate 2675k -bufsize 3750k -enc_time_base 1:1000 -bf 0 -g 100000 -force_key_frames source',
    );
    expect(text).toContain('-map 0:a:0 -vn -c:a aac -b:a 64k');
  });

  it('set keyframes by time when the source is not a rendition', () => {
    const outputs = [{ kind: 'picture', address: at('480p'), width: 854, height: 480, divisor: 2, kbps: 900 }] as const;
    const text = ladderArgs({ ...base, followsSource: false, hasSound: false, outputs }).join(' ');
    expect(text).toContain('-force_key_frames expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+2))');
    expect(text).toContain('-an');
  });

  it('scale each rendition from the next larger one', () => {
    const pictures = [
      { kind: 'picture', width: 1280, height: 720, divisor: 1, kbps: 1 },
      { kind: 'picture', width: 640, height: 360, divisor: 2, kbps: 1 },
    ] as const;
    expect(scaleGraph(pictures, 'libx264')).toBe(
      '[0:v:0]scale=1280:720,setsar=1,split=2[s0][r0];[r0]format=yuv420p[v0];' +
        '[s0]scale=640:360,setsar=1,select=key+not(mod(n\\,2)),format=yuv420p[v1]',
    );
  });
});
