// A second version of the live stream, with a different bitrate or size, or with a watermark.
import { maxWatermarkBytes } from '@srs-stack/contract';
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as workers from '../samples/workers.ts';
import { attach, choices, fill, press, steps, unroll } from '../steps.ts';

const off = { queryTranscode: data(workers.neverTranscoded), queryTranscodeTask: data(workers.transcodeTask('idle')) };
const running = {
  queryTranscode: data(workers.transcodeConfig),
  queryTranscodeTask: data(workers.transcodeTask('running')),
  queryLive: data({ mediaServer: true, streams: workers.transcodedStreams, refusals: [] }),
};
const openPicture = press('transcode:advanced');

export const transcodePages: readonly GalleryPage[] = [
  {
    id: 'transcode',
    path: 'routers-scenario?tab=transcode',
    needs: ['queryTranscode', 'queryTranscodeTask'],
    answers: { queryWorkerLogs: data(workers.workerLogs) },
    states: [
      { name: 'empty', answers: off, shows: 'transcode:status.offTitle' },
      {
        name: 'waiting',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(workers.transcodeTask('waiting', { reason: 'source-not-live' })),
        },
        shows: 'transcode:status.waitTitle',
      },
      { name: 'filled', answers: running, shows: 'transcode:status.output' },
      {
        name: 'advanced',
        answers: {
          ...running,
          queryTranscode: data(workers.pictureConfig),
          queryWatermark: data(workers.watermark),
        },
        act: openPicture,
        shows: 'transcode:watermark.previewCaption',
      },
      { name: 'no watermark', answers: off, act: openPicture, shows: 'transcode:watermark.none' },
      {
        name: 'watermark too large',
        answers: off,
        act: steps(openPicture, attach('logo.png', maxWatermarkBytes + 1)),
        shows: 'transcode:watermark.tooLarge',
      },
      {
        name: 'watermark refused',
        answers: { ...off, uploadWatermark: refused('watermarkUnusable') },
        act: steps(openPicture, attach('logo.png', 100)),
        shows: 'errors:explained.watermarkUnusable.what',
      },
      { name: 'presets', answers: off, act: unroll('transcode:field.vpreset'), shows: choices },
      {
        name: 'no bitrate',
        answers: off,
        act: steps(fill('transcode:field.vbitrate', ''), press('common:save')),
        shows: 'transcode:invalid',
      },
      {
        name: 'saved',
        answers: { ...running, applyTranscode: data(null) },
        act: press('common:save'),
        shows: 'transcode:saved.started',
      },
      {
        name: 'refused',
        answers: { ...off, applyTranscode: refused('programMissing') },
        act: press('transcode:start'),
        shows: 'errors:explained.programMissing.what',
      },
      {
        name: 'process',
        answers: running,
        // Matches the whole name, because the name of another section starts with this text.
        act: (page, text) =>
          page.getByRole('button', { name: new RegExp(`^${text('worker:advanced.title').source}$`) }).click(),
        shows: 'worker:advanced.log',
      },
      {
        name: 'failed',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(
            workers.transcodeTask('error', {
              reason: 'file-missing',
              reasonDetail: 'the watermark image no longer exists, upload it again',
              detail: { key: 'watermark-missing', values: {} },
              retryInMs: 30_000,
            }),
          ),
        },
        shows: 'worker:reason.file-missing.what',
      },
    ],
  },
];
