import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxPasswordLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { session } from '../models/session.ts';
import { paths } from '../paths.ts';

/** Without a password, returns whether a password is set. With a password, sets the initial admin password and logs in. */
export const init = defineEndpoint({
  ...paths.init,
  tag: 'Session',
  summary: 'Returns whether an admin password is set, or sets the first one.',
  request: z.object({
    password: z.string().max(maxPasswordLength).optional(),
    /** Required if the server was started with SETUP_TOKEN. */
    setupToken: z.string().optional(),
  }),
  response: z.union([session, z.object({ init: z.boolean(), setupTokenRequired: z.boolean() })]),
});

export const login = defineEndpoint({
  ...paths.login,
  tag: 'Session',
  summary: 'Exchanges the admin password for a session token.',
  request: z.object({ password: z.string().max(maxPasswordLength).optional() }),
  response: session,
});

/** Deletes only the cookie, which scripts cannot access. The console deletes its tokens itself. */
export const logOut = defineEndpoint({
  ...paths.logOut,
  tag: 'Session',
  summary: 'Deletes the session cookie, which older consoles use instead of a token.',
  request: emptyRequest,
  response: nullData,
});

export const renewToken = defineEndpoint({
  ...paths.renewToken,
  tag: 'Session',
  summary: 'Verifies the credential and returns a fresh token.',
  request: emptyRequest,
  response: session,
});

export const querySecret = defineEndpoint({
  ...paths.querySecret,
  tag: 'Session',
  summary: 'Returns the API secret for `Authorization: Bearer`.',
  request: emptyRequest,
  response: z.string(),
});

/**
 * Stores the admin password in `config/.env` and ends all earlier sessions. `rotateSecret` also replaces the API secret, because earlier
 * sessions could read it.
 */
export const changePassword = defineEndpoint({
  ...paths.changePassword,
  tag: 'Session',
  summary: 'Changes the admin password, ends every session and returns a new one.',
  request: z.object({
    token: z.string().optional(),
    current: z.string().max(maxPasswordLength),
    password: z.string().min(1).max(maxPasswordLength),
    rotateSecret: z.boolean().default(false),
  }),
  response: session,
});

/** `rotateSecret` also replaces the API secret, which scripts use as bearer. */
export const signOutEverywhere = defineEndpoint({
  ...paths.signOutEverywhere,
  tag: 'Session',
  summary: 'Ends every session and returns a new one for the caller; optionally with a new API secret.',
  request: z.object({ token: z.string().optional(), rotateSecret: z.boolean().default(false) }),
  response: session,
});
