import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxNameLength, maxPasswordLength, maxWatchLinkSeconds, maxWatchRules } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';
import { watchModes } from '../../values/watching.ts';

const token = z.string().optional();
const pattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern is like live/livestream, live/* or *');
const mode = z.enum(watchModes);
const streamNames = { app: z.string().max(maxNameLength), stream: z.string().max(maxNameLength) };
/** Longest text of an IPv6 address, characters, with room for a zone. */
const maxAddressLength = 64;
/** Unix seconds: programs of operators sign them. */
const unixSeconds = z.number().int().nonnegative();

const shownRule = z.object({ pattern: z.string(), mode, hasPassword: z.boolean() });

export const queryWatching = defineEndpoint({
  ...paths.queryWatching,
  tag: 'Watching',
  summary: 'Who may watch what: rules by stream pattern, and the keys that links are signed with.',
  request: emptyRequest,
  response: z.object({
    /** The most specific first, as they apply. */
    rules: z.array(shownRule),
    /** `last4`: the end of the secret, which is shown only when the key is made. */
    keys: z.array(z.object({ id: z.string(), last4: z.string(), createdAt: z.string() })),
    /** A session whose right has ended is ended after this many seconds at most. */
    renewalSeconds: z.number().int(),
    /** Whether players report how streams play (docs/viewers.md). */
    viewerReports: z.boolean(),
    revision: settingsRevision,
  }),
});

export const updateWatchRules = defineEndpoint({
  ...paths.updateWatchRules,
  tag: 'Watching',
  summary: 'Replaces all rules. Viewers without the right are turned away and those in progress are ended.',
  request: z.object({
    token,
    rules: z
      .array(z.object({ pattern, mode, password: z.string().max(maxPasswordLength).optional() }))
      .max(maxWatchRules),
    revision: expectedRevision,
  }),
  response: nullData,
});

export const updateViewerReports = defineEndpoint({
  ...paths.updateViewerReports,
  tag: 'Watching',
  summary: 'Has players report how streams play, or not. Nothing in the reports says who watches.',
  request: z.object({ token, enabled: z.boolean() }),
  response: nullData,
});

export const createWatchKey = defineEndpoint({
  ...paths.createWatchKey,
  tag: 'Watching',
  summary: 'Makes a key to sign links with; two may exist, so that one can follow the other.',
  request: z.object({ token }),
  response: z.object({ id: z.string(), secret: z.string() }),
});

export const revokeWatchKey = defineEndpoint({
  ...paths.revokeWatchKey,
  tag: 'Watching',
  summary: 'Forgets a key: its links open nothing any more, and who watches by them is ended.',
  request: z.object({ token, id: z.string().max(maxNameLength) }),
  response: nullData,
});

export const createWatchLink = defineEndpoint({
  ...paths.createWatchLink,
  tag: 'Watching',
  summary: 'Signs a link: the query that opens the addresses of a stream, or of all that a pattern stands for.',
  request: z.object({
    token,
    pattern,
    /** From now, or from `startsAt`. */
    seconds: z.number().int().positive().max(maxWatchLinkSeconds),
    startsAt: unixSeconds.optional(),
    address: z.string().max(maxAddressLength).optional(),
  }),
  response: z.object({
    /** `watch=…`, to be put behind any address of the stream. */
    query: z.string(),
    /** Unix seconds. */
    expiresAt: unixSeconds,
    keyId: z.string(),
  }),
});

export const createConsoleLink = defineEndpoint({
  ...paths.createConsoleLink,
  tag: 'Watching',
  summary: 'The query by which who is logged in watches one stream for some hours; empty when the stream is open.',
  request: z.object({ token, ...streamNames }),
  response: z.object({ query: z.string(), expiresAt: unixSeconds }),
});

export const queryWatchAccess = defineEndpoint({
  ...paths.queryWatchAccess,
  tag: 'Watching',
  summary: 'What a viewer needs for a stream: nothing, a link, a password, or the word of a service.',
  request: z.object(streamNames),
  response: z.object({ mode }),
});

export const unlockStream = defineEndpoint({
  ...paths.unlockStream,
  tag: 'Watching',
  summary: 'Exchanges the password of a stream for the query that opens its addresses for some hours.',
  request: z.object({ ...streamNames, password: z.string().max(maxPasswordLength) }),
  response: z.object({ query: z.string(), expiresAt: unixSeconds }),
});
