import type * as calls from '@srs-stack/contract/endpoints/first-steps.ts';
import type { Rooms } from '../rooms.ts';
import type { HandlersOf } from './handlers.ts';

export function firstStepsRoutes(firstSteps: Rooms['firstSteps']): HandlersOf<typeof calls> {
  return {
    queryFirstSteps: () => firstSteps.current(),
  };
}
