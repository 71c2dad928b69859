// Recordings on the disk of the server.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { longFilters, recordings, recordRules, recordStatus, removals, removed } from '../samples/recordings.ts';
import { asking, confirm, fill, press, steps, until } from '../steps.ts';

const recorded = {
  queryRecord: data(recordRules),
  queryRecordFiles: data(recordings),
  queryRecordStatus: data(recordStatus(recordings)),
  queryRecordBin: data(removed),
  queryRecordRetention: data({ keepDays: 30, maxBytes: 0, removals }),
};
const off = {
  queryRecordRetention: data({ keepDays: 0, maxBytes: 0, removals: [] }),
  queryRecord: data({ ...recordRules, all: false }),
  queryRecordFiles: data([]),
  queryRecordStatus: data(recordStatus([])),
  queryRecordBin: data([]),
};
const play = (place: number) =>
  steps((page, text) =>
    page
      .getByRole('button', { name: text('record:row.play') })
      .nth(place)
      .click(),
  );

export const recordPages: readonly GalleryPage[] = [
  {
    id: 'record',
    path: 'routers-scenario?tab=record',
    needs: ['queryRecord', 'queryRecordFiles', 'queryRecordStatus', 'queryRecordBin'],
    states: [
      { name: 'off', answers: off, shows: 'record:rules.start' },
      { name: 'empty', answers: { ...off, queryRecord: data(recordRules) }, shows: 'record:list.empty' },
      { name: 'filled', answers: recorded, shows: 'record:state.failed' },
      {
        name: 'introduction',
        answers: off,
        act: press('record:introduction.title', 'record:directory.title', 'record:introduction.title'),
        shows: 'record:introduction.complete',
      },
      { name: 'directory', answers: off, act: press('record:directory.title'), shows: 'record:directory.change' },
      {
        name: 'rules',
        answers: recorded,
        act: steps(press('record:rules.title'), (page) => page.locator('details > summary').first().click()),
        shows: 'record:retention.reason.age',
      },
      {
        name: 'strange filters',
        answers: off,
        act: fill('record:filters.label', longFilters),
        shows: 'record:filters.tooLong',
      },
      {
        name: 'rules refused',
        answers: { ...off, updateRecordPostProcessing: refused('invalidRequest') },
        act: steps(fill('record:copies.label', '/mnt/elsewhere'), press('record:copies.save')),
        shows: 'errors:explained.invalidRequest.what',
      },
      {
        name: 'filters saved',
        answers: { ...off, updateRecordGlobs: data(null) },
        act: press('record:filters.save'),
        shows: 'record:told.filtersSaved',
      },
      { name: 'opened', answers: recorded, act: play(2), shows: 'record:details.location' },
      { name: 'opened while it runs', answers: recorded, act: play(0), shows: 'record:player.soFar' },
      { ...asking('delete', 'record:row.removeText', press('record:row.removeOf')), answers: recorded },
      {
        name: 'deleted',
        answers: { ...recorded, removeRecord: data(null) },
        act: steps(press('record:row.removeOf'), confirm),
        shows: 'record:told.removed',
      },
      {
        ...asking('empty bin', 'record:bin.emptyText', press('record:bin.summary', 'record:bin.empty')),
        answers: recorded,
      },
      { ...asking('end', 'record:row.endText', press('record:row.end')), answers: recorded },
      {
        name: 'several pages',
        answers: { ...recorded, queryRecordStatus: data(recordStatus(recordings, 'low', 260)) },
        shows: 'record:disk.low',
      },
      {
        name: 'nothing found',
        answers: { ...recorded, queryRecordFiles: data([]) },
        act: fill('record:list.search', 'no such recording'),
        shows: 'record:list.nothingFound',
      },
      {
        name: 'disk full',
        answers: {
          ...recorded,
          queryRecordFiles: data(recordings.slice(0, 3)),
          queryRecordStatus: data(recordStatus(recordings, 'full')),
        },
        shows: 'record:disk.full',
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
