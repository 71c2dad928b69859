import type { TargetTest } from '@srs-stack/contract';
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { manyRows, manyTargets } from '../samples/many.ts';
import * as workers from '../samples/workers.ts';
import { asking, choices, choose, fill, press, steps, unfold, unroll, until } from '../steps.ts';

const forwarding = { forwardSecret: data(workers.forwardTargets), forwardStreams: data(workers.forwardRows) };
const nothing = { forwardSecret: data({}), forwardStreams: data([]) };
const testOf = (test: TargetTest) => ({
  startForwardTest: data({ id: 'a-test', sends: 'nothing' }),
  queryForwardTest: data(test),
});
const otherServer = fill('push-target:server', 'rtmp://live.partner.example/app/');

export const forwardPages: readonly GalleryPage[] = [
  {
    id: 'forwards',
    path: 'routers-scenario?tab=forward',
    needs: ['forwardSecret', 'forwardStreams'],
    answers: { queryWorkerLogs: data(workers.workerLogs) },
    states: [
      { name: 'empty', answers: nothing, shows: 'push-target:help.title' },
      { name: 'filled', answers: forwarding, shows: 'worker:reason.not-authorized.what' },
      {
        name: 'introduction',
        answers: nothing,
        act: press('forwards:introduction.title'),
        shows: 'forwards:introduction.apart',
      },
      { name: 'key help', answers: nothing, act: press('push-target:help.title'), shows: 'push-target:help.open' },
      { name: 'servers', locale: 'en', answers: nothing, act: unroll('push-target:server'), shows: choices },
      {
        name: 'custom without a name',
        answers: nothing,
        act: steps(choose('push-target:custom.name'), otherServer, press('forwards:start')),
        shows: 'forwards:problem.label',
      },
      { name: 'add target', answers: forwarding, act: press('forwards:add'), shows: 'push-target:unnamed' },
      {
        name: 'added without a name',
        answers: forwarding,
        act: steps(press('forwards:add'), otherServer, press('forwards:start')),
        shows: 'forwards:problem.label',
      },
      {
        name: 'process',
        answers: forwarding,
        act: press('worker:toTarget', 'worker:advanced.title'),
        shows: 'worker:advanced.log',
      },
      {
        name: 'saved',
        answers: forwarding,
        act: steps(unfold('Partner studio'), press('common:save')),
        shows: 'forwards:saved.started',
      },
      {
        name: 'refused',
        answers: forwarding,
        actAnswers: { forwardSecret: refused('addressRefused') },
        act: steps(
          unfold('Partner studio'),
          press('common:save'),
          until('errors:explained.addressRefused.what'),
          press('errors:details'),
        ),
        shows: 'errors:fact.request',
      },
      {
        ...asking('stop all', 'forwards:switches.stop', press('forwards:switches.stopAll')),
        shows: 'common:confirm.continue',
        answers: forwarding,
      },
      { name: 'list', answers: forwarding, act: press('forwards:list.button'), shows: 'forwards:list.preview' },
      {
        name: 'list without a server',
        answers: forwarding,
        act: steps(
          press('forwards:list.button'),
          fill('forwards:list.field', 'name,key\nMain,k'),
          press('forwards:list.preview'),
        ),
        shows: 'forwards:list.problem.no-server-column',
      },
      {
        name: 'list preview',
        answers: { ...forwarding, importForwards: data(workers.checkedList) },
        act: steps(
          press('forwards:list.button'),
          fill('forwards:list.field', workers.listText),
          press('forwards:list.preview'),
        ),
        shows: 'forwards:list.fine',
      },
      {
        name: 'test passed',
        answers: { ...forwarding, ...testOf(workers.passedTest) },
        act: steps(unfold('Partner studio'), press('forwards:test.button')),
        shows: 'forwards:test.keyUnchecked',
      },
      {
        name: 'test failed',
        answers: { ...forwarding, ...testOf(workers.failedTest) },
        act: steps(unfold('Partner studio'), press('forwards:test.button')),
        shows: 'worker:reason.tls-failed.remedy',
      },
      {
        name: 'platforms',
        answers: forwarding,
        act: steps(press('forwards:add'), unroll('push-target:platform.label')),
        shows: choices,
      },
      { name: 'stale', isStale: true, answers: forwarding, shows: 'common:controlPlane.away' },
      {
        ...asking('delete', 'forwards:removeText', unfold('Partner studio'), press('push-target:remove')),
        answers: forwarding,
      },
      {
        name: 'no server',
        answers: forwarding,
        act: steps(unfold('Partner studio'), fill('push-target:server', ''), press('common:save')),
        shows: 'forwards:problem.server',
      },
      {
        name: 'no such stream name',
        answers: forwarding,
        act: steps(unfold('Partner studio'), fill('push-target:source.label', 'main stage'), press('common:save')),
        shows: 'forwards:problem.stream',
      },
      {
        name: 'many',
        answers: { forwardSecret: data(manyTargets), forwardStreams: data(manyRows) },
        shows: 'worker:reason.timeout.what',
      },
    ],
  },
];
