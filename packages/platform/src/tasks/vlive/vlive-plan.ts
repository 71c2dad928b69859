// Converts a virtual live target to FFmpeg arguments: input, encoding, output.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type MediaSource, type MediaVideo, type VliveTarget, workerDetail } from '@srs-stack/contract';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { MediaLibrary } from '../../files/media-library.ts';
import { pullSchemes, pushSchemes } from '../../network/address-rule.ts';
import { pushOutput, withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import {
  concatList,
  neededEncoding,
  type VliveEncoding,
  type VliveInput,
  vliveArgs,
} from '../../workers/ffmpeg-args/vlive-args.ts';
import { takeRunLimits } from '../../workers/run-limits.ts';
import type { SourceProxy } from '../../workers/source-proxy.ts';
import type { PlanResult } from '../../workers/worker-plan.ts';
import { refusedHost, secretsOfTarget } from '../push/push-targets.ts';
import { isAhead } from './vlive-start-time.ts';

const fileGone: PlanResult = {
  kind: 'fail',
  reason: 'file-missing',
  detail: workerDetail('file-gone'),
  needsOperator: true,
};

export interface VlivePlanDeps {
  readonly folders: MediaFolders;
  readonly library: Pick<MediaLibrary, 'elsewhere' | 'fetch'>;
  readonly proxy: Pick<SourceProxy, 'environmentFor'>;
  readonly now: Date;
}

export async function planVlive(
  target: VliveTarget,
  { folders, library, proxy, now }: VlivePlanDeps,
): Promise<PlanResult> {
  const output = pushOutput(target.server, target.secret);
  const [first] = target.files;
  if (!first || target.server === '') {
    const detail = workerDetail(first ? 'no-address' : 'no-source');
    return { kind: 'fail', reason: 'settings-invalid', detail, needsOperator: true };
  }
  if (isAhead(target.startAt, now)) {
    // Reports missing files even before the start time: the operator can still add the files.
    const missing = first.type === 'stream' ? [] : await missingOf(target.files, folders);
    if (missing.length > 0) return (await remoteFileState(missing, library)) ?? fileGone;
    return { kind: 'wait', reason: 'scheduled', detail: workerDetail('starts-at', { time: target.startAt }) };
  }
  const refused = (await refusedHost(output.checked, pushSchemes)) ?? (await refusedSource(first));
  if (refused) return refused;
  const input = await inputOf(target, folders);
  if (!input) return (await remoteFileState(await missingOf(target.files, folders), library)) ?? fileGone;
  return {
    kind: 'run',
    plan: {
      mayUse: encoderLimits(),
      environment: input.kind === 'stream' ? await proxy.environmentFor(input.url) : {},
      args: vliveArgs({ input, encoding: encodingOf(target.files, output.address), output }),
      secrets: [...secretsOfTarget(target), ...secretsOfSource(first)],
      watchesSpeed: true,
      limits: first.type === 'stream' ? takeRunLimits(first.target).limits : {},
      facts: { source: first.uuid },
    },
  };
}

/**
 * Prefers the node with the files, because that node needs no copy. If the node with the files is down, any node that can download the
 * files from the bucket is suitable.
 */
export async function suitsHere(
  { files }: VliveTarget,
  { folders, library }: Pick<VlivePlanDeps, 'folders' | 'library'>,
): Promise<boolean> {
  const uploaded = files.filter(({ type }) => type !== 'stream');
  const missing = await missingOf(uploaded, folders);
  const away = await Promise.all(missing.map(({ target }) => library.elsewhere(target)));
  return away.every((file) => file?.object !== undefined && !file.isNodeRunning);
}

/** State of files on other nodes: downloading, or waiting for a node. Undefined if a file does not exist. */
async function remoteFileState(
  missing: readonly MediaSource[],
  library: VlivePlanDeps['library'],
): Promise<PlanResult | undefined> {
  const found = await Promise.all(missing.map(({ target }) => library.elsewhere(target)));
  if (found.some((file) => file === undefined)) return undefined;
  const files = found.filter((file) => file !== undefined);
  const stuck = files.find(({ object }) => object === undefined);
  if (stuck) {
    const values = { file: stuck.row.name, node: stuck.nodeName };
    const detail = workerDetail(stuck.isNodeThere ? 'file-on-busy-node' : 'file-on-node', values);
    return { kind: 'wait', reason: 'file-elsewhere', detail };
  }
  const ways = files.map((file) => ({ file: file.row.name, ...library.fetch(file) }));
  const failed = ways.find(({ problem }) => problem !== '');
  const [{ file, percent } = { file: '', percent: 0 }] = ways;
  const detail = failed
    ? workerDetail('file-not-coming', { file: failed.file, words: failed.problem })
    : workerDetail('file-coming', { file, percent });
  return { kind: 'wait', reason: 'file-coming', detail };
}

async function missingOf(files: readonly MediaSource[], folders: MediaFolders): Promise<MediaSource[]> {
  const here = await Promise.all(files.map(({ target }) => folders.pathOf(target)));
  return files.filter((_, index) => here[index] === undefined);
}

function refusedSource(source: MediaSource): Promise<PlanResult | undefined> {
  return source.type === 'stream'
    ? refusedHost(withEncodedUserInfo(source.target), pullSchemes)
    : Promise.resolve(undefined);
}

/** User, password and query of a remote source are secret. */
function secretsOfSource({ type, target }: MediaSource): string[] {
  return type === 'stream' ? secretsOfTarget({ server: target, secret: '' }) : [];
}

async function inputOf({ platform, files }: VliveTarget, folders: MediaFolders): Promise<VliveInput | undefined> {
  const [first] = files;
  if (first?.type === 'stream') {
    return { kind: 'stream', url: withEncodedUserInfo(takeRunLimits(first.target).address), isLive: !hasEnd(first) };
  }
  const found = await pathsOf(files, folders);
  if (!found) return undefined;
  if (files.length === 1) return { kind: 'file', path: found[0] as string };
  const name = createHash('sha256').update(platform).digest('hex').slice(0, 16);
  const path = join(folders.vlive, `playlist-${name}.ffconcat`);
  await writeFile(path, concatList(files.map((file) => basename(file.target))));
  return { kind: 'playlist', path };
}

/** Undefined if a file is missing. */
async function pathsOf(files: readonly MediaSource[], folders: MediaFolders): Promise<string[] | undefined> {
  const paths = await Promise.all(files.map((file) => folders.pathOf(file.target)));
  const found = paths.filter((path) => path !== undefined);
  return found.length < files.length ? undefined : found;
}

/** True for recordings, which have a duration; false for live streams. */
function hasEnd({ format }: MediaSource): boolean {
  return Number(format?.duration) > 0;
}

/**
 * Decides what must be encoded. Files with different formats get equal sizes and audio formats. Codecs that the target does not accept are
 * replaced.
 */
export function encodingOf(files: readonly MediaSource[], output: string): VliveEncoding {
  const needed = files.map((file) => neededEncoding(file, output));
  const [first] = files;
  const video = needed.some((each) => each.video) || files.some((file) => !sameVideo(file, first));
  const audio = needed.some((each) => each.audio) || files.some((file) => !sameAudio(file, first));
  const size = files.length > 1 && video && first?.video ? evenSize(first.video) : undefined;
  return { video, audio, ...(size ? { size } : {}) };
}

/** Maximum length of the longer side of an encoded video, pixels. */
const maxSidePixels = 4_096;

function evenSize({ rotation, ...video }: Pick<MediaVideo, 'width' | 'height' | 'rotation'>) {
  const isTurned = Math.abs(rotation) % 180 === 90;
  const [width, height] = isTurned ? [video.height, video.width] : [video.width, video.height];
  const even = (pixels: number) => Math.min(maxSidePixels, Math.floor(pixels / 2) * 2);
  return width >= 2 && height >= 2 ? { width: even(width), height: even(height) } : undefined;
}

function sameVideo(a: MediaSource, b: MediaSource | undefined): boolean {
  const [x, y] = [a.video, b?.video];
  if (!x || !y) return !x && !y;
  const isSameShape = x.width === y.width && x.height === y.height && x.rotation === y.rotation;
  return x.codec_name === y.codec_name && isSameShape && x.pix_fmt === y.pix_fmt;
}

function sameAudio(a: MediaSource, b: MediaSource | undefined): boolean {
  const [x, y] = [a.audio, b?.audio];
  if (!x || !y) return !x && !y;
  return x.codec_name === y.codec_name && x.sample_rate === y.sample_rate && x.channels === y.channels;
}
