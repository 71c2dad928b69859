import type { Services } from '../services/services.ts';
import type { Handlers } from './handlers.ts';

type Names = 'init' | 'login' | 'renewToken' | 'querySecret' | 'changePassword' | 'signOutEverywhere' | 'queryAudit';

export function sessionRoutes({ login, sessions, apiSecret, audit }: Services): Pick<Handlers, Names> {
  return {
    init: ({ password = '', setupToken = '' }, { ip }) =>
      password === '' ? login.state() : login.setUp({ password, setupToken, ip }),
    login: ({ password = '' }, { ip }) => login.logIn({ password, ip }),
    renewToken: () => sessions.issue(),
    querySecret: () => apiSecret.current(),
    changePassword: ({ current, password }, { ip }) => login.changePassword({ current, password, ip }),
    signOutEverywhere: ({ rotateSecret }, { ip }) => login.signOutEverywhere({ rotateSecret, ip }),
    queryAudit: async ({ limit }) => ({ entries: await audit.newest(limit) }),
  };
}
