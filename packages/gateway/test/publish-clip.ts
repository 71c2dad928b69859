// An encoder: FFmpeg sends a test video with a tone in real time until the test ends. One keyframe per second.
import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

export function publishClip(rtmpPort: number, stream: string): ChildProcess {
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
  const sound = ['-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25', '-c:a', 'aac'];
  const args = [
    '-v',
    'error',
    ...picture,
    ...sound,
    ...codec,
    '-f',
    'flv',
    `rtmp://127.0.0.1:${rtmpPort}/live/${stream}`,
  ];
  const child = spawn('ffmpeg', args, { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
