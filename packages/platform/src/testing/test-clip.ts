// A second of real H.264 in MPEG-TS: the smallest segment that all parsers accept.
import { execFileSync } from 'node:child_process';

export function makeTestClip(): Buffer {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'libx264'];
  return execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-preset', 'ultrafast', '-f', 'mpegts', 'pipe:1']);
}
