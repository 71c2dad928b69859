// The ladder of renditions: its renditions, their cost, and the running ladders.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as ladder from '../samples/ladder.ts';
import { workerLogs } from '../samples/workers.ts';
import { fill, press } from '../steps.ts';

const off = {
  queryLadder: data(ladder.ladderOff),
  queryLadderTasks: data({ tasks: [] }),
  measureLadder: data(ladder.ladderCosts),
};
const on = { ...off, queryLadder: data(ladder.ladderOn) };

export const ladderPages: readonly GalleryPage[] = [
  {
    id: 'ladder',
    path: 'routers-scenario?tab=ladder',
    needs: ['queryLadder'],
    answers: { ...off, queryWorkerLogs: data(workerLogs) },
    states: [
      { name: 'empty', answers: off, shows: 'ladder:status.offTitle' },
      {
        name: 'measuring',
        answers: {
          ...off,
          measureLadder: data({ ...ladder.ladderCosts, isMeasuring: true, steps: [], proposal: null }),
        },
        shows: 'ladder:cost.measuringText',
      },
      { name: 'none runs', answers: on, shows: 'ladder:status.noneTitle' },
      {
        name: 'filled',
        answers: { ...on, queryLadderTasks: data({ tasks: [ladder.ladderTask] }) },
        shows: 'ladder:status.running',
      },
      {
        name: 'too slow',
        answers: { ...on, queryLadderTasks: data({ tasks: [ladder.slowTask] }) },
        shows: 'ladder:leftOut.as-source',
      },
      {
        name: 'no picture',
        answers: { ...on, queryLadderTasks: data({ tasks: [ladder.waitingTask] }) },
        shows: 'worker:detail.ladder-no-picture',
      },
      {
        name: 'invalid',
        answers: off,
        act: async (page, text) => {
          await fill('ladder:maxRunning.label', '0')(page, text);
          await press('ladder:switchOn')(page, text);
        },
        shows: 'ladder:problem.maxRunning',
      },
      { name: 'saved', answers: { ...on, applyLadder: data(null) }, act: press('ladder:save'), shows: 'ladder:saved' },
      {
        name: 'refused',
        answers: { ...off, applyLadder: refused('settingsChanged') },
        act: press('ladder:switchOn'),
        shows: 'errors:explained.settingsChanged.what',
      },
    ],
  },
];
