import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxPasswordLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { session } from '../models/session.ts';
import { paths } from '../paths.ts';

/** Without a password: is one set? With one: set it, once, and log in. */
export const init = defineEndpoint({
  ...paths.init,
  tag: 'Session',
  summary: 'Tells whether an admin password is set, or sets the first one.',
  request: z.object({
    password: z.string().max(maxPasswordLength).optional(),
    /** Needed only when the operator started the server with SETUP_TOKEN. */
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

/** Ours: the console itself forgets the tokens; what scripts cannot reach goes with the answer. */
export const logOut = defineEndpoint({
  ...paths.logOut,
  tag: 'Session',
  summary: 'Makes the browser forget the cookie that stands for the session where older consoles send none.',
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
  summary: 'The API secret for `Authorization: Bearer`.',
  request: emptyRequest,
  response: z.string(),
});

/**
 * Ours: the admin password is kept in `config/.env`; every session of before ends. `rotateSecret` also replaces the API
 * secret, which whoever was logged in could read.
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

/** Ours: `rotateSecret` also replaces the API secret, which scripts use as the bearer. */
export const signOutEverywhere = defineEndpoint({
  ...paths.signOutEverywhere,
  tag: 'Session',
  summary: 'Ends every session and returns a new one for the caller; optionally with a new API secret.',
  request: z.object({ token: z.string().optional(), rotateSecret: z.boolean().default(false) }),
  response: session,
});
