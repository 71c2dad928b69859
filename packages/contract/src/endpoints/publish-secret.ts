import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxPublishSecretLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../models/settings-revision.ts';
import { paths } from '../paths.ts';

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
  summary: 'Replaces the publish secret at once; running publishers stay.',
  request: z.object({
    token: z.string().optional(),
    secret: z.string().min(1).max(maxPublishSecretLength),
    revision: expectedRevision,
  }),
  response: nullData,
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
