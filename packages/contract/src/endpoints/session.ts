import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxPasswordLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { session } from '../models/session.ts';

/** Without a password: is one set? With one: set it, once, and log in. */
export const init = defineEndpoint({
  path: '/terraform/v1/mgmt/init',
  tag: 'Session',
  summary: 'Tells whether an admin password is set, or sets the first one.',
  access: 'password',
  request: z.object({
    password: z.string().max(maxPasswordLength).optional(),
    /** Needed only when the operator started the server with SETUP_TOKEN. */
    setupToken: z.string().optional(),
  }),
  response: z.union([session, z.object({ init: z.boolean(), setupTokenRequired: z.boolean() })]),
});

export const login = defineEndpoint({
  path: '/terraform/v1/mgmt/login',
  tag: 'Session',
  summary: 'Exchanges the admin password for a session token.',
  access: 'password',
  request: z.object({ password: z.string().max(maxPasswordLength).optional() }),
  response: session,
});

/** Ours: the console itself forgets the tokens; what scripts cannot reach goes with the answer. */
export const logOut = defineEndpoint({
  path: '/terraform/v1/mgmt/logout',
  tag: 'Session',
  summary: 'Makes the browser forget the cookie that stands for the session where older consoles send none.',
  access: 'credential',
  request: emptyRequest,
  response: nullData,
});

export const renewToken = defineEndpoint({
  path: '/terraform/v1/mgmt/token',
  tag: 'Session',
  summary: 'Verifies the credential and returns a fresh token.',
  access: 'credential',
  request: emptyRequest,
  response: session,
});

export const querySecret = defineEndpoint({
  path: '/terraform/v1/mgmt/secret/query',
  tag: 'Session',
  summary: 'The API secret for `Authorization: Bearer`.',
  access: 'credential',
  request: emptyRequest,
  response: z.string(),
});

/**
 * Ours: the admin password is kept in `config/.env`; every session of before ends. `rotateSecret` also replaces the API
 * secret, which whoever was logged in could read.
 */
export const changePassword = defineEndpoint({
  path: '/terraform/v1/mgmt/password/update',
  tag: 'Session',
  summary: 'Changes the admin password, ends every session and returns a new one.',
  access: 'credential',
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
  path: '/terraform/v1/mgmt/token/revoke',
  tag: 'Session',
  summary: 'Ends every session and returns a new one for the caller; optionally with a new API secret.',
  access: 'credential',
  request: z.object({ token: z.string().optional(), rotateSecret: z.boolean().default(false) }),
  response: session,
});
