import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxPublishSecretLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../models/settings-revision.ts';

export const queryPublishSecret = defineEndpoint({
  path: '/terraform/v1/hooks/srs/secret/query',
  aliases: ['/terraform/v1/hooks/srs/secret'],
  tag: 'Publish secret',
  summary: 'The secret every encoder must send to publish.',
  access: 'credential',
  request: emptyRequest,
  response: z.object({ publish: z.string(), pubNoAuth: z.boolean(), revision: settingsRevision }),
});

export const updatePublishSecret = defineEndpoint({
  path: '/terraform/v1/hooks/srs/secret/update',
  tag: 'Publish secret',
  summary: 'Replaces the publish secret at once; running publishers stay.',
  access: 'credential',
  request: z.object({
    token: z.string().optional(),
    secret: z.string().min(1).max(maxPublishSecretLength),
    revision: expectedRevision,
  }),
  response: nullData,
});

export const disablePublishSecret = defineEndpoint({
  path: '/terraform/v1/hooks/srs/secret/disable',
  tag: 'Publish secret',
  summary: 'Switches publish authentication off (`pubNoAuth: true`) or on again.',
  access: 'credential',
  request: z.object({
    token: z.string().optional(),
    pubNoAuth: z.boolean().default(false),
    revision: expectedRevision,
  }),
  response: nullData,
});
