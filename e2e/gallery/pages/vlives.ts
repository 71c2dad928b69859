// A file or a remote stream that becomes a live stream.
import type { Page } from 'playwright-core';
import { data, type GalleryPage, type GalleryState, refused, type TextKey } from '../gallery-page.ts';
import { now } from '../samples/now.ts';
import * as workers from '../samples/workers.ts';
import { asking, attach, fill, press, type Step, steps, until } from '../steps.ts';

const playing = { vliveSecret: data(workers.vliveTargets), vliveStreams: data(workers.vliveRows) };
const emptyLibrary = { ...workers.library, files: [] };
const fresh = { vliveSecret: data({}), vliveStreams: data([]), queryLibrary: data(emptyLibrary) };
const withFiles = { vliveSecret: data({}), vliveStreams: data([]) };
const source = {
  name: 'camera-1',
  size: 0,
  uuid: '44444444-4444-4444-8444-444444444444',
  target: 'rtmp://a.example/x',
};

const pick =
  (mode: TextKey): Step =>
  (page, text) =>
    page
      .locator('fieldset label')
      .filter({ hasText: text(mode) })
      .filter({ visible: true })
      .first()
      .click();

/** A file larger than the data that the server accepts, so its upload stays incomplete. */
const film = attach('evening-show-2026-03-08.mp4', 16 * 1024 ** 2);
const serverFile = (path: string) =>
  steps(pick('vlives:source.mode.file'), fill('vlives:file.label', path), press('vlives:source.use'));
const remoteStream = (url: string) =>
  steps(pick('vlives:source.mode.stream'), fill('vlives:stream.label', url), press('vlives:source.use'));

/** Advances the clock by eight seconds, after which the page reports that the upload has stalled. */
async function untilStalled(page: Page): Promise<void> {
  await page.clock.setFixedTime(new Date(now.getTime() + 8_000));
  const bar = page.getByRole('progressbar');
  for (let [before, value] = ['', 'none']; value === '0' || before !== value; ) {
    before = value;
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    value = (await bar.getAttribute('aria-valuenow')) ?? '';
  }
  await page
    .getByText(/^8 |8 s /)
    .first()
    .waitFor();
}

const upload: readonly GalleryState[] = [
  { name: 'wrong file', answers: fresh, act: attach('notes.txt', 10), shows: 'vlives:upload.wrongType' },
  {
    name: 'uploading',
    answers: { ...fresh, upload: 'pending' },
    act: steps(film, press('vlives:upload.start'), untilStalled),
    shows: 'vlives:upload.cancel',
  },
  {
    name: 'upload cancelled',
    answers: { ...fresh, upload: 'pending' },
    act: steps(film, press('vlives:upload.start', 'vlives:upload.cancel'), (page, text) =>
      page.getByText(text('vlives:upload.cancel')).waitFor({ state: 'detached' }),
    ),
    shows: 'vlives:upload.total',
  },
  {
    name: 'upload refused',
    answers: { ...fresh, upload: { refusal: 'diskFull' } },
    act: steps(film, press('vlives:upload.start')),
    shows: 'errors:explained.diskFull.what',
  },
  {
    name: 'upload interrupted',
    answers: fresh,
    act: steps(
      (page) => page.evaluate(interruptUpload, now.toISOString()),
      pick('vlives:source.mode.file'),
      pick('vlives:source.mode.upload'),
    ),
    shows: 'vlives:upload.interrupted',
  },
];

const pickers: readonly GalleryState[] = [
  { name: 'server file', answers: withFiles, act: pick('vlives:source.mode.file'), shows: 'vlives:file.hint' },
  {
    name: 'file elsewhere',
    answers: withFiles,
    act: serverFile('/home/me/show.mp4'),
    shows: 'vlives:file.problem.place',
  },
  {
    name: 'file of another type',
    answers: fresh,
    act: serverFile('/data/show.mov'),
    shows: 'vlives:file.problem.type',
  },
  {
    name: 'file refused',
    answers: { ...withFiles, vliveServerFile: refused('fileNotFound') },
    act: serverFile('/data/show.mp4'),
    shows: 'errors:explained.fileNotFound.what',
  },
  {
    name: 'stream of another kind',
    answers: fresh,
    act: remoteStream('https://example.com/watch'),
    shows: 'vlives:stream.problem.format',
  },
  {
    name: 'stream refused',
    answers: { ...fresh, vliveStreamUrl: refused('mediaUnreachable') },
    act: remoteStream('rtmp://camera.example/live/1'),
    shows: 'errors:explained.mediaUnreachable.what',
  },
  {
    name: 'stream checked',
    answers: { ...fresh, vliveStreamUrl: data(source), vliveSource: 'pending' },
    act: remoteStream('rtmp://camera.example/live/1'),
    shows: 'vlives:source.checking',
  },
  {
    name: 'library failed',
    answers: { ...withFiles, queryLibrary: refused('internal') },
    shows: 'errors:explained.internal.what',
  },
];

export const vlivePages: readonly GalleryPage[] = [
  {
    id: 'vlives',
    path: 'routers-scenario?tab=vlive',
    needs: ['vliveSecret', 'vliveStreams'],
    answers: { queryLibrary: data(workers.library), queryWorkerLogs: data(workers.workerLogs) },
    states: [
      { name: 'empty', answers: fresh, shows: 'vlives:upload.none' },
      { name: 'filled', answers: playing, shows: 'worker:reason.file-missing.what' },
      { name: 'library', answers: withFiles, shows: 'vlives:library.title' },
      ...pickers,
      ...upload,
      { ...asking('delete file', 'vlives:library.removeText', press('vlives:library.remove')), answers: withFiles },
      { name: 'no source', answers: fresh, act: press('vlives:start'), shows: 'vlives:problem.files' },
      { name: 'add target', answers: withFiles, act: press('vlives:add'), shows: 'push-target:unnamed' },
      {
        ...asking('delete target', 'vlives:removeText', press('vlives:add', 'push-target:remove')),
        answers: fresh,
      },
      { name: 'on air', answers: playing, act: press('worker:toTarget'), shows: 'vlives:playing.now' },
      {
        name: 'playlist changed',
        answers: playing,
        act: press('worker:toTarget', 'vlives:playlist.down'),
        shows: 'vlives:playlist.unsaved',
      },
      {
        name: 'start time',
        answers: playing,
        act: steps(press('worker:toTarget'), fill('vlives:startTime.label', '2026-03-09T20:00')),
        shows: 'vlives:startTime.interrupts',
      },
      {
        name: 'scheduled',
        answers: { ...playing, vliveStreams: data(workers.scheduledRows) },
        act: press('worker:toTarget'),
        shows: 'vlives:startTime.left',
      },
      {
        name: 'saved',
        answers: playing,
        act: steps(press('worker:toTarget', 'common:save'), until('vlives:saved')),
        shows: 'vlives:saved',
      },
    ],
  },
];

/** Runs in the browser. Stores an upload that a reload interrupted an hour ago. */
function interruptUpload(nowText: string): void {
  const creationTime = new Date(Date.parse(nowText) - 3_600_000).toISOString();
  const entry = { size: 1_402_621_440, creationTime, metadata: { filename: 'evening-show-2026-03-01.mp4' } };
  localStorage.setItem('tus::gallery::1', JSON.stringify(entry));
}
