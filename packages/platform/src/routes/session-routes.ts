import type { Session } from '@srs-stack/contract';
import type { Rooms } from '../rooms.ts';
import type { Call, Handlers } from './handlers.ts';

type Names =
  | 'init'
  | 'login'
  | 'logOut'
  | 'renewToken'
  | 'querySecret'
  | 'changePassword'
  | 'signOutEverywhere'
  | 'queryAudit';

export function sessionRoutes({ access, audit }: Pick<Rooms, 'access' | 'audit'>): Pick<Handlers, Names> {
  const { login, sessions, apiSecret } = access;
  /** Who knew the password is known again next time, and then out of reach of a flood of guesses. */
  const remembered = async (call: Call, session: Promise<Session>) => {
    const made = await session;
    call.keepDeviceCookie(sessions.issueDevice());
    call.keepPageCookie(sessions.issuePage());
    return made;
  };
  return {
    init: ({ password = '', setupToken = '' }, call) =>
      password === '' ? login.state() : remembered(call, login.setUp({ password, setupToken, ...callerOf(call) })),
    login: ({ password = '' }, call) => remembered(call, login.logIn({ password, ...callerOf(call) })),
    logOut(_request, call) {
      call.forgetPageCookie();
      return null;
    },
    renewToken(_request, call) {
      if (call.isOwnPage) call.keepPageCookie(sessions.issuePage());
      return sessions.issue();
    },
    querySecret: () => apiSecret.current(),
    changePassword: ({ current, password, rotateSecret }, call) =>
      remembered(call, login.changePassword({ current, password, rotateSecret, ...callerOf(call) })),
    async signOutEverywhere({ rotateSecret }, call) {
      const made = await login.signOutEverywhere({ rotateSecret, ip: call.ip });
      if (call.isOwnPage) call.keepPageCookie(sessions.issuePage());
      return made;
    },
    queryAudit: async ({ limit }) => ({ entries: await audit.newest(limit) }),
  };
}

function callerOf({ ip, deviceCookie }: Call) {
  return { ip, deviceCookie };
}
