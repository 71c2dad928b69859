// A plan → what FFmpeg reads: the playlist of the recording while its times go on from beginning to end, else a list of playlists
// (the `concat` demuxer), one for each stretch, which puts every stretch where the ones before end. A track that begins late
// is read from where it begins, because FFmpeg takes only tracks that it sees at the beginning. Stretches whose tracks are announced in
// another order cannot be listed; FFmpeg then closes the jumps that it notices itself.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partSuffix, playlistName } from '../record-folder.ts';
import { writePlaylist } from '../segments/playlist-text.ts';
import type { RecordedSegment } from '../segments/segment-name.ts';
import type { Mp4Input } from './remux.ts';
import type { RemuxPlan } from './remux-plan.ts';

/** Folder inside the recording; its name ends so that it goes with whatever an interrupted job leaves. */
const inputsFolder = `inputs${partSuffix}`;

interface RemuxInputs {
  readonly inputs: readonly Mp4Input[];
  /** Numbers of inputs. */
  readonly videoInput: number;
  readonly audioInput: number;
}

/** Writes what is needed beside the segments. @param folder of the recording, with its playlist. */
export async function writeRemuxInputs(
  folder: string,
  segments: readonly RecordedSegment[],
  { video, audio, jumps }: RemuxPlan,
): Promise<RemuxInputs> {
  const [videoFrom, audioFrom] = [video?.from.index ?? 0, audio?.from.index ?? 0];
  const begins = [...new Set([videoFrom, audioFrom])].sort((a, b) => a - b);
  const inputs: Mp4Input[] = [];
  for (const from of begins) {
    const order = (videoFrom === from ? video : audio)?.from.order;
    const inside = jumps.filter(({ index }) => index > from);
    const starts = [from, ...(inside.every((jump) => jump.order === order) ? inside.map(({ index }) => index) : [])];
    const isWhole = from === 0 && starts.length === 1;
    const input = isWhole ? whole(folder) : await writeList(join(folder, inputsFolder), segments, starts);
    inputs.push({ ...input, offsetMs: durationOf(segments.slice(begins[0], from)) });
  }
  return { inputs, videoInput: begins.indexOf(videoFrom), audioInput: begins.indexOf(audioFrom) };
}

function whole(folder: string): Omit<Mp4Input, 'offsetMs'> {
  return { format: 'hls', path: join(folder, playlistName) };
}

async function writeList(
  folder: string,
  segments: readonly RecordedSegment[],
  starts: readonly number[],
): Promise<Omit<Mp4Input, 'offsetMs'>> {
  await mkdir(folder, { recursive: true });
  const lines = ['ffconcat version 1.0'];
  for (const [index, start] of starts.entries()) {
    const stretch = segments.slice(start, starts[index + 1]);
    const name = `${starts[0]}-${start}.m3u8`;
    await writeFile(join(folder, name), writePlaylist(stretch, '../'));
    lines.push(`file ${name}`, `duration ${(durationOf(stretch) / 1000).toFixed(3)}`);
  }
  const path = join(folder, `${starts[0]}.ffconcat`);
  await writeFile(path, `${lines.join('\n')}\n`);
  return { format: 'concat', path };
}

function durationOf(segments: readonly RecordedSegment[]): number {
  return segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
