import { z } from 'zod';
import { maxPublicKeyLength } from '../../limits.ts';
import { settingCalls } from '../../models/setting.ts';
import { wirePhrase } from '../../models/wire-phrase.ts';
import { paths } from '../../paths.ts';

export const { query: queryAdminKey, update: updateAdminKey } = settingCalls({
  tag: 'System',
  query: {
    ...paths.queryAdminKey,
    summary: 'Returns the SSH public key of the platform administrator, and whether it may log in.',
  },
  update: {
    ...paths.updateAdminKey,
    summary: 'Grants or denies the key SSH access; other keys in the authorized-keys file stay.',
  },
  shown: {
    /** Path of AUTHORIZED_KEYS_FILE; '' if unset, which disables this setting. */
    file: z.string(),
    /** OpenSSH public key; '' if unset. */
    key: z.string(),
    fingerprint: z.string(),
    granted: z.boolean(),
    otherKeys: z.number().int(),
    /** English error message if the file cannot be used, else ''. */
    problem: z.string(),
    /** Message key of `problem`, as in the failure envelope. */
    reason: wirePhrase.optional(),
  },
  sent: {
    /** If absent, the stored key is kept. */
    key: z.string().max(maxPublicKeyLength).optional(),
    enable: z.boolean(),
  },
});
