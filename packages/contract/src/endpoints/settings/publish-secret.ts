import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxPublishSecretLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { secretUses } from '../../models/secret-use.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';

export const queryPublishSecret = defineEndpoint({
  ...paths.queryPublishSecret,
  tag: 'Publish secret',
  summary: 'Returns the secret that every encoder must send to publish.',
  request: emptyRequest,
  response: z.object({ publish: z.string(), pubNoAuth: z.boolean(), revision: settingsRevision }),
});

export const updatePublishSecret = defineEndpoint({
  ...paths.updatePublishSecret,
  tag: 'Publish secret',
  summary:
    'Replaces the publish secret immediately; running publishers stay. Returns where the old secret was in use, or null if nowhere.',
  request: z.object({
    token: z.string().optional(),
    secret: z.string().min(1).max(maxPublishSecretLength),
    revision: expectedRevision,
  }),
  response: z.union([nullData, secretUses]),
});

export const queryPublishSecretUses = defineEndpoint({
  ...paths.queryPublishSecretUses,
  tag: 'Publish secret',
  summary:
    'Lists the uses of the publish secret: targets that are updated automatically, and those to update manually.',
  request: emptyRequest,
  response: secretUses,
});

export const disablePublishSecret = defineEndpoint({
  ...paths.disablePublishSecret,
  tag: 'Publish secret',
  summary: 'Switches publish authentication off (`pubNoAuth: true`) or on again.',
  request: z.object({
    token: z.string().optional(),
    pubNoAuth: z.boolean().default(false),
    revision: expectedRevision,
  }),
  response: nullData,
});
