// Settings of streams, footer, callbacks, cluster, playback authorization and certificates.
import type { Page } from 'playwright-core';
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { revision } from '../samples/revision.ts';
import { rewindOff, rewindOn } from '../samples/rewind.ts';
import * as settings from '../samples/settings.ts';
import { slateImage, slatesOn, slatesWithClip } from '../samples/slates.ts';
import { asking, choose, confirm, fill, press, type Step, steps, toggle } from '../steps.ts';
import { certificatePages } from './certificates.ts';
import { clusterPages } from './cluster.ts';
import { objectStoragePages } from './object-storage.ts';
import { watchingPages } from './watching.ts';

const hls = {
  queryHighPerformanceHls: data({ noHlsCtx: true, revision }),
  queryLowLatencyHls: data({ hlsLowLatency: false, revision }),
  queryRewind: data(rewindOff),
};
const callbacks = {
  queryHooks: data(settings.hooks),
  queryHookDeliveries: data({ deliveries: settings.deliveries }),
};
const noCallbacks = { queryHooks: data(settings.noHooks), queryHookDeliveries: data({ deliveries: [] }) };

/** On a narrow page, the search field is in a list that must be expanded first. */
const findSetting =
  (typed: string): Step =>
  async (page, text) => {
    const find = page.getByRole('searchbox', { name: text('settings:find') });
    if (!(await find.isVisible())) await page.getByRole('button', { name: text('settings:choose') }).click();
    await find.fill(typed);
  };

const settingsFound = (page: Page) => page.getByRole('status').filter({ hasText: /found|找到/ });

export const settingsPages: readonly GalleryPage[] = [
  {
    id: 'publish-secret',
    path: 'routers-settings?tab=auth',
    needs: ['queryPublishSecret'],
    states: [
      { name: 'filled', shows: 'publish-secret:secret.current' },
      { name: 'a setting is looked for', act: findSetting('bucket'), shows: settingsFound },
      { name: 'no such setting', act: findSetting('zzzz'), shows: 'settings:nothing' },
      {
        name: 'no authentication',
        path: 'routers-settings?tab=auth&allow-noauth=true',
        answers: { queryPublishSecret: data({ publish: 'b2e14a7c', pubNoAuth: true, revision }) },
        shows: 'publish-secret:noAuth.warning',
      },
      {
        ...asking('switch authentication off', 'publish-secret:noAuth.confirm', press('publish-secret:noAuth.disable')),
        path: 'routers-settings?tab=auth&allow-noauth=true',
      },
      {
        name: 'switched off',
        path: 'routers-settings?tab=auth&allow-noauth=true',
        answers: { disablePublishSecret: data(null) },
        act: steps(press('publish-secret:noAuth.disable'), confirm),
        shows: 'publish-secret:noAuth.saved',
      },
      {
        name: 'no secret',
        act: press('publish-secret:secret.save'),
        shows: 'publish-secret:secret.empty',
      },
      {
        name: 'not saved yet',
        act: fill('publish-secret:secret.next', 'a1b2c3d4e5f60718'),
        shows: 'settings-form:discard',
      },
      {
        ...asking(
          'replace a secret in use',
          'publish-secret:uses.others',
          fill('publish-secret:secret.next', 'a1b2c3d4e5f60718'),
          press('publish-secret:secret.save'),
        ),
        answers: { queryPublishSecretUses: data(settings.secretUses) },
      },
      {
        ...asking(
          'replace a secret that all follow',
          'publish-secret:uses.follows',
          fill('publish-secret:secret.next', 'a1b2c3d4e5f60718'),
          press('publish-secret:secret.save'),
        ),
        answers: { queryPublishSecretUses: data({ ...settings.secretUses, others: [] }) },
      },
      {
        name: 'saved',
        answers: { updatePublishSecret: data(null) },
        act: steps(fill('publish-secret:secret.next', 'a1b2c3d4e5f60718'), press('publish-secret:secret.save')),
        shows: 'publish-secret:secret.saved',
      },
      {
        name: 'saved by somebody else',
        answers: { updatePublishSecret: refused('settingsChanged') },
        act: steps(fill('publish-secret:secret.next', 'a1b2c3d4e5f60718'), press('publish-secret:secret.save')),
        shows: 'settings-form:changed.title',
      },
      {
        name: 'refused',
        answers: { updatePublishSecret: refused('invalidRequest') },
        act: steps(fill('publish-secret:secret.next', 'two words'), press('publish-secret:secret.save')),
        shows: 'errors:explained.invalidRequest.what',
      },
      { name: 'command', act: choose('common:curl.title'), shows: 'common:curl.hint' },
    ],
  },
  ...objectStoragePages,
  ...clusterPages,
  ...watchingPages,
  ...certificatePages,
  {
    id: 'hls-settings',
    path: 'routers-settings?tab=hls',
    needs: ['queryHighPerformanceHls', 'queryLowLatencyHls', 'queryRewind'],
    states: [
      { name: 'filled', answers: hls, shows: 'hls-settings:current' },
      {
        name: 'low-latency',
        answers: { ...hls, queryLowLatencyHls: data({ hlsLowLatency: true, revision }) },
        shows: 'hls-settings:address.label',
      },
      { name: 'rewind', answers: { ...hls, queryRewind: data(rewindOn) }, shows: 'hls-settings:rewind.minutes' },
      {
        name: 'rewind refused',
        answers: { ...hls, queryRewind: data(rewindOn) },
        act: fill('hls-settings:rewind.streams', 'no spaces or ?'),
        shows: 'hls-settings:rewind.save',
      },
      {
        name: 'saved',
        answers: { ...hls, updateHighPerformanceHls: data(null) },
        act: choose('hls-settings:contexts.counted.name'),
        shows: 'hls-settings:contexts.saved',
      },
      {
        name: 'refused',
        answers: { ...hls, updateLowLatencyHls: refused('mediaServerUnreachable') },
        act: choose('hls-settings:latency.low.name'),
        shows: 'errors:explained.mediaServerUnreachable.what',
      },
    ],
  },
  {
    id: 'slates',
    path: 'routers-settings?tab=slate',
    needs: ['querySlates'],
    states: [
      { name: 'off', shows: 'slates:picture.none' },
      {
        name: 'filled',
        answers: { querySlates: data(slatesOn), querySlatePicture: data({ picture: slateImage }) },
        shows: 'slates:state.failed.text',
      },
      {
        name: 'clip with texts, and started streams',
        answers: {
          querySlates: data(slatesWithClip),
          querySlatePicture: data({ picture: slateImage }),
          queryLibrary: data({ files: [], freeBytes: 5e10, maxFileBytes: 1e10 }),
        },
        shows: 'slates:content.missing',
      },
      {
        name: 'no font has the characters',
        answers: {
          querySlates: data(slatesWithClip),
          queryLibrary: data({ files: [], freeBytes: 5e10, maxFileBytes: 1e10 }),
          previewSlate: refused('slateUnusable'),
        },
        shows: 'errors:explained.slateUnusable.what',
      },
      {
        name: 'no stream is live',
        answers: { querySlates: data({ ...slatesOn, streams: [] }) },
        shows: 'slates:streams.none',
      },
      {
        name: 'no stream is named',
        act: steps(choose('slates:which.some'), press('common:save')),
        shows: 'slates:which.empty',
      },
      {
        name: 'saved',
        answers: { updateSlates: data(null) },
        act: steps(toggle('slates:enabled'), press('common:save')),
        shows: 'slates:saved',
      },
      {
        name: 'refused',
        answers: { updateSlates: refused('watermarkUnusable') },
        act: steps(toggle('slates:enabled'), press('common:save')),
        shows: 'errors:explained.watermarkUnusable.what',
      },
    ],
  },
  {
    id: 'beian',
    path: 'routers-settings?tab=beian',
    needs: ['queryBeian'],
    states: [
      { name: 'empty', shows: 'beian:icp.label' },
      {
        name: 'filled',
        answers: { queryBeian: data({ icp: '京ICP备19056366号', title: 'Studio A' }) },
        shows: 'beian:icp.label',
      },
      {
        name: 'saved',
        answers: { updateBeian: data(null) },
        act: steps(fill('beian:title.label', 'Studio A'), press('common:save')),
        shows: 'beian:title.saved',
      },
    ],
  },
  {
    id: 'hooks',
    path: 'routers-settings?tab=callback',
    needs: ['queryHooks', 'queryHookDeliveries'],
    states: [
      { name: 'empty', answers: noCallbacks, shows: 'hooks:log.empty.title' },
      { name: 'filled', answers: callbacks, shows: 'hooks:last.request' },
      {
        name: 'no target',
        answers: noCallbacks,
        act: steps(toggle('hooks:all.label'), press('common:save')),
        shows: 'hooks:target.missing',
      },
      {
        name: 'target refused',
        answers: { ...callbacks, applyHooks: refused('addressRefused') },
        act: steps(fill('hooks:target.label', 'http://169.254.169.254/'), press('common:save')),
        shows: 'hooks:refusedAddress.title',
      },
      {
        name: 'test accepted',
        answers: { ...callbacks, testHooks: data(settings.deliveries[0]!) },
        act: press('hooks:test.send'),
        shows: 'hooks:outcomeText.accepted',
      },
      {
        name: 'test failed',
        answers: {
          ...callbacks,
          queryHookDeliveries: data({ deliveries: [] }),
          testHooks: data(settings.deliveries[2]!),
        },
        act: press('hooks:test.send'),
        shows: 'hooks:problem.timeout',
      },
      {
        name: 'delivery',
        answers: callbacks,
        act: steps(choose('hooks:log.show.problems'), (page) =>
          page.locator('details:not(:has(pre)) > summary', { hasText: 'on_' }).first().click(),
        ),
        shows: 'hooks:log.response',
      },
      {
        name: 'saved',
        answers: { ...callbacks, applyHooks: data(null) },
        act: press('common:save'),
        shows: 'hooks:saved',
      },
    ],
  },
];
