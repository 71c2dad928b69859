import { storageKeys } from '@srs-stack/contract';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { sourceFixture } from '../testing.ts';
import { startUpload, type TusLibrary, uploadStore } from './uploads.ts';

const startedMs = Date.parse('2026-11-21T10:00:00Z');
const tenMegabytes = 10_000_000;
const target = { platform: 'wx', server: '', secret: '', enabled: false, custom: false, label: '', startAt: '' };

type Options = { onProgress: (sent: number) => void; onError: (error: Error) => void };

/** Substitute for the tus library, whose events the test triggers. */
function fakeLibrary() {
  const begun = Promise.withResolvers<Options>();
  class Upload {
    url = null;
    readonly #options: Options;
    constructor(_file: File, options: Options) {
      this.#options = options;
    }
    findPreviousUploads = async () => [];
    resumeFromPreviousUpload() {}
    start = () => begun.resolve(this.#options);
    abort = async () => {};
  }
  return { load: async () => ({ Upload }) as unknown as TusLibrary, begun: begun.promise };
}

beforeEach(() => {
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  startFakeServer({
    vliveSecret: () => ({ wx: { ...target, files: [] } }),
    vliveStreams: () => [],
    queryLibrary: () => ({ files: [], freeBytes: 1, maxFileBytes: 1 }),
  });
});
afterEach(() => {
  uploadStore.drop('wx');
  vi.restoreAllMocks();
});

async function openPanel() {
  await renderApp('/en/routers-scenario?tab=vlive', 'en');
  const control = await screen.findByRole('button', { name: /^YouTube/ });
  if (control.getAttribute('aria-expanded') !== 'true') await userEvent.click(control);
  return within(document.getElementById(control.getAttribute('aria-controls')!)!);
}
const uploadButton = (panel: Awaited<ReturnType<typeof openPanel>>, name = 'Upload') =>
  panel.getByRole<HTMLButtonElement>('button', { name });

test('while an upload runs the button is disabled and no other file can be chosen; after a failure it works again', async () => {
  const panel = await openPanel();
  const user = userEvent.setup({ applyAccept: false });
  const file = new File([new Uint8Array(1_000)], 'show.mp4');
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
  expect(uploadButton(panel).disabled).toBe(false);
  const { load, begun } = fakeLibrary();
  let finished: Promise<void> | undefined;
  act(() => {
    finished = startUpload('wx', file, load);
  });
  const upload = await begun;
  expect(uploadButton(panel).disabled).toBe(true);
  expect(panel.getByRole<HTMLButtonElement>('button', { name: 'Choose a file' }).disabled).toBe(true);
  await act(async () => {
    upload.onError(new Error('the connection was cut'));
    await finished;
  });
  expect(uploadButton(panel, 'Try again').disabled).toBe(false);
});

test('an upload shows size, speed in Mbps, percent and seconds', async () => {
  const panel = await openPanel();
  const { load, begun } = fakeLibrary();
  const file = new File(['x'], 'show.mp4');
  Object.defineProperty(file, 'size', { value: 2 * tenMegabytes });
  const clock = vi.spyOn(Date, 'now').mockReturnValue(startedMs);
  act(() => void startUpload('wx', file, load));
  const upload = await begun;
  act(() => upload.onProgress(0));
  clock.mockReturnValue(startedMs + 8_000);
  act(() => upload.onProgress(tenMegabytes));
  // 80 Mbit in 8 s.
  expect(panel.getByText('10.0 Mbps')).toBeTruthy();
  expect(panel.getByText('50%')).toBeTruthy();
  expect(panel.getByText('8 s elapsed')).toBeTruthy();
  expect(panel.getByText('Total: 19.1 MB')).toBeTruthy();
});

test('a source shows its bitrate in Kbps', async () => {
  startFakeServer({
    vliveSecret: () => ({ wx: { ...target, files: [sourceFixture()] } }),
    vliveStreams: () => [],
    queryLibrary: () => ({ files: [], freeBytes: 1, maxFileBytes: 1 }),
  });
  const panel = await openPanel();
  expect(panel.getByText(/10\.1 s · 2,081 Kbps/)).toBeTruthy();
});
