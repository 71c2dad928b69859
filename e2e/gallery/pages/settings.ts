// Settings of streams and of the web server.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { revision } from '../samples/revision.ts';
import * as settings from '../samples/settings.ts';
import { asking, choose, fill, press, steps } from '../steps.ts';

export const settingsPages: readonly GalleryPage[] = [
  {
    id: 'settings-auth',
    path: 'routers-settings?tab=auth',
    needs: ['queryPublishSecret'],
    states: [
      { name: 'filled', shows: 'settings-auth:secret.title' },
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
      { name: 'no secret', act: steps(fill('settings-auth:secret.next', ''), press('settings-auth:secret.save')) },
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
    ],
  },
  {
    id: 'settings-https',
    path: 'routers-settings?tab=https',
    needs: ['queryCertificateStatus'],
    states: [
      {
        name: 'empty',
        answers: { queryCertificateStatus: data(settings.noCertificate) },
        shows: 'settings-https:none.title',
      },
      {
        name: 'filled',
        answers: { queryCertificateStatus: data(settings.certificateState) },
        shows: 'settings-https:fact.until',
      },
      { name: 'self-signed', answers: { queryCertificateStatus: data(settings.selfSigned) } },
      {
        ...asking(
          'make self-signed',
          'settings-https:self.confirm',
          choose('settings-https:way.self'),
          press('settings-https:self.make'),
        ),
        answers: { queryCertificateStatus: data(settings.certificateState) },
      },
      {
        name: 'order running',
        answers: { queryCertificateStatus: data(settings.orderRunning) },
        shows: 'settings-https:order.step.validating',
      },
      { name: 'order failed', answers: { queryCertificateStatus: data(settings.orderFailed) } },
    ],
  },
  {
    id: 'settings-hls',
    path: 'routers-settings?tab=hls',
    needs: ['queryHighPerformanceHls', 'queryLowLatencyHls'],
    states: [
      {
        name: 'filled',
        answers: {
          queryHighPerformanceHls: data({ noHlsCtx: true, revision }),
          queryLowLatencyHls: data({ hlsLowLatency: false, revision }),
        },
        shows: 'settings-hls:contexts.title',
      },
    ],
  },
  {
    id: 'settings-beian',
    path: 'routers-settings?tab=beian',
    states: [
      { name: 'empty', shows: 'settings-beian:icp.title' },
      {
        name: 'filled',
        answers: { queryBeian: data({ icp: '京ICP备19056366号', title: 'Studio A' }) },
        shows: 'settings-beian:icp.title',
      },
    ],
  },
  {
    id: 'settings-callback',
    path: 'routers-settings?tab=callback',
    needs: ['queryHooks', 'queryHookDeliveries'],
    states: [
      {
        name: 'empty',
        answers: { queryHooks: data(settings.noHooks), queryHookDeliveries: data({ deliveries: [] }) },
        shows: 'settings-callback:log.empty.title',
      },
      {
        name: 'filled',
        answers: { queryHooks: data(settings.hooks), queryHookDeliveries: data({ deliveries: settings.deliveries }) },
        shows: 'settings-callback:last.request',
      },
    ],
  },
];
