// The record folder: `{uuid}/` with segments, `recording.json`, `label.json`, `index.m3u8`, `index.mp4` and `poster.jpg`; the recycle bin
// is `.bin/{uuid}/`. Uuids are validated here, file names by the callers. A write resolves when the data is on disk
// (docs/decisions/recording.md).
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type RecordLabel, recordLabel } from '@srs-stack/contract';
import { flushToDisk, writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { type RecordFacts, recordFacts } from './record-facts.ts';
import { compareSegments, parseSegmentName, type RecordedSegment, writeSegmentName } from './segments/segment-name.ts';

const binName = '.bin';
const factsName = 'recording.json';
/** The label has its own file: writing a running recording must not undo a change by the operator. */
const labelName = 'label.json';
export const mp4Name = 'index.mp4';
export const playlistName = 'index.m3u8';
export const posterName = 'poster.jpg';
/** Suffix of incomplete files. */
export const partSuffix = '.part';
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Error codes when file system, mount or owner do not allow hard links. */
const cannotLink = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES'];

export interface StoredSegment extends RecordedSegment {
  readonly sizeBytes: number;
  /** Wall clock of the last write, milliseconds since 1970. */
  readonly writtenAtMs: number;
}

interface NamedSegment extends RecordedSegment {
  readonly name: string;
}

export interface RecordFolder {
  readonly root: string;
  pathOf(uuid: string, fileName: string): string;
  create(facts: RecordFacts): Promise<void>;
  /** Writes the facts without the label. */
  writeFacts(facts: RecordFacts): Promise<void>;
  writeLabel(uuid: string, label: RecordLabel): Promise<void>;
  readFacts(uuid: string): Promise<RecordFacts | undefined>;
  /** Adds a finished file to the recording as a hard link or a copy. */
  adopt(source: string, uuid: string, segment: RecordedSegment): Promise<StoredSegment>;
  segments(uuid: string): Promise<StoredSegment[]>;
  /** Data of all segments in order, from their names alone: one directory listing. */
  namedSegments(uuid: string): Promise<NamedSegment[]>;
  writePlaylist(uuid: string, text: string): Promise<void>;
  /** Uuids of the recordings outside the recycle bin. */
  list(): Promise<string[]>;
  listBin(): Promise<string[]>;
  moveToBin(uuid: string): Promise<void>;
  restore(uuid: string): Promise<void>;
  /** Removes a recording permanently, also from the recycle bin. */
  purge(uuid: string): Promise<void>;
  /** Removes segments, playlist and MP4; keeps `recording.json`, `label.json` and the poster. */
  removeMedia(uuid: string): Promise<void>;
  removeParts(uuid: string): Promise<void>;
}

export function isRecordUuid(uuid: string): boolean {
  return uuidPattern.test(uuid);
}

export async function openRecordFolder(root: string): Promise<RecordFolder> {
  const bin = join(root, binName);
  await mkdir(bin, { recursive: true });
  const folderOf = (uuid: string, parent = root) => {
    if (!isRecordUuid(uuid)) throw new Error(`not the name of a recording: ${uuid}`);
    return join(parent, uuid);
  };
  const pathOf = (uuid: string, fileName: string) => join(folderOf(uuid), fileName);
  const writeJson = (path: string, value: object) =>
    writeFileAtomically(path, `${JSON.stringify(value, null, 2)}\n`, 0o644);
  const writeFacts = ({ label: _, ...facts }: RecordFacts) => writeJson(pathOf(facts.uuid, factsName), facts);
  const writeLabel = (uuid: string, label: RecordLabel) => writeJson(pathOf(uuid, labelName), label);
  const move = async (from: string, to: string) => {
    await rename(from, to);
    await Promise.all([flushToDisk(root), flushToDisk(bin)]);
  };
  return {
    root,
    pathOf,
    writeFacts,
    writeLabel,
    async create(facts) {
      await mkdir(folderOf(facts.uuid), { recursive: true });
      if (facts.label) await writeLabel(facts.uuid, facts.label);
      await writeFacts(facts);
      await flushToDisk(root);
    },
    readFacts: async (uuid) => (await readFactsIn(folderOf(uuid))) ?? (await readFactsIn(folderOf(uuid, bin))),
    adopt: async (source, uuid, segment) => adoptAs(pathOf(uuid, writeSegmentName(segment)), source, segment),
    segments: (uuid) => readSegments(folderOf(uuid)),
    namedSegments: (uuid) => readSegmentNames(folderOf(uuid)),
    writePlaylist: (uuid, text) => writeFileAtomically(pathOf(uuid, playlistName), text, 0o644),
    list: async () => (await readdir(root)).filter(isRecordUuid),
    listBin: async () => (await readdir(bin)).filter(isRecordUuid),
    moveToBin: (uuid) => move(folderOf(uuid), folderOf(uuid, bin)),
    restore: (uuid) => move(folderOf(uuid, bin), folderOf(uuid)),
    async purge(uuid) {
      await rm(folderOf(uuid), { recursive: true, force: true });
      await rm(folderOf(uuid, bin), { recursive: true, force: true });
    },
    async removeMedia(uuid) {
      await removeFiles(folderOf(uuid), isMedia);
      await flushToDisk(folderOf(uuid));
    },
    removeParts: (uuid) => removeFiles(folderOf(uuid), (name) => name.endsWith(partSuffix)),
  };
}

function isMedia(name: string): boolean {
  return parseSegmentName(name) !== undefined || name === mp4Name || name === playlistName;
}

async function removeFiles(folder: string, isWanted: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter(isWanted);
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true, recursive: true })));
}

async function readFactsIn(folder: string): Promise<RecordFacts | undefined> {
  const [facts, label] = await Promise.all([
    readJson(join(folder, factsName), recordFacts),
    readJson(join(folder, labelName), recordLabel),
  ]);
  return facts && label ? { ...facts, label } : facts;
}

async function readJson<T>(path: string, schema: { parse(value: unknown): T }): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

async function readSegmentNames(folder: string): Promise<NamedSegment[]> {
  const segments = (await readdir(folder)).map((name) => {
    const segment = parseSegmentName(name);
    return segment && { ...segment, name };
  });
  return segments.filter((each) => each !== undefined).sort(compareSegments);
}

async function readSegments(folder: string): Promise<StoredSegment[]> {
  return Promise.all(
    (await readSegmentNames(folder)).map(async ({ name, ...segment }) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { ...segment, sizeBytes: size, writtenAtMs: mtimeMs };
    }),
  );
}

async function adoptAs(target: string, source: string, segment: RecordedSegment): Promise<StoredSegment> {
  await linkOrCopy(source, target);
  await flushToDisk(target);
  await flushToDisk(dirname(target));
  const { size, mtimeMs } = await stat(target);
  return { ...segment, sizeBytes: size, writtenAtMs: mtimeMs };
}

/** Creates a hard link, or an atomic copy where links are impossible. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (!cannotLink.includes(code)) throw error;
    await copyWhole(source, target);
  }
}

/** Copies to a temporary file, flushes and renames. Removes the temporary file after an error. */
export async function copyWhole(source: string, target: string): Promise<void> {
  const part = target + partSuffix;
  try {
    await copyFile(source, part, constants.COPYFILE_FICLONE);
    await flushToDisk(part);
    await rename(part, target);
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  }
}
