import { storageKeys } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { readSession } from '../../api/stored-session.ts';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renewOldBearer } from './renew-old-bearer.ts';

const store = (session: object) => localStorage.setItem(storageKeys.token, JSON.stringify(session));

test('the API secret that an earlier release stored is replaced by the bearer of a session', async () => {
  const server = startFakeServer();
  store({ ...testSession, token: 'old', bearer: 'srs-v2-0123456789abcdef' });
  await renewOldBearer();
  expect(server.callsOf('renewToken')[0]!.body).toEqual({ token: 'old' });
  expect(readSession()).toEqual(testSession);
  await renewOldBearer();
  expect(server.callsOf('renewToken')).toHaveLength(1);
});

test('a session that ended meanwhile stays ended', async () => {
  startFakeServer({
    renewToken: () => {
      localStorage.clear();
      return testSession;
    },
  });
  store({ ...testSession, bearer: 'srs-v2-0123456789abcdef' });
  await renewOldBearer();
  expect(readSession()).toBeUndefined();
});
