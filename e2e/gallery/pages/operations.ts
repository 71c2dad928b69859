// Running the server: limits, proxied paths, the platform, the API, components, contact.
import { data, type GalleryPage } from '../gallery-page.ts';
import * as operations from '../samples/operations.ts';
import { revision } from '../samples/revision.ts';
import { asking, press } from '../steps.ts';

export const operationPages: readonly GalleryPage[] = [
  {
    id: 'settings-limit',
    path: 'routers-settings?tab=limit',
    needs: ['queryUsageLimit', 'queryLimits'],
    answers: { queryLimits: data({ vlive: 5_000, camera: 5_000, revision }) },
    states: [
      {
        name: 'empty',
        answers: { queryUsageLimit: data(operations.noUsageLimit) },
        shows: 'settings-limit:usage.noLimit',
      },
      { name: 'filled', answers: { queryUsageLimit: data(operations.usage) }, shows: 'settings-limit:usage.title' },
      {
        name: 'used up',
        answers: { queryUsageLimit: data(operations.usedUp) },
        shows: 'settings-limit:usage.exhausted',
      },
    ],
  },
  {
    id: 'settings-proxy',
    path: 'routers-settings?tab=proxy',
    needs: ['queryHomepage', 'queryProxyLocations', 'queryLoadBalancer'],
    answers: { queryHomepage: data({ homepage: '/mgmt', revision }), queryLoadBalancer: data(operations.loadBalancer) },
    states: [
      {
        name: 'empty',
        answers: { queryProxyLocations: data({ locations: [], revision }) },
        shows: 'settings-proxy:locations.title',
      },
      {
        name: 'filled',
        answers: { queryProxyLocations: data(operations.locations) },
        shows: 'settings-proxy:home.title',
      },
    ],
  },
  {
    id: 'settings-platform',
    path: 'routers-settings?tab=platform',
    needs: ['queryUpgradeWindow', 'queryAdminKey'],
    answers: { queryUpgradeWindow: data(operations.upgradeWindow) },
    states: [
      {
        name: 'empty',
        answers: { queryAdminKey: data(operations.adminKeyOff) },
        shows: 'settings-platform:window.title',
      },
      {
        name: 'filled',
        answers: { queryAdminKey: data(operations.adminKey) },
        shows: 'settings-platform:window.title',
      },
      {
        ...asking('deny key', 'settings-platform:key.confirmDeny', press('settings-platform:key.deny')),
        answers: { queryAdminKey: data(operations.adminKey) },
      },
    ],
  },
  {
    id: 'settings-api',
    path: 'routers-settings?tab=api',
    needs: ['querySecret'],
    states: [
      {
        name: 'filled',
        answers: { querySecret: data('srs-v2-8f14e45fceea167a5a36dedd4bea2543') },
        shows: 'settings-api:examples.title',
      },
      {
        ...asking('new secret', 'settings-api:secret.confirm', press('settings-api:secret.rotate')),
        answers: { querySecret: data('srs-v2-8f14e45fceea167a5a36dedd4bea2543') },
      },
    ],
  },
  {
    id: 'components',
    path: 'routers-components',
    needs: ['status', 'queryComponents'],
    answers: { queryComponents: data(operations.components) },
    states: [
      { name: 'filled', shows: 'components:latest' },
      asking('switch off', 'components:parts.confirm', press('components:parts.disable')),
      { name: 'slow', answers: { queryComponents: 'pending' }, shows: 'common:controlPlane.slow' },
    ],
  },
  { id: 'contact', path: 'routers-contact', states: [{ name: 'filled', shows: 'contact:title' }] },
];
