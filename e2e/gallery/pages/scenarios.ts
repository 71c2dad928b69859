// What is done with a stream: forward, record, virtual live, transcode, SRT.
import { data, type GalleryPage } from '../gallery-page.ts';
import { manyRows, manyTargets } from '../samples/many.ts';
import { recordings, recordRules, recordStatus, removed } from '../samples/recordings.ts';
import * as workers from '../samples/workers.ts';
import { asking, fill, press, steps, unfold } from '../steps.ts';

const forwarding = { forwardSecret: data(workers.forwardTargets), forwardStreams: data(workers.forwardRows) };
const recorded = {
  queryRecord: data(recordRules),
  queryRecordFiles: data(recordings),
  queryRecordStatus: data(recordStatus(recordings)),
  queryRecordBin: data(removed),
};

export const scenarioPages: readonly GalleryPage[] = [
  {
    id: 'forward',
    path: 'routers-scenario?tab=forward',
    needs: ['forwardSecret', 'forwardStreams'],
    answers: { queryWorkerLogs: data(workers.workerLogs) },
    states: [
      { name: 'empty', answers: { forwardSecret: data({}), forwardStreams: data([]) } },
      {
        name: 'filled',
        answers: forwarding,
        shows: 'worker:reason.not-authorized.what',
      },
      { name: 'stale', isStale: true, answers: forwarding, shows: 'common:controlPlane.away' },
      {
        ...asking('delete', 'forward:removeText', unfold('Partner studio'), press('push-target:remove')),
        answers: forwarding,
      },
      {
        name: 'no server',
        answers: forwarding,
        act: steps(unfold('Partner studio'), fill('push-target:server', ''), press('common:save')),
        shows: 'forward:problem.server',
      },
      {
        name: 'many',
        answers: { forwardSecret: data(manyTargets), forwardStreams: data(manyRows) },
        shows: 'worker:reason.timeout.what',
      },
    ],
  },
  {
    id: 'record',
    path: 'routers-scenario?tab=record',
    needs: ['queryRecord', 'queryRecordFiles', 'queryRecordStatus', 'queryRecordBin'],
    states: [
      {
        name: 'off',
        answers: {
          queryRecordRetention: data({ keepDays: 0, maxBytes: 0, removals: [] }),
          queryRecord: data({ ...recordRules, all: false }),
          queryRecordFiles: data([]),
          queryRecordStatus: data(recordStatus([])),
          queryRecordBin: data([]),
        },
        shows: 'record:rules.start',
      },
      {
        name: 'empty',
        answers: {
          queryRecord: data(recordRules),
          queryRecordFiles: data([]),
          queryRecordStatus: data(recordStatus([])),
          queryRecordBin: data([]),
        },
        shows: 'record:list.empty',
      },
      {
        name: 'filled',
        answers: recorded,
        shows: 'record:state.failed',
      },
      { ...asking('delete', 'record:row.removeText', press('record:row.removeOf')), answers: recorded },
      {
        ...asking('empty bin', 'record:bin.emptyText', press('record:bin.summary', 'record:bin.empty')),
        answers: recorded,
      },
      { ...asking('end', 'record:row.endText', press('record:row.end')), answers: recorded },
      {
        name: 'nothing found',
        answers: { ...recorded, queryRecordFiles: data([]) },
        act: fill('record:list.search', 'no such recording'),
        shows: 'record:list.nothingFound',
      },
      {
        name: 'disk full',
        answers: {
          queryRecord: data(recordRules),
          queryRecordFiles: data(recordings.slice(0, 3)),
          queryRecordStatus: data(recordStatus(recordings, 'full')),
          queryRecordBin: data(removed),
        },
        shows: 'record:disk.full',
      },
    ],
  },
  {
    id: 'vlive',
    path: 'routers-scenario?tab=vlive',
    needs: ['vliveSecret', 'vliveStreams'],
    answers: { queryLibrary: data(workers.library), queryWorkerLogs: data(workers.workerLogs) },
    states: [
      {
        name: 'empty',
        answers: {
          vliveSecret: data({}),
          vliveStreams: data([]),
          queryLibrary: data({ ...workers.library, files: [] }),
        },
      },
      { name: 'library', answers: { vliveSecret: data({}), vliveStreams: data([]) }, shows: 'vlive:library.title' },
      {
        ...asking('delete file', 'vlive:library.removeText', press('vlive:library.remove')),
        answers: { vliveSecret: data({}), vliveStreams: data([]) },
      },
      {
        name: 'filled',
        answers: { vliveSecret: data(workers.vliveTargets), vliveStreams: data(workers.vliveRows) },
        shows: 'worker:reason.file-missing.what',
      },
    ],
  },
  {
    id: 'transcode',
    path: 'routers-scenario?tab=transcode',
    needs: ['queryTranscode', 'queryTranscodeTask'],
    answers: { queryWorkerLogs: data(workers.workerLogs) },
    states: [
      {
        name: 'empty',
        answers: {
          queryTranscode: data(workers.neverTranscoded),
          queryTranscodeTask: data(workers.transcodeTask('idle')),
        },
        shows: 'transcode:status.offTitle',
      },
      {
        name: 'waiting',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(workers.transcodeTask('waiting', { reason: 'source-not-live' })),
        },
        shows: 'transcode:status.waitTitle',
      },
      {
        name: 'filled',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(workers.transcodeTask('running')),
        },
        shows: 'transcode:status.output',
      },
      {
        name: 'advanced',
        answers: {
          queryTranscode: data(workers.pictureConfig),
          queryTranscodeTask: data(workers.transcodeTask('running')),
          queryWatermark: data(workers.watermark),
          queryLive: data({ mediaServer: true, streams: workers.transcodedStreams, refusals: [] }),
        },
        act: (page, text) => page.getByRole('button', { name: text('transcode:advanced') }).click(),
        shows: 'transcode:watermark.previewCaption',
      },
      {
        name: 'failed',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(
            workers.transcodeTask('error', {
              reason: 'file-missing',
              reasonDetail: 'the picture of the watermark is no longer there, upload it again',
              retryInMs: 30_000,
            }),
          ),
        },
        shows: 'worker:reason.file-missing.what',
      },
    ],
  },
  {
    id: 'srt',
    path: 'routers-scenario?tab=others&ctab=other',
    needs: ['queryPublishSecret'],
    states: [{ name: 'filled', shows: 'srt-guide:vmix.title' }],
  },
];
