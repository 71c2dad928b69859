// FFmpeg arguments for the demo stream: a test pattern with a clock, colour bars and a beep each second. Needs no font and no file.
import { outputArgs } from './address.ts';
import { baseArgs } from './base.ts';

/** Filter graph of the demo; 960×540 at 25 frames/s takes about a sixth of a CPU core. The clock is an enlarged part of `testsrc2`. */
const graph = [
  'gradients=size=240x135:rate=25:nb_colors=3:c0=0x0b1015:c1=0x0d8376:c2=0x1a2f4a:seed=7:speed=0.012,scale=960:540:flags=bilinear,format=yuv420p[back]',
  "testsrc2=size=320x180:rate=25,crop=98:14:3:4,format=gray,lutyuv=y='if(gt(val\\,110)\\,235\\,16)',scale=686:98:flags=neighbor,format=yuv420p,pad=780:160:48:31:color=0x101010[clock]",
  'smptehdbars=size=960x120:rate=1,crop=960:44:0:0,fps=25[bars]',
  '[back][bars]overlay=0:496[withbars]',
  '[withbars][clock]overlay=90:172,format=yuv420p[out0]',
  'sine=frequency=440:beep_factor=4:sample_rate=44100,volume=0.1[out1]',
].join(';');

/** The process exits after `seconds`, even without the control plane. */
export function demoArgs({ output, seconds }: { output: string; seconds: number }): string[] {
  return [
    ...baseArgs,
    ...['-re', '-f', 'lavfi', '-i', graph, '-t', String(seconds)],
    // Suitable for all players: no B-frames for WebRTC, a keyframe every two seconds for HLS.
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'baseline', '-tune', 'zerolatency', '-g', '50'],
    ...['-b:v', '1000k', '-maxrate', '1000k', '-bufsize', '2000k'],
    ...['-c:a', 'aac', '-b:a', '64k', '-ac', '2'],
    ...outputArgs(output),
  ];
}
