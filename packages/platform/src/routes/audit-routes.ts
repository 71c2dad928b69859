import type * as calls from '@srs-stack/contract/endpoints/audit.ts';
import type { Rooms } from '../rooms.ts';
import type { HandlersOf } from './handlers.ts';

export function auditRoutes(audit: Rooms['audit']): HandlersOf<typeof calls> {
  return {
    queryAudit: async ({ limit }) => ({ entries: await audit.newest(limit) }),
  };
}
