import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxLabelLength, maxNameLength, maxTimeTextLength } from '../../limits.ts';
import { emptyRequest } from '../../models/envelope.ts';
import { paths } from '../../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';

const token = z.string().optional();
/** RFC 3339. */
const time = z.string();

const streamKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Streams that the key may publish: `app/stream`, where `*` matches any characters. */
  pattern: z.string(),
  secret: z.string(),
  createdAt: time,
  /** Null for unlimited validity. */
  expiresAt: time.nullable(),
  lastUse: z.object({ at: time, app: z.string(), stream: z.string(), ip: z.string() }).nullable(),
});

export const queryStreamKeys = defineEndpoint({
  ...paths.queryStreamKeys,
  tag: 'Publish secret',
  summary: 'Lists the stream keys, newest first. A stream key lets one encoder or customer publish certain streams.',
  request: emptyRequest,
  response: z.object({ keys: z.array(streamKey) }),
});

export const createStreamKey = defineEndpoint({
  ...paths.createStreamKey,
  tag: 'Publish secret',
  summary: 'Creates a stream key; it is valid immediately, in addition to the publish secret.',
  request: z.object({
    token,
    name: z.string().trim().min(1).max(maxLabelLength),
    pattern: z
      .string()
      .max(maxStreamPatternLength)
      .refine(isValidStreamPattern, 'a pattern must have the form live/livestream, live/* or *'),
    expiresAt: z.iso.datetime({ offset: true }).max(maxTimeTextLength).nullable().default(null),
  }),
  response: streamKey,
});

export const revokeStreamKey = defineEndpoint({
  ...paths.revokeStreamKey,
  tag: 'Publish secret',
  summary: 'Revokes a stream key and disconnects its publishers.',
  request: z.object({ token, id: z.string().max(maxNameLength) }),
  response: z.object({ ended: z.number().int() }),
});
