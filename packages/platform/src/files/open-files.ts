// Media files of the operator: uploaded or copied files and their storage.
import type { Log } from '@srs-stack/process/log.ts';
import type { Store } from '../store/store.ts';
import { type MediaFolders, openMediaFolders } from './media-folders.ts';
import { createMediaLibrary, type FileBucket, type MediaLibrary } from './media-library.ts';
import type { FileNodes } from './stored-file.ts';

export interface Files {
  readonly folders: MediaFolders;
  readonly library: MediaLibrary;
}

export interface FilesDeps {
  /** Absolute path. */
  readonly dataDir: string;
  readonly store: Store;
  readonly nodes: FileNodes;
  readonly objects: FileBucket;
  readonly log: Log;
  readonly now: () => Date;
}

export async function openFiles({ dataDir, store, nodes, objects, log, now }: FilesDeps): Promise<Files> {
  const folders = await openMediaFolders(dataDir);
  return { folders, library: createMediaLibrary({ store, folders, nodes, bucket: objects, log, now }) };
}
