import type { Session } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/session.ts';
import type { Access } from '../access/open-access.ts';
import type { Call, HandlersOf } from './handlers.ts';

export function sessionRoutes({ login, sessions, apiSecret }: Access): HandlersOf<typeof calls> {
  /** Sets both cookies. The device cookie ensures that a flood of password guesses cannot block the next login of this browser. */
  const remembered = async (call: Call, session: Promise<Session>) => {
    const made = await session;
    call.keepDeviceCookie(sessions.issueDevice());
    call.keepPageCookie(sessions.issuePage());
    return made;
  };
  return {
    init: ({ password = '', setupToken = '' }, call) =>
      password === '' ? login.state() : remembered(call, login.setUp({ password, setupToken, actor: call.actor })),
    login: ({ password = '' }, call) => remembered(call, login.logIn({ password, actor: call.actor })),
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
      remembered(call, login.changePassword({ current, password, rotateSecret, actor: call.actor })),
    async signOutEverywhere({ rotateSecret }, call) {
      const made = await login.signOutEverywhere({ rotateSecret, actor: call.actor });
      if (call.isOwnPage) call.keepPageCookie(sessions.issuePage());
      return made;
    },
  };
}
