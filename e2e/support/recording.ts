// Records a live address for a while and probes the result.
import { join } from 'node:path';
import { runFfmpeg } from './ffmpeg.ts';
import { type Probe, probe } from './ffprobe.ts';

export interface Recording {
  readonly file: string;
  readonly received: Probe;
}

/** Records `seconds` of media time without re-encoding into a file of the folder. @throws with FFmpeg's error messages. */
export async function recordSeconds(url: string, folder: string, seconds: number): Promise<Recording> {
  const isHls = url.includes('.m3u8');
  const file = join(folder, `${Date.now()}${isHls ? '.mpegts' : '.flv'}`);
  const format = isHls ? 'mpegts' : 'flv';
  const recorder = runFfmpeg(['-i', url, '-t', String(seconds), '-c', 'copy', '-f', format, '-y', file]);
  const exitCode = await recorder.exited;
  if (exitCode !== 0) throw new Error(`recording ${url} ended with ${exitCode}: ${recorder.log()}`);
  return { file, received: await probe(file) };
}
