import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxPublicKeyLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { wirePhrase } from '../../models/wire-phrase.ts';
import { paths } from '../../paths.ts';

export const queryAdminKey = defineEndpoint({
  ...paths.queryAdminKey,
  tag: 'System',
  summary: 'The platform administrator’s SSH public key, and whether it may log in.',
  request: emptyRequest,
  response: z.object({
    /** The authorized-keys file that AUTHORIZED_KEYS_FILE names; '' while none is named and this is switched off. */
    file: z.string(),
    /** OpenSSH public key; '' while none was given. */
    key: z.string(),
    /** SHA-256 fingerprint as ssh-keygen shows it. */
    fingerprint: z.string(),
    /** True when the file holds the key. */
    granted: z.boolean(),
    /** Keys in the file that are not this one. */
    otherKeys: z.number().int(),
    /** Why the file cannot be used, in English; '' when it can. */
    problem: z.string(),
    /** The same by its key, as in the failure envelope. */
    reason: wirePhrase.optional(),
    revision: settingsRevision,
  }),
});

export const updateAdminKey = defineEndpoint({
  ...paths.updateAdminKey,
  tag: 'System',
  summary: 'Grants or denies the key SSH access; other keys of the file stay as they are.',
  request: z.object({
    token: z.string().optional(),
    /** Left out: the one given before. */
    key: z.string().max(maxPublicKeyLength).optional(),
    enable: z.boolean(),
    revision: expectedRevision,
  }),
  response: nullData,
});
