import type * as calls from '@srs-stack/contract/endpoints/first-steps.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function firstStepsRoutes(firstSteps: Modules['firstSteps']): HandlersOf<typeof calls> {
  return {
    queryFirstSteps: () => firstSteps.current(),
  };
}
