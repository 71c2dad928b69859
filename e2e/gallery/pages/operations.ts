// Administration: limits, proxied paths, the platform, the API, components, contact.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as operations from '../samples/operations.ts';
import { revision } from '../samples/revision.ts';
import { asking, choices, choose, confirm, fill, press, pressEach, steps, unroll } from '../steps.ts';

const secret = { querySecret: data('srs-v2-8f14e45fceea167a5a36dedd4bea2543') };
const fullProxy = { queryProxyLocations: data(operations.locations) };
const withKey = { queryAdminKey: data(operations.adminKey) };

export const operationPages: readonly GalleryPage[] = [
  {
    id: 'limits',
    path: 'routers-settings?tab=limit',
    needs: ['queryUsageLimit', 'queryLimits'],
    answers: { queryLimits: data({ vlive: 5_000, camera: 5_000, revision }) },
    states: [
      {
        name: 'empty',
        answers: { queryUsageLimit: data(operations.noUsageLimit) },
        shows: 'limits:usage.noLimit',
      },
      { name: 'filled', answers: { queryUsageLimit: data(operations.usage) }, shows: 'limits:usage.ofTotal' },
      {
        name: 'used up',
        answers: { queryUsageLimit: data(operations.usedUp) },
        shows: 'limits:usage.exhausted',
      },
      {
        name: 'wrong values',
        answers: { queryUsageLimit: data(operations.usage) },
        act: steps(
          fill('limits:usage.total', '0'),
          fill('limits:usage.start', ''),
          fill('limits:bitrate.vlive', '0'),
          pressEach('common:save', 2),
        ),
        shows: 'limits:bitrate.invalid',
      },
      {
        name: 'saved',
        answers: { queryUsageLimit: data(operations.usage), updateUsageLimit: data(null) },
        act: press('common:save'),
        shows: 'limits:usage.saved',
      },
    ],
  },
  {
    id: 'web-front',
    path: 'routers-settings?tab=proxy',
    needs: ['queryHomepage', 'queryProxyLocations', 'queryLoadBalancer'],
    answers: { queryHomepage: data({ homepage: '/mgmt', revision }), queryLoadBalancer: data(operations.loadBalancer) },
    states: [
      {
        name: 'empty',
        answers: { queryProxyLocations: data({ locations: [], revision }) },
        shows: 'web-front:locations.add',
      },
      { name: 'filled', answers: fullProxy, shows: 'web-front:locations.warning' },
      {
        name: 'missing values',
        answers: { queryProxyLocations: data({ locations: [], revision }) },
        act: steps(
          fill('web-front:home.path', ''),
          press('web-front:locations.add'),
          fill('web-front:balancer.backends', ''),
          pressEach('common:save', 3),
        ),
        shows: 'web-front:locations.backendMissing',
      },
      {
        name: 'refused',
        answers: {
          ...fullProxy,
          updateHomepage: refused('homepageInvalid'),
          updateProxyLocations: refused('proxyLocationInvalid'),
          updateLoadBalancer: refused('backendInvalid'),
        },
        act: pressEach('common:save', 3),
        shows: 'errors:explained.backendInvalid.what',
      },
      {
        name: 'saved',
        answers: { ...fullProxy, updateProxyLocations: data(null), updateHomepage: data(null) },
        act: press('common:save'),
        shows: 'web-front:home.saved',
      },
    ],
  },
  {
    id: 'platform',
    path: 'routers-settings?tab=platform',
    needs: ['queryUpgradeWindow', 'queryUpgrade', 'queryAdminKey'],
    answers: { queryUpgradeWindow: data(operations.upgradeWindow), queryUpgrade: data(operations.upgradeFound) },
    states: [
      {
        name: 'empty',
        answers: { queryAdminKey: data(operations.adminKeyOff) },
        shows: 'platform:key.notConfigured.title',
      },
      { name: 'filled', answers: withKey, shows: 'platform:key.fingerprint' },
      {
        name: 'never looked',
        answers: { ...withKey, queryUpgrade: data(operations.upgrade) },
        shows: 'platform:upgrade.unknown',
      },
      {
        name: 'all changes',
        answers: withKey,
        act: press('platform:upgrade.allChanges'),
        shows: 'platform:upgrade.more',
      },
      {
        ...asking('upgrade', 'platform:upgrade.ask.prepare', press('platform:upgrade.start')),
        answers: withKey,
      },
      {
        name: 'upgrading',
        answers: { ...withKey, queryUpgrade: data(operations.upgradeRunning) },
        shows: 'platform:upgrade.steps.install.text',
      },
      {
        name: 'upgraded',
        answers: { ...withKey, queryUpgrade: data(operations.upgradeDone) },
        shows: 'platform:upgrade.done',
      },
      {
        name: 'taken back',
        answers: { ...withKey, queryUpgrade: data(operations.upgradeTakenBack) },
        shows: 'platform:upgrade.takenBack',
      },
      {
        name: 'not prepared',
        answers: { ...withKey, queryUpgrade: data(operations.upgradeNotPrepared) },
        shows: 'platform:upgrade.notPrepared',
      },
      {
        name: 'remote away',
        answers: { ...withKey, queryUpgrade: data(operations.upgradeUnreachable) },
        shows: 'platform:upgrade.problem.remote-unreachable',
      },
      {
        name: 'in a container',
        answers: { ...withKey, queryUpgrade: data(operations.upgradeInContainer) },
        shows: 'platform:upgrade.byHand.container',
      },
      {
        ...asking('deny key', 'platform:key.confirmDeny', press('platform:key.deny')),
        answers: withKey,
      },
      {
        name: 'wrong values',
        answers: withKey,
        act: steps(
          fill('platform:window.end', '03:00'),
          press('common:save'),
          fill('platform:key.label', ''),
          press('platform:key.grant'),
        ),
        shows: 'platform:key.missing',
      },
      {
        name: 'no key',
        answers: { ...withKey, updateAdminKey: refused('publicKeyInvalid') },
        act: steps(fill('platform:key.label', 'not a key'), press('platform:key.grant')),
        shows: 'errors:explained.publicKeyInvalid.what',
      },
      {
        name: 'password refused',
        answers: { ...withKey, changePassword: refused('passwordWrong') },
        act: steps(
          fill('platform:password.current', 'guess'),
          fill('platform:password.password', 'a new one'),
          press('platform:password.change'),
        ),
        shows: 'errors:explained.passwordWrong.what',
      },
      {
        name: 'saved',
        answers: { ...withKey, updateUpgradeWindow: data(null) },
        act: press('common:save'),
        shows: 'platform:window.saved',
      },
    ],
  },
  {
    id: 'openapi',
    path: 'routers-settings?tab=api',
    needs: ['querySecret'],
    answers: secret,
    states: [
      { name: 'filled', shows: 'openapi:secret.rotate' },
      asking('new secret', 'openapi:secret.confirm', press('openapi:secret.rotate')),
      { name: 'calls', act: unroll('openapi:try.path'), shows: choices },
      {
        name: 'wrong values',
        act: steps(fill('openapi:try.path', 'terraform'), fill('openapi:try.body', '{ "name": ')),
        shows: 'openapi:try.notJson',
      },
      { name: 'answer', act: press('openapi:try.send'), shows: (page) => page.getByText('HTTP 200') },
      {
        name: 'refused answer',
        answers: { status: refused('internal') },
        act: press('openapi:try.send'),
        shows: (page) => page.getByText('HTTP 500'),
      },
    ],
  },
  {
    id: 'components',
    path: 'routers-components',
    needs: ['status', 'queryComponents'],
    answers: { queryComponents: data(operations.components) },
    states: [
      { name: 'filled', shows: 'components:parts.disable' },
      asking('switch off', 'components:parts.confirm', press('components:parts.disable')),
      {
        name: 'switched off',
        answers: { updateComponent: data(null) },
        act: steps(press('components:parts.disable'), confirm),
        shows: 'components:parts.disabled',
      },
      {
        name: 'own media server',
        answers: { queryComponents: data(operations.ownServer) },
        act: choose('components:server.change.srs'),
        shows: 'components:server.after.srs',
      },
      {
        name: 'two media servers',
        answers: { queryComponents: data(operations.twoServers), querySrsConfigs: data(operations.srsConfigs) },
        act: (page, text) => page.locator('summary', { hasText: text('components:server.config.title') }).click(),
        shows: (page) => page.getByText('srs.conf').first(),
      },
      { name: 'slow', answers: { queryComponents: 'pending' }, shows: 'common:controlPlane.slow' },
    ],
  },
  {
    id: 'contact',
    path: 'routers-contact',
    states: [
      { name: 'filled', shows: 'contact:title' },
      { name: 'second slide', locale: 'zh', act: press('contact:next'), shows: 'contact:slide.community.text' },
    ],
  },
];
