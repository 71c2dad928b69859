// Settings of streams and of the web server.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { revision } from '../samples/revision.ts';
import * as settings from '../samples/settings.ts';
import { asking, choose, confirm, fill, press, steps, toggle } from '../steps.ts';
import { certificatePages } from './settings-https.ts';

const hls = {
  queryHighPerformanceHls: data({ noHlsCtx: true, revision }),
  queryLowLatencyHls: data({ hlsLowLatency: false, revision }),
};
const callbacks = {
  queryHooks: data(settings.hooks),
  queryHookDeliveries: data({ deliveries: settings.deliveries }),
};
const noCallbacks = { queryHooks: data(settings.noHooks), queryHookDeliveries: data({ deliveries: [] }) };

export const settingsPages: readonly GalleryPage[] = [
  {
    id: 'settings-auth',
    path: 'routers-settings?tab=auth',
    needs: ['queryPublishSecret'],
    states: [
      { name: 'filled', shows: 'settings-auth:secret.current' },
      {
        name: 'no authentication',
        path: 'routers-settings?tab=auth&allow-noauth=true',
        answers: { queryPublishSecret: data({ publish: 'b2e14a7c', pubNoAuth: true, revision }) },
        shows: 'settings-auth:noAuth.warning',
      },
      {
        ...asking('switch authentication off', 'settings-auth:noAuth.confirm', press('settings-auth:noAuth.disable')),
        path: 'routers-settings?tab=auth&allow-noauth=true',
      },
      {
        name: 'switched off',
        path: 'routers-settings?tab=auth&allow-noauth=true',
        answers: { disablePublishSecret: data(null) },
        act: steps(press('settings-auth:noAuth.disable'), confirm),
        shows: 'settings-auth:noAuth.saved',
      },
      {
        name: 'no secret',
        act: press('settings-auth:secret.save'),
        shows: 'settings-auth:secret.empty',
      },
      {
        name: 'not saved yet',
        act: fill('settings-auth:secret.next', 'a1b2c3d4e5f60718'),
        shows: 'settings-form:discard',
      },
      {
        name: 'saved',
        answers: { updatePublishSecret: data(null) },
        act: steps(fill('settings-auth:secret.next', 'a1b2c3d4e5f60718'), press('settings-auth:secret.save')),
        shows: 'settings-auth:secret.saved',
      },
      {
        name: 'saved by somebody else',
        answers: { updatePublishSecret: refused('settingsChanged') },
        act: steps(fill('settings-auth:secret.next', 'a1b2c3d4e5f60718'), press('settings-auth:secret.save')),
        shows: 'settings-form:changed.title',
      },
      {
        name: 'refused',
        answers: { updatePublishSecret: refused('invalidRequest') },
        act: steps(fill('settings-auth:secret.next', 'two words'), press('settings-auth:secret.save')),
        shows: 'errors:explained.invalidRequest.what',
      },
      { name: 'command', act: choose('common:curl.title'), shows: 'common:curl.hint' },
    ],
  },
  ...certificatePages,
  {
    id: 'settings-hls',
    path: 'routers-settings?tab=hls',
    needs: ['queryHighPerformanceHls', 'queryLowLatencyHls'],
    states: [
      { name: 'filled', answers: hls, shows: 'settings-hls:current' },
      {
        name: 'saved',
        answers: { ...hls, updateHighPerformanceHls: data(null) },
        act: choose('settings-hls:contexts.counted.name'),
        shows: 'settings-hls:contexts.saved',
      },
      {
        name: 'refused',
        answers: { ...hls, updateLowLatencyHls: refused('mediaServerUnreachable') },
        act: choose('settings-hls:latency.low.name'),
        shows: 'errors:explained.mediaServerUnreachable.what',
      },
    ],
  },
  {
    id: 'settings-beian',
    path: 'routers-settings?tab=beian',
    needs: ['queryBeian'],
    states: [
      { name: 'empty', shows: 'settings-beian:icp.label' },
      {
        name: 'filled',
        answers: { queryBeian: data({ icp: '京ICP备19056366号', title: 'Studio A' }) },
        shows: 'settings-beian:icp.label',
      },
      {
        name: 'saved',
        answers: { updateBeian: data(null) },
        act: steps(fill('settings-beian:title.label', 'Studio A'), press('common:save')),
        shows: 'settings-beian:title.saved',
      },
    ],
  },
  {
    id: 'settings-callback',
    path: 'routers-settings?tab=callback',
    needs: ['queryHooks', 'queryHookDeliveries'],
    states: [
      { name: 'empty', answers: noCallbacks, shows: 'settings-callback:log.empty.title' },
      { name: 'filled', answers: callbacks, shows: 'settings-callback:last.request' },
      {
        name: 'no target',
        answers: noCallbacks,
        act: steps(toggle('settings-callback:all.label'), press('common:save')),
        shows: 'settings-callback:target.missing',
      },
      {
        name: 'target refused',
        answers: { ...callbacks, applyHooks: refused('addressRefused') },
        act: steps(fill('settings-callback:target.label', 'http://169.254.169.254/'), press('common:save')),
        shows: 'settings-callback:refusedAddress.title',
      },
      {
        name: 'test accepted',
        answers: { ...callbacks, testHooks: data(settings.deliveries[0]!) },
        act: press('settings-callback:test.send'),
        shows: 'settings-callback:outcomeText.accepted',
      },
      {
        name: 'test failed',
        answers: {
          ...callbacks,
          queryHookDeliveries: data({ deliveries: [] }),
          testHooks: data(settings.deliveries[2]!),
        },
        act: press('settings-callback:test.send'),
        shows: 'settings-callback:problem.timeout',
      },
      {
        name: 'delivery',
        answers: callbacks,
        act: steps(choose('settings-callback:log.show.problems'), (page) =>
          page.locator('details:not(:has(pre)) > summary', { hasText: 'on_' }).first().click(),
        ),
        shows: 'settings-callback:log.response',
      },
      {
        name: 'saved',
        answers: { ...callbacks, applyHooks: data(null) },
        act: press('common:save'),
        shows: 'settings-callback:saved',
      },
    ],
  },
];
