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
  .refine(isValidStreamPattern, 'a pattern must have the form live/livestream, live/* or *');
const mode = z.enum(watchModes);
const streamNames = { app: z.string().max(maxNameLength), stream: z.string().max(maxNameLength) };
/** Maximum length of an IPv6 address with zone, characters. */
const maxAddressLength = 64;
/** Unix seconds, which scripts can easily sign. */
const unixSeconds = z.number().int().nonnegative();

const shownRule = z.object({ pattern: z.string(), mode, hasPassword: z.boolean() });

export const queryWatching = defineEndpoint({
  ...paths.queryWatching,
  tag: 'Playback access',
  summary: 'Returns the access rules by stream pattern, and the keys that sign links.',
  request: emptyRequest,
  response: z.object({
    /** Rules, most specific first. The first rule that matches a stream applies. */
    rules: z.array(shownRule),
    /** `last4`: last characters of the secret, which is returned only when the key is created. */
    keys: z.array(z.object({ id: z.string(), last4: z.string(), createdAt: z.string() })),
    /** Maximum time until a viewer is disconnected after its authorization has ended, seconds. */
    renewalSeconds: z.number().int(),
    /** Whether players send playback reports (docs/reference/playback-reports.md). */
    viewerReports: z.boolean(),
    revision: settingsRevision,
  }),
});

export const updateWatchRules = defineEndpoint({
  ...paths.updateWatchRules,
  tag: 'Playback access',
  summary: 'Replaces all access rules. Unauthorized viewers are refused, and those already watching are disconnected.',
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
  tag: 'Playback access',
  summary: 'Switches playback reports of players on or off. The reports identify no viewer.',
  request: z.object({ token, enabled: z.boolean() }),
  response: nullData,
});

export const createWatchKey = defineEndpoint({
  ...paths.createWatchKey,
  tag: 'Playback access',
  summary: 'Creates a key to sign links; two may exist, to allow rotation.',
  request: z.object({ token }),
  response: z.object({ id: z.string(), secret: z.string() }),
});

export const revokeWatchKey = defineEndpoint({
  ...paths.revokeWatchKey,
  tag: 'Playback access',
  summary: 'Revokes a key: its links stop working, and viewers who use them are disconnected.',
  request: z.object({ token, id: z.string().max(maxNameLength) }),
  response: nullData,
});

export const createWatchLink = defineEndpoint({
  ...paths.createWatchLink,
  tag: 'Playback access',
  summary: 'Signs a link: returns the query that authorizes playback of a stream, or of all streams of a pattern.',
  request: z.object({
    token,
    pattern,
    /** Validity of the link, starting now or at `startsAt`. */
    seconds: z.number().int().positive().max(maxWatchLinkSeconds),
    startsAt: unixSeconds.optional(),
    address: z.string().max(maxAddressLength).optional(),
  }),
  response: z.object({
    /** `watch=…`, for every address of the stream. */
    query: z.string(),
    /** Unix seconds. */
    expiresAt: unixSeconds,
    keyId: z.string(),
  }),
});

export const createConsoleLink = defineEndpoint({
  ...paths.createConsoleLink,
  tag: 'Playback access',
  summary:
    'Returns a query that authorizes the logged-in operator to watch one stream for some hours; empty for an open stream.',
  request: z.object({ token, ...streamNames }),
  response: z.object({ query: z.string(), expiresAt: unixSeconds }),
});

export const queryWatchAccess = defineEndpoint({
  ...paths.queryWatchAccess,
  tag: 'Playback access',
  summary: 'Returns what a viewer needs for a stream: nothing, a signed link, a password, or approval by a service.',
  request: z.object(streamNames),
  response: z.object({ mode }),
});

export const unlockStream = defineEndpoint({
  ...paths.unlockStream,
  tag: 'Playback access',
  summary: 'Exchanges the password of a stream for a query that authorizes playback for some hours.',
  request: z.object({ ...streamNames, password: z.string().max(maxPasswordLength) }),
  response: z.object({ query: z.string(), expiresAt: unixSeconds }),
});
