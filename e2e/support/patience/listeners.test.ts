// Compares the list of attacked listeners with the configuration, so that no new listener is forgotten.
import { boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { expect, test } from 'vitest';
import { readEnv } from '../../../packages/gateway/src/env.ts';
import { testClusterSecret } from '../../../packages/platform/src/testing/redis-server.ts';
import { listeners, unattacked } from './listeners.ts';

test('every listener that the gateway reads from its environment is attacked or has a reason not to be', () => {
  const variables = { CLUSTER_URL: 'redis://127.0.0.1', CLUSTER_SECRET: testClusterSecret };
  const read = new Set<string>();
  readEnv(
    new Proxy<Record<string, string | undefined>>(variables, {
      get: (target, name: string) => {
        if (name.endsWith('_LISTEN')) read.add(name);
        return target[name];
      },
    }),
  );
  const known = [...listeners.map(({ variable }) => variable), ...Object.keys(unattacked)];
  expect([...read].sort()).toEqual(known.sort());
});

test('every port of run/ports.json belongs to one of them', () => {
  const bound = listeners.flatMap((listener) => listener.bound ?? []);
  expect(['pid', ...bound].sort()).toEqual(Object.keys(boundPorts.shape).sort());
});

test('each has at least one row', () => {
  for (const { variable, rows } of listeners) expect([variable, rows.length > 0]).toEqual([variable, true]);
});
