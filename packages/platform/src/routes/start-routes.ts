import type { Services } from '../services.ts';
import type { Handlers } from './handlers.ts';

type Names = 'queryFirstSteps' | 'bilibili' | 'queryDemoStream' | 'startDemoStream' | 'stopDemoStream';

export function startRoutes({ firstSteps, tutorialVideos, demoStreams }: Services): Pick<Handlers, Names> {
  return {
    queryFirstSteps: () => firstSteps.current(),
    bilibili: ({ bvid }) => tutorialVideos.facts(bvid),
    queryDemoStream: () => demoStreams.view(),
    startDemoStream: (_, { ip }) => demoStreams.start(ip),
    stopDemoStream: (_, { ip }) => demoStreams.stop(ip),
  };
}
