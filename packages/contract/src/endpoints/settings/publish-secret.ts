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
  summary: 'The secret every encoder must send to publish.',
  request: emptyRequest,
  response: z.object({ publish: z.string(), pubNoAuth: z.boolean(), revision: settingsRevision }),
});

export const updatePublishSecret = defineEndpoint({
  ...paths.updatePublishSecret,
  tag: 'Publish secret',
  summary:
    'Replaces the publish secret at once; running publishers stay. Answers who used the old one; null when nobody did.',
  request: z.object({
    token: z.string().optional(),
    secret: z.string().min(1).max(maxPublishSecretLength),
    revision: expectedRevision,
  }),
  response: z.union([nullData, secretUses]),
});

/** Ours: to be asked before the secret is replaced. */
export const queryPublishSecretUses = defineEndpoint({
  ...paths.queryPublishSecretUses,
  tag: 'Publish secret',
  summary: 'Who uses the publish secret: targets that would follow a new one, and others that would need it by hand.',
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
