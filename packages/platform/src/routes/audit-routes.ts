import type * as calls from '@srs-stack/contract/endpoints/audit.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function auditRoutes(audit: Modules['audit']): HandlersOf<typeof calls> {
  return {
    queryAudit: async ({ limit }) => ({ entries: await audit.newest(limit) }),
  };
}
