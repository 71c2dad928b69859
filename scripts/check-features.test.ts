import { expect, test } from 'vitest';
import { type NameExceptions, type NamesFound, nameProblems } from './check-features.ts';

const found: NamesFound = {
  endpointFiles: ['forwards', 'settings/beian', 'session'],
  routeFiles: [
    { name: 'forwards', binds: ['forwards'] },
    { name: 'settings/beian', binds: ['settings/beian'] },
    { name: 'session', binds: ['session'] },
  ],
  folders: [
    'app',
    'app/shell',
    'features/forwards',
    'features/settings/beian',
    'features/login',
    'features/login/parts',
  ],
  calls: ['queryBeian', 'login'],
  madeCalls: new Set(['queryBeian', 'login']),
};
const exceptions: NameExceptions = {
  otherHomes: { session: { folder: 'features/login', because: 'one page' } },
  otherFeatures: { login: 'endpoint file session' },
  callsWithoutPage: {},
};

test('accepts equal names, and exceptions that are needed', () => {
  expect(nameProblems(found, exceptions)).toEqual([]);
});

test.each<[string, Partial<NamesFound>, Partial<NameExceptions>, string]>([
  [
    'an endpoint file without a feature',
    {
      endpointFiles: [...found.endpointFiles, 'records'],
      routeFiles: [...found.routeFiles, { name: 'records', binds: ['records'] }],
    },
    {},
    'there is no console feature with the name of the endpoint file records, and no exception for it',
  ],
  [
    'an exception with a folder that does not exist',
    {},
    { otherHomes: { session: { folder: 'features/logon', because: '' } } },
    'the exception for the endpoint file session names the folder features/logon, which does not exist',
  ],
  [
    'an endpoint file of the settings whose page is not a settings page',
    {},
    { otherHomes: { ...exceptions.otherHomes, 'settings/beian': { folder: 'app', because: '' } } },
    'either both or none of the endpoint file settings/beian and its folder app must belong to the settings',
  ],
  [
    'an exception for a file that does not exist',
    {},
    { otherHomes: { ...exceptions.otherHomes, hooks: { folder: 'app', because: '' } } },
    'an exception names the endpoint file hooks, which does not exist',
  ],
  [
    'a feature without an endpoint file of its name',
    { folders: [...found.folders, 'features/settings/auth'] },
    {},
    'there is no endpoint file with the name of the feature settings/auth, and no exception for it',
  ],
  [
    'an exception for a feature that does not exist',
    {},
    { otherFeatures: { ...exceptions.otherFeatures, contact: '' } },
    'an exception names the feature contact, which does not exist',
  ],
  [
    'a call that no page makes',
    { calls: [...found.calls, 'queryAudit'] },
    {},
    'no page makes the call queryAudit, and feature-names.ts gives no reason for it',
  ],
  [
    'a line for a call that has a page',
    {},
    { callsWithoutPage: { login: 'x' } },
    'the call login has a page; its line in feature-names.ts is out of date',
  ],
  [
    'a line for a call that does not exist',
    {},
    { callsWithoutPage: { vanished: 'x' } },
    'feature-names.ts names the call vanished, which is not in the contract',
  ],
  [
    'an endpoint file without a route file',
    { routeFiles: found.routeFiles.slice(1) },
    {},
    'there is no route file with the name of the endpoint file forwards',
  ],
  [
    'a route file of another name',
    { routeFiles: [...found.routeFiles, { name: 'operations', binds: [] }] },
    {},
    'there is no endpoint file with the name of the route file operations',
  ],
  [
    'a route file that binds the calls of another file',
    { routeFiles: [{ name: 'forwards', binds: ['forwards', 'settings/beian'] }, ...found.routeFiles.slice(1)] },
    {},
    'the route file forwards binds calls of another endpoint file: settings/beian',
  ],
])('reports %s', (_name, changed, changedExceptions, problem) => {
  expect(nameProblems({ ...found, ...changed }, { ...exceptions, ...changedExceptions })).toEqual([problem]);
});
