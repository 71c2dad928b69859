import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { bucket, denying, noBucket, sending } from '../samples/object-storage.ts';
import { asking, choose, confirm, fill, press, steps, toggle } from '../steps.ts';

const filled = { queryObjectStorage: data(bucket) };
const tested = (kind: 'denied' | 'region', step: 'write' | 'delete', words: string) =>
  data({ ok: false, failed: { step, kind, words }, durationMs: 212 });

export const objectStoragePages: readonly GalleryPage[] = [
  {
    id: 'object-storage',
    path: 'routers-settings?tab=storage',
    needs: ['queryObjectStorage'],
    states: [
      { name: 'empty', answers: { queryObjectStorage: data(noBucket) }, shows: 'object-storage:accessKey.hint' },
      { name: 'filled', answers: filled, shows: 'object-storage:state.on' },
      { name: 'sending', answers: { queryObjectStorage: data(sending) }, shows: 'object-storage:state.sending' },
      { name: 'waiting', answers: { queryObjectStorage: data(denying) }, shows: 'object-storage:status.leave' },
      {
        ...asking('leave objects', 'object-storage:status.leaveText', press('object-storage:status.leave')),
        answers: { queryObjectStorage: data(denying) },
      },
      {
        name: 'http',
        answers: { queryObjectStorage: data(noBucket) },
        act: fill('object-storage:endpoint.label', 'http://10.0.0.9:9000'),
        shows: 'object-storage:endpoint.plain',
      },
      {
        name: 'fields missing',
        answers: { queryObjectStorage: data(noBucket) },
        act: steps(toggle('object-storage:on.label'), press('common:save')),
        shows: 'object-storage:missing',
      },
      {
        name: 'tested',
        answers: { ...filled, testObjectStorage: data({ ok: true, failed: null, durationMs: 87 }) },
        act: press('object-storage:test.send'),
        shows: 'object-storage:test.ok',
      },
      {
        name: 'test denied',
        answers: {
          ...filled,
          testObjectStorage: tested('denied', 'delete', 'cannot delete x: AccessDenied, HTTP 403'),
        },
        act: press('object-storage:test.send'),
        shows: 'object-storage:test.failed.delete',
      },
      {
        name: 'test in a wrong region',
        answers: {
          ...filled,
          testObjectStorage: tested('region', 'write', 'PermanentRedirect, the bucket is in the region us-west-2'),
        },
        act: press('object-storage:test.send'),
        shows: 'bucket:problem.region.what',
      },
      {
        name: 'test refused',
        answers: { ...filled, testObjectStorage: refused('addressRefused') },
        act: press('object-storage:test.send'),
        shows: 'errors:explained.addressRefused.what',
      },
      {
        ...asking(
          'delete local copies',
          'object-storage:question.playlists',
          choose('object-storage:local.remove.name'),
          press('common:save'),
        ),
        answers: filled,
      },
      {
        name: 'saved',
        answers: { ...filled, updateObjectStorage: data(null) },
        act: steps(choose('object-storage:local.remove.name'), press('common:save'), confirm),
        shows: 'object-storage:saved',
      },
      {
        name: 'saved by somebody else',
        answers: { ...filled, updateObjectStorage: refused('settingsChanged') },
        act: steps(fill('object-storage:prefix.label', 'films/'), press('common:save')),
        shows: 'settings-form:changed.title',
      },
    ],
  },
];
