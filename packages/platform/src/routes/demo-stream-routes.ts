import type * as calls from '@srs-stack/contract/endpoints/demo-stream.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function demoStreamRoutes({ demoStreams }: Tasks): HandlersOf<typeof calls> {
  return {
    queryDemoStream: () => demoStreams.view(),
    startDemoStream: (_, { actor }) => demoStreams.start(actor),
    stopDemoStream: (_, { actor }) => demoStreams.stop(actor),
  };
}
