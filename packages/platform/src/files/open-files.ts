// Media files of the operator: what was uploaded or copied, and where it lies.
import type { Log } from '@srs-stack/process/log.ts';
import type { Store } from '../store/store.ts';
import { type MediaFolders, openMediaFolders } from './media-folders.ts';
import { createMediaLibrary, type MediaLibrary } from './media-library.ts';

export interface Files {
  readonly folders: MediaFolders;
  readonly library: MediaLibrary;
}

export interface FilesDeps {
  /** Absolute. */
  readonly dataDir: string;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
}

export async function openFiles({ dataDir, store, log, now }: FilesDeps): Promise<Files> {
  const folders = await openMediaFolders(dataDir);
  return { folders, library: createMediaLibrary({ store, folders, log, now }) };
}
