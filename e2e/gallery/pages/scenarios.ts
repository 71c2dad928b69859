// The tabs of the scenario page, except the live stream.
import type { GalleryPage } from '../gallery-page.ts';
import { press } from '../steps.ts';
import { cameraPages } from './cameras.ts';
import { channelPages } from './channels.ts';
import { forwardPages } from './forwards.ts';
import { ladderPages } from './ladder.ts';
import { recordPages } from './records.ts';
import { transcodePages } from './transcode.ts';
import { vlivePages } from './vlives.ts';

export const scenarioPages: readonly GalleryPage[] = [
  ...forwardPages,
  ...recordPages,
  ...vlivePages,
  ...cameraPages,
  ...channelPages,
  ...transcodePages,
  ...ladderPages,
  {
    id: 'srt',
    source: 'features/srt-guide',
    path: 'routers-scenario?tab=others&ctab=other',
    needs: ['queryPublishSecret'],
    states: [
      { name: 'filled', shows: 'srt-guide:field.latencyHint' },
      { name: 'obs', act: press('srt-guide:obs.title'), shows: 'srt-guide:play.note' },
      {
        name: 'encoder',
        locale: 'zh',
        act: press('srt-guide:encoder.title'),
        shows: 'srt-guide:encoder.steps.network',
      },
    ],
  },
];
