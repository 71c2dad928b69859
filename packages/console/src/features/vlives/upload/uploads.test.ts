import { storageKeys } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { interruptedUploads } from './interrupted-uploads.ts';
import { startUpload, type TusLibrary, uploadStore } from './uploads.ts';

const uuid = '33333333-3333-4333-8333-333333333333';
const libraryFile = {
  uuid,
  name: 'show.mp4',
  size: 4,
  target: `upload/${uuid}.mp4`,
  type: 'upload' as const,
  addedAt: '2026-11-21T10:00:00Z',
  expiresAt: '',
  usedBy: [],
  place: 'server' as const,
};

/** Substitute for the tus library, whose events the test triggers. */
class FakeUpload {
  static last: FakeUpload;
  static earlier: unknown[] = [];
  url = `http://console.test/terraform/v1/ffmpeg/vlive/uploads/${uuid}`;
  resumed: unknown;
  aborted: boolean | undefined;
  readonly options: Required<import('tus-js-client').UploadOptions>;
  readonly started = Promise.withResolvers<void>();
  constructor(_file: File, options: unknown) {
    this.options = options as Required<import('tus-js-client').UploadOptions>;
    FakeUpload.last = this;
  }
  async findPreviousUploads() {
    return FakeUpload.earlier;
  }
  resumeFromPreviousUpload(earlier: unknown) {
    this.resumed = earlier;
  }
  start() {
    this.started.resolve();
  }
  async abort(terminate: boolean) {
    this.aborted = terminate;
  }
}

const file = new File(['data'], 'show.mp4');
const begin = async () => {
  const finished = startUpload('wx', file, async () => ({ Upload: FakeUpload }) as unknown as TusLibrary);
  await vi.waitFor(() => expect(FakeUpload.last).toBeDefined());
  await FakeUpload.last.started.promise;
  return { finished, upload: FakeUpload.last };
};

beforeEach(() => {
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  startFakeServer({ queryLibrary: () => ({ files: [libraryFile], freeBytes: 1, maxFileBytes: 1 }) });
});
afterEach(() => {
  uploadStore.drop('wx');
  FakeUpload.earlier = [];
  FakeUpload.last = undefined as unknown as FakeUpload;
});

test('a complete upload ends as a file of the library, with the credential and the file name sent', async () => {
  const { finished, upload } = await begin();
  expect(upload.options.headers).toEqual({ Authorization: `Bearer ${testSession.bearer}` });
  expect(upload.options.metadata).toEqual({ filename: 'show.mp4' });
  upload.options.onProgress!(2, 4);
  expect(uploadStore.of('wx')).toMatchObject({ sentBytes: 2, totalBytes: 4, phase: 'sending' });
  upload.options.onSuccess!({} as never);
  await finished;
  expect(uploadStore.of('wx')).toMatchObject({
    phase: 'done',
    sentBytes: 4,
    item: { uuid, name: 'show.mp4', target: libraryFile.target, type: 'upload', size: 4 },
  });
  uploadStore.drop('wx');
  expect(upload.aborted).toBeUndefined();
});

test('an earlier attempt with the same file resumes where it stopped', async () => {
  const earlier = { uploadUrl: 'x' };
  FakeUpload.earlier = [earlier];
  expect((await begin()).upload.resumed).toBe(earlier);
});

test('cancelling ends the upload and deletes what the server has of it', async () => {
  const { upload } = await begin();
  uploadStore.drop('wx');
  expect(upload.aborted).toBe(true);
  expect(uploadStore.of('wx')).toBeUndefined();
});

test("a refusal is shown with the server's message", async () => {
  const { finished, upload } = await begin();
  const body = JSON.stringify({ code: 4053, server: 1, data: { message: 'not enough room', name: 'diskFull' } });
  upload.options.onError!(
    Object.assign(new Error('tus'), { originalResponse: { getStatus: () => 507, getBody: () => body } }),
  );
  await finished;
  const { phase, error } = uploadStore.of('wx')!;
  expect(phase).toBe('failed');
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ kind: 'refused', code: 4053, errorName: 'diskFull', message: 'not enough room' });
});

test('no response at all is a network failure', async () => {
  const { finished, upload } = await begin();
  upload.options.onError!(Object.assign(new Error('tus: failed'), { originalResponse: null }));
  await finished;
  expect(uploadStore.of('wx')!.error).toMatchObject({ kind: 'network' });
});

test('uploads interrupted by a reload are found again; old and unrelated entries are not', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const entry = (name: string, creationTime: string) =>
    JSON.stringify({ size: 8, creationTime, metadata: { filename: name } });
  localStorage.setItem('tus::a::1', entry('old.mp4', '2026-11-19T10:00:00Z'));
  localStorage.setItem('tus::b::1', entry('first.mp4', '2026-11-21T08:00:00Z'));
  localStorage.setItem('tus::c::1', entry('second.mp4', '2026-11-21T09:00:00Z'));
  localStorage.setItem('tus::d::1', '{broken');
  localStorage.setItem('other', entry('x.mp4', '2026-11-21T09:00:00Z'));
  expect(interruptedUploads(localStorage, now).map(({ name }) => name)).toEqual(['second.mp4', 'first.mp4']);
});
