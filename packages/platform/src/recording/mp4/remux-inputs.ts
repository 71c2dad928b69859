// Writes the inputs of FFmpeg for a plan:
// - Continuous times: the playlist of the recording.
// - Discontinuous times: a list of playlists, one per continuous run. The `concat` demuxer shifts every run to the end of the previous run.
// - A track that begins late: a separate input that starts at the first frame. FFmpeg uses only tracks that it finds at the beginning.
// - Runs with different track orders: no list is possible. FFmpeg corrects the time jumps that it detects.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partSuffix, playlistName } from '../record-folder.ts';
import { cutSegment } from '../segments/cut-segment.ts';
import { writePlaylist } from '../segments/playlist-text.ts';
import { type RecordedSegment, writeSegmentName } from '../segments/segment-name.ts';
import type { Mp4Input } from './remux.ts';
import { type RemuxPlan, type TrackKind, type TrackPlan, trackKinds } from './remux-plan.ts';

/** Folder of the inputs in the record folder. The suffix marks incomplete files, so the next start removes the folder after a crash. */
const inputsFolder = `inputs${partSuffix}`;

interface RemuxInputs {
  readonly inputs: readonly Mp4Input[];
  /** Index of the input of each track; absent without the track. */
  readonly inputOf: { readonly [kind in TrackKind]?: number };
}

interface Recording {
  readonly folder: string;
  readonly segments: readonly RecordedSegment[];
  readonly signal: AbortSignal;
}

/** Writes the input files into `inputs.part` of the record folder. */
export async function writeRemuxInputs(recording: Recording, plan: RemuxPlan): Promise<RemuxInputs> {
  const tracks = trackKinds.flatMap((kind) => (plan[kind] ? [{ kind, track: plan[kind] }] : []));
  // No track is known; FFmpeg may still detect tracks.
  if (tracks.length === 0) return { inputs: [whole(recording.folder)], inputOf: { video: 0, audio: 0 } };
  const [first] = tracks;
  const areTogether = tracks.every(
    ({ track: { begin } }) => begin.isSeenAtOnce && begin.index === first?.track.begin.index,
  );
  if (areTogether) {
    const input = await inputFrom(recording, plan, first!.track);
    return { inputs: [input], inputOf: Object.fromEntries(tracks.map(({ kind }) => [kind, 0])) };
  }
  const zeroMs = beginMsOf(plan);
  const inputs: Mp4Input[] = [];
  for (const { kind, track } of tracks) {
    const cutName = `${kind}.ts`;
    await mkdir(join(recording.folder, inputsFolder), { recursive: true });
    const source = join(recording.folder, writeSegmentName(recording.segments[track.begin.index]!));
    await cutSegment(source, join(recording.folder, inputsFolder, cutName), track.begin, recording.signal);
    inputs.push({ ...(await inputFrom(recording, plan, track, cutName)), offsetMs: track.atMs - zeroMs });
  }
  return { inputs, inputOf: Object.fromEntries(tracks.map(({ kind }, number) => [kind, number])) };
}

/** Start of the file, milliseconds from the start of the recording. */
export function beginMsOf({ video, audio }: Pick<RemuxPlan, TrackKind>): number {
  return Math.min(video?.atMs ?? Number.POSITIVE_INFINITY, audio?.atMs ?? Number.POSITIVE_INFINITY);
}

function whole(folder: string): Mp4Input {
  return { format: 'hls', path: join(folder, playlistName), offsetMs: 0 };
}

/** @param cutName replaces the first segment; contains only this track, starting at the first frame. */
async function inputFrom(
  { folder, segments }: Recording,
  { jumps }: RemuxPlan,
  { begin, atMs }: TrackPlan,
  cutName?: string,
): Promise<Mp4Input> {
  const inside = jumps.filter(({ index }) => index > begin.index);
  const canList = inside.every(({ order }) => order === begin.order);
  const starts = [begin.index, ...(canList ? inside.map(({ index }) => index) : [])];
  if (begin.index === 0 && starts.length === 1 && cutName === undefined) return whole(folder);
  const target = join(folder, inputsFolder);
  await mkdir(target, { recursive: true });
  const first = writeSegmentName(segments[begin.index]!);
  const addressOf = (name: string) => (name === first && cutName !== undefined ? cutName : `../${name}`);
  const lines = ['ffconcat version 1.0'];
  const base = cutName ?? String(begin.index);
  for (const [index, start] of starts.entries()) {
    const stretch = segments.slice(start, starts[index + 1]);
    const name = `${base}-${start}.m3u8`;
    await writeFile(join(target, name), writePlaylist(stretch, addressOf));
    const isCut = index === 0 && cutName !== undefined;
    const durationMs = isCut ? durationOf(segments.slice(0, starts[1])) - atMs : durationOf(stretch);
    lines.push(`file ${name}`, `duration ${(Math.max(0, durationMs) / 1000).toFixed(3)}`);
  }
  const path = join(target, `${base}.ffconcat`);
  await writeFile(path, `${lines.join('\n')}\n`);
  return { format: 'concat', path, offsetMs: 0 };
}

function durationOf(segments: readonly RecordedSegment[]): number {
  return segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
