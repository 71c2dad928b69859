// Resolves the items of a channel to files of this server: library files, recordings, and media files in folders.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Channel, ChannelItem, ChannelProblem } from '@srs-stack/contract/models/channel.ts';
import type { MediaFolders } from '../../files/media-folders.ts';
import { type ChannelProfile, profileKey } from './preparation-args.ts';

/** Maximum number of files of a channel. */
const maxFiles = 1_000;

interface SourceFile {
  /** Unique in the channel. Stays equal while the schedule contains the file. */
  readonly clipId: string;
  readonly title: string;
  /** Absolute path. */
  readonly path: string;
  readonly prepared: string;
}

interface ResolvedItem {
  readonly files: readonly SourceFile[];
  readonly problem: ChannelProblem | undefined;
}

export interface ChannelSourcesDeps {
  readonly folders: Pick<MediaFolders, 'pathOf' | 'mediaIn'>;
  readonly recordingFile: (uuid: string) => Promise<string | undefined>;
  readonly preparedFolder: string;
}

/** Resolved items by item id. */
export type ResolvedItems = ReadonlyMap<string, ResolvedItem>;

export async function resolveItems(channel: Channel, deps: ChannelSourcesDeps): Promise<ResolvedItems> {
  const resolved = new Map<string, ResolvedItem>();
  let left = maxFiles;
  for (const item of [...channel.playlist, ...channel.weekly.map((entry) => entry.item)]) {
    const found = await resolveItem(item, channel, deps);
    const files = found.files.slice(0, left);
    left -= files.length;
    resolved.set(item.id, { ...found, files });
  }
  return resolved;
}

/** Path of the black video of a profile. */
export function darkScreenPath(profile: ChannelProfile, { preparedFolder }: ChannelSourcesDeps): string {
  return join(preparedFolder, `${hashOf(`dark|${profileKey(profile)}`)}.flv`);
}

async function resolveItem(
  item: ChannelItem,
  profile: ChannelProfile,
  deps: ChannelSourcesDeps,
): Promise<ResolvedItem> {
  if (item.kind === 'live' || (item.kind === 'break' && item.source === '')) return { files: [], problem: undefined };
  const paths = await pathsOf(item, deps);
  if (!paths) return { files: [], problem: problemOf(item, 'missing') };
  if (paths.length === 0) return { files: [], problem: problemOf(item, 'empty') };
  const isFolder = item.kind === 'folder';
  const files = await Promise.all(
    paths.map(async (path) => {
      const clipId = isFolder ? `${item.id}/${basename(path)}` : item.id;
      const title = isFolder || item.name === '' ? basename(path, extname(path)) : item.name;
      const facts = await stat(path).catch(() => undefined);
      const version = facts && `${path}|${facts.size}|${facts.mtimeMs}|${profileKey(profile)}`;
      return version && { clipId, title, path, prepared: join(deps.preparedFolder, `${hashOf(version)}.flv`) };
    }),
  );
  const found = files.filter((file) => file !== undefined && file !== '');
  return { files: found, problem: found.length === 0 ? problemOf(item, 'missing') : undefined };
}

async function pathsOf({ kind, source }: ChannelItem, deps: ChannelSourcesDeps): Promise<string[] | undefined> {
  if (kind === 'folder') return deps.folders.mediaIn(source);
  const path = kind === 'recording' ? await deps.recordingFile(source) : await deps.folders.pathOf(source);
  return path === undefined ? undefined : [path];
}

function problemOf({ name, source }: ChannelItem, reason: ChannelProblem['reason']): ChannelProblem {
  return { title: name || source, reason, detail: '' };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
