// Running uploads, at most one per platform. Navigation does not end an upload. After a reload, selecting the same file resumes the upload.
import type { MediaSourceItem } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { resumableUploadPath } from '@srs-stack/contract/constants.ts';
import { call } from '../../../api/api-client.ts';
import { readSession } from '../../../api/stored-session.ts';
import { toUploadError } from './upload-error.ts';
import { createUploadMeter, type UploadMeter } from './upload-meter.ts';

/** Pauses between attempts, milliseconds; together longer than a server restart. Progress resets the sequence. */
const retryDelaysMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Update interval of the displayed progress, milliseconds. */
const tickMs = 500;

export interface Upload {
  name: string;
  totalBytes: number;
  sentBytes: number;
  speedMbps: number;
  elapsedMs: number;
  phase: 'sending' | 'done' | 'failed';
  /** Undefined until the upload is complete. */
  item?: MediaSourceItem;
  error?: unknown;
}

/** The used part of the tus library. */
export type TusLibrary = Pick<typeof import('tus-js-client'), 'Upload'>;
const fetchLibrary = (): Promise<TusLibrary> => import('tus-js-client');

interface Running {
  shown: Upload;
  cancel: () => void;
}

const uploads = new Map<string, Running>();
const listeners = new Set<() => void>();

export const uploadStore = {
  of: (platform: string): Upload | undefined => uploads.get(platform)?.shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Ends a running upload and deletes its data on the server. A finished upload is only removed from the list. */
  drop(platform: string): void {
    const running = uploads.get(platform);
    uploads.delete(platform);
    running?.cancel();
    notify();
  },
};

/** Starts or resumes the upload of a file. Never rejects; `phase` and `error` contain the result. */
export async function startUpload(
  platform: string,
  file: File,
  load: () => Promise<TusLibrary> = fetchLibrary,
): Promise<void> {
  const startedMs = Date.now();
  const meter = createUploadMeter();
  const running: Running = {
    shown: { name: file.name, totalBytes: file.size, sentBytes: 0, speedMbps: 0, elapsedMs: 0, phase: 'sending' },
    cancel: () => {},
  };
  const show = (change: Partial<Upload>) => {
    if (uploads.get(platform) !== running) return;
    running.shown = { ...running.shown, ...change };
    notify();
  };
  uploads.set(platform, running);
  const timer = setInterval(() => show(timesOf(meter, startedMs)), tickMs);
  window.addEventListener('beforeunload', confirmLeaving);
  notify();
  try {
    const url = await send(file, running, load, (sentBytes) => {
      meter.record(sentBytes, Date.now());
      show({ sentBytes, ...timesOf(meter, startedMs) });
    });
    show({ sentBytes: file.size, phase: 'done', item: await receivedFile(url), ...timesOf(meter, startedMs) });
  } catch (error) {
    show({ phase: 'failed', error: toUploadError(error) });
  } finally {
    clearInterval(timer);
    if (![...uploads.values()].some(({ shown }) => shown.phase === 'sending'))
      window.removeEventListener('beforeunload', confirmLeaving);
  }
}

/** Resolves with the URL of the complete upload. */
async function send(
  file: File,
  running: Running,
  load: () => Promise<TusLibrary>,
  onProgress: (sentBytes: number) => void,
): Promise<string> {
  const [library, bearer] = await Promise.all([load(), bearerToken()]);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const upload = new library.Upload(file, {
    endpoint: resumableUploadPath,
    headers: { Authorization: `Bearer ${bearer}` },
    metadata: { filename: file.name },
    retryDelays: retryDelaysMs,
    onShouldRetry: (error) => mayHelpToRetry(error.originalResponse?.getStatus() ?? 0),
    removeFingerprintOnSuccess: true,
    onProgress,
    onSuccess: () => resolve(upload.url ?? ''),
    onError: reject,
  });
  running.cancel = () => {
    const isComplete = running.shown.phase === 'done';
    if (!isComplete) void upload.abort(true).catch(() => {});
  };
  const [earlier] = await upload.findPreviousUploads();
  if (earlier) upload.resumeFromPreviousUpload(earlier);
  upload.start();
  return promise;
}

/** Locked uploads (423), moved uploads (409) and server errors are retried; refusals and a full disk (507) are not. */
function mayHelpToRetry(status: number): boolean {
  if (status === 409 || status === 423) return true;
  return status !== 507 && (status < 400 || status >= 500);
}

/** Sessions stored by older consoles contain no bearer, so the session is renewed. */
async function bearerToken(): Promise<string> {
  return readSession()?.bearer ?? (await call(calls.renewToken, {})).bearer;
}

/** Finds the received file in the library by its uuid, which is the id of the upload. */
async function receivedFile(url: string): Promise<MediaSourceItem> {
  const uuid = new URL(url, location.href).pathname.split('/').at(-1) ?? '';
  const { files } = await call(calls.queryLibrary, {});
  const file = files.find((candidate) => candidate.uuid === uuid);
  if (file === undefined) throw new Error(`the upload ${uuid} is complete but not in the library`);
  const { name, size, target, type } = file;
  return { name, path: '', size, uuid, target, type };
}

function timesOf(meter: UploadMeter, startedMs: number): Pick<Upload, 'speedMbps' | 'elapsedMs'> {
  const now = Date.now();
  return { speedMbps: meter.speedMbps(now), elapsedMs: now - startedMs };
}

function confirmLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function notify(): void {
  for (const listener of listeners) listener();
}
