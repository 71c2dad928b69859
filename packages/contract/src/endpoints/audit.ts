import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxAuditPage } from '../limits.ts';
import { paths } from '../paths.ts';

/** Actions in the audit trail. */
export const auditActions = [
  'password-set',
  'password-changed',
  'login',
  'login-failed',
  'sign-out-everywhere',
  'api-secret-changed',
  'setting-changed',
  'stream-kicked',
  'store-replaced',
  'upgrade-started',
  'upgraded',
  'upgrade-taken-back',
] as const;

export const auditEntry = z.object({
  /** RFC 3339. */
  at: z.string(),
  action: z.enum(auditActions),
  /** Address of the caller; '' for actions of the server itself. */
  ip: z.string(),
  /** English description without secrets. */
  detail: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const queryAudit = defineEndpoint({
  ...paths.queryAudit,
  tag: 'Session',
  summary: 'Lists logins, failed logins and changes, newest first.',
  request: z.object({
    token: z.string().optional(),
    limit: z.number().int().min(1).max(maxAuditPage).default(100),
  }),
  response: z.object({ entries: z.array(auditEntry) }),
});
