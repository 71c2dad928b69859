import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { longestName } from '../samples/many.ts';
import { deniedTransfers, placedRecordings, transfers } from '../samples/object-storage.ts';
import {
  clusterRecordings,
  longFilters,
  plan,
  recordings,
  recordNodes,
  recordRules,
  recordStatus,
  removals,
  removed,
  snapshots,
  snapshotTimers,
} from '../samples/recordings.ts';
import { clip, rewindWindow, rewindWindows } from '../samples/rewind.ts';
import { slateImage } from '../samples/slates.ts';
import { asking, choose, confirm, fill, press, steps, until } from '../steps.ts';

const rules = {
  queryRecordSplit: data({ maxSeconds: 3_600, maxBytes: 0 }),
  queryRecordPlan: data({ entries: plan, zone: 'Europe/Berlin' }),
  querySnapshotTimers: data(snapshotTimers),
  querySnapshots: data({ snapshots }),
  querySnapshotPicture: data({ picture: slateImage }),
};
const recorded = {
  queryRecord: data(recordRules),
  queryRecordFiles: data(recordings),
  queryRecordStatus: data(recordStatus(recordings)),
  queryRecordBin: data(removed),
  queryRecordRetention: data({ keepDays: 30, maxBytes: 0, removals }),
  queryObjectTransfers: data([]),
  ...rules,
};
const ofSeveralServers = {
  ...recorded,
  queryRecordFiles: data(clusterRecordings),
  queryRecordStatus: data({ ...recordStatus(clusterRecordings), nodes: recordNodes }),
};
const rewound = {
  ...recorded,
  queryRewindWindows: data(rewindWindows),
  queryRewindWindow: data(rewindWindow),
  createClip: data(clip),
};
const off = {
  queryRecordRetention: data({ keepDays: 0, maxBytes: 0, removals: [] }),
  queryRecord: data({ ...recordRules, all: false }),
  queryRecordFiles: data([]),
  queryRecordStatus: data(recordStatus([])),
  queryRecordBin: data([]),
  ...rules,
};
const play = (place: number) =>
  steps((page, text) =>
    page
      .getByRole('button', { name: text('records:row.play') })
      .nth(place)
      .click(),
  );

const openEditor = steps((page, text) =>
  page
    .getByRole('button', { name: text('clips:button'), exact: true })
    .first()
    .click(),
);

export const recordPages: readonly GalleryPage[] = [
  {
    id: 'records',
    path: 'routers-scenario?tab=record',
    needs: ['queryRecord', 'queryRecordFiles', 'queryRecordStatus', 'queryRecordBin'],
    states: [
      { name: 'off', answers: off, shows: 'records:rules.start' },
      { name: 'empty', answers: { ...off, queryRecord: data(recordRules) }, shows: 'records:list.empty' },
      { name: 'filled', answers: recorded, shows: 'records:state.failed' },
      { name: 'several servers', answers: ofSeveralServers, shows: 'records:nodes.awayText' },
      { name: 'streams to cut from', answers: rewound, shows: 'clips:list.title' },
      {
        name: 'clip',
        answers: rewound,
        act: openEditor,
        shows: 'clips:make',
      },
      {
        name: 'clip closer in',
        answers: rewound,
        act: steps(openEditor, choose('clips:zoom.2'), press('clips:last.60'), fill('clips:to', 'noon'), (page) =>
          page.keyboard.press('Enter'),
        ),
        shows: 'clips:problem.malformed',
      },
      {
        name: 'clip on its way',
        answers: rewound,
        act: steps(openEditor, press('clips:make')),
        shows: 'clips:making',
      },
      {
        name: 'introduction',
        answers: off,
        act: press('records:introduction.title', 'records:directory.title', 'records:introduction.title'),
        shows: 'records:introduction.complete',
      },
      { name: 'directory', answers: off, act: press('records:directory.title'), shows: 'records:directory.change' },
      {
        name: 'rules',
        answers: recorded,
        act: steps(press('records:rules.title'), (page) => page.locator('details > summary').first().click()),
        shows: 'records:retention.reason.age',
      },
      { name: 'plan', answers: recorded, act: press('records:plan.title'), shows: 'records:plan.overText' },
      {
        name: 'plan entry',
        answers: recorded,
        act: steps(press('records:plan.title', 'records:plan.add', 'records:plan.save')),
        shows: 'records:plan.invalid.days',
      },
      {
        name: 'snapshot timers',
        answers: recorded,
        act: press('records:snapshots.title'),
        shows: 'snapshots:counted',
      },
      {
        ...asking(
          'plan entry removal',
          'records:plan.removeText',
          press('records:plan.title', 'records:plan.removeOf'),
        ),
        answers: recorded,
      },
      {
        name: 'snapshots',
        answers: recorded,
        act: press('records:snapshots.title', 'snapshots:show'),
        shows: 'snapshots:download',
      },
      {
        ...asking(
          'snapshot removal',
          'snapshots:removeText',
          press('records:snapshots.title', 'snapshots:show', 'snapshots:remove'),
        ),
        answers: recorded,
      },
      {
        name: 'strange filters',
        answers: off,
        act: fill('records:filters.label', longFilters),
        shows: 'records:filters.tooLong',
      },
      {
        name: 'rules refused',
        answers: { ...off, updateRecordPostProcessing: refused('invalidRequest') },
        act: steps(fill('records:copies.label', '/mnt/elsewhere'), press('records:copies.save')),
        shows: 'errors:explained.invalidRequest.what',
      },
      {
        name: 'filters saved',
        answers: { ...off, updateRecordGlobs: data(null) },
        act: press('records:filters.save'),
        shows: 'records:success.filtersSaved',
      },
      { name: 'opened', answers: recorded, act: play(2), shows: 'records:details.location' },
      { name: 'opened while it runs', answers: recorded, act: play(0), shows: 'records:player.soFar' },
      { ...asking('delete', 'records:row.removeText', press('records:row.removeOf')), answers: recorded },
      {
        name: 'deleted',
        answers: { ...recorded, removeRecord: data(null) },
        act: steps(press('records:row.removeOf'), confirm),
        shows: 'records:success.removed',
      },
      {
        ...asking('empty bin', 'records:bin.emptyText', press('records:bin.summary', 'records:bin.empty')),
        answers: recorded,
      },
      { ...asking('end', 'records:row.endText', press('records:row.end')), answers: recorded },
      {
        name: 'long name',
        answers: { ...recorded, queryRecordFiles: data(recordings.map((row) => ({ ...row, stream: longestName }))) },
        act: play(0),
        shows: 'records:player.soFar',
      },
      {
        name: 'several pages',
        answers: { ...recorded, queryRecordStatus: data(recordStatus(recordings, 'low', 260)) },
        shows: 'records:disk.low',
      },
      {
        name: 'nothing found',
        answers: { ...recorded, queryRecordFiles: data([]) },
        act: fill('records:list.search', 'no such recording'),
        shows: 'records:list.nothingFound',
      },
      {
        name: 'disk full',
        answers: {
          ...recorded,
          queryRecordFiles: data(recordings.slice(0, 3)),
          queryRecordStatus: data(recordStatus(recordings, 'full')),
        },
        shows: 'records:disk.full',
      },
      {
        name: 'on their way to the bucket',
        answers: { ...recorded, queryRecordFiles: data(placedRecordings), queryObjectTransfers: data(transfers) },
        shows: 'records:transfer.checking',
      },
      {
        name: 'waiting for the bucket',
        answers: { ...recorded, queryRecordFiles: data(placedRecordings), queryObjectTransfers: data(deniedTransfers) },
        shows: 'records:transfer.problem',
      },
      {
        name: 'opened from the bucket',
        answers: { ...recorded, queryRecordFiles: data(placedRecordings) },
        act: play(6),
        shows: 'records:details.object',
      },
      {
        name: 'session ended',
        answers: { queryRecord: refused('tokenInvalid') },
        act: until('login:submit.idle'),
        shows: 'recording:failure.expired',
      },
    ],
  },
];
