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
    summary: 'Grants or denies the key SSH access; other keys of the file stay as they are.',
  },
  shown: {
    /** The authorized-keys file named by AUTHORIZED_KEYS_FILE; '' when unset, which disables this setting. */
    file: z.string(),
    /** OpenSSH public key; '' when none was set. */
    key: z.string(),
    /** SHA-256 fingerprint in the format of ssh-keygen. */
    fingerprint: z.string(),
    /** Whether the file contains the key. */
    granted: z.boolean(),
    /** Number of other keys in the file. */
    otherKeys: z.number().int(),
    /** Why the file cannot be used, in English; '' when it can. */
    problem: z.string(),
    /** `problem` as a message key, as in the failure envelope. */
    reason: wirePhrase.optional(),
  },
  sent: {
    /** Absent: the stored key. */
    key: z.string().max(maxPublicKeyLength).optional(),
    enable: z.boolean(),
  },
});
