import type { Rooms } from '../rooms.ts';
import type { Handlers } from './handlers.ts';

type Names = 'queryFirstSteps' | 'bilibili' | 'queryDemoStream' | 'startDemoStream' | 'stopDemoStream';

export function startRoutes({
  firstSteps,
  settings,
  tasks,
}: Pick<Rooms, 'firstSteps' | 'settings' | 'tasks'>): Pick<Handlers, Names> {
  return {
    queryFirstSteps: () => firstSteps.current(),
    bilibili: ({ bvid }) => settings.tutorialVideos.facts(bvid),
    queryDemoStream: () => tasks.demoStreams.view(),
    startDemoStream: (_, { ip }) => tasks.demoStreams.start(ip),
    stopDemoStream: (_, { ip }) => tasks.demoStreams.stop(ip),
  };
}
