// Channels: items that can and cannot be played, and the form for a channel.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as samples from '../samples/channels.ts';
import { asking, fill, press, steps } from '../steps.ts';

const answers = {
  listChannels: data({ channels: samples.channels }),
  queryAsRun: data({ entries: samples.asRun }),
  queryProgramme: data({ slots: samples.slots }),
  queryRecordFiles: data([]),
  queryLibrary: data({ files: [], freeBytes: 5e10, maxFileBytes: 1e10 }),
};
const filled = answers;

export const channelPages: readonly GalleryPage[] = [
  {
    id: 'channels',
    path: 'routers-scenario?tab=channel',
    needs: ['listChannels'],
    answers,
    states: [
      { name: 'empty', answers: { listChannels: data({ channels: [] }) }, shows: 'channels:none.title' },
      { name: 'filled', answers: filled, shows: 'channels:busy' },
      { name: 'add', answers: filled, act: press('channels:add'), shows: 'channels:form.streamHint' },
      { name: 'edit', answers: filled, act: press('channels:edit'), shows: 'channels:form.change' },
      {
        name: 'incomplete',
        answers: filled,
        act: steps(press('channels:add'), press('channels:form.save')),
        shows: 'channels:form.missing',
      },
      {
        name: 'refused',
        answers: { ...filled, createChannel: refused('invalidRequest') },
        act: steps(press('channels:add'), fill('channels:form.stream', 'evening'), press('channels:form.save')),
        shows: 'errors:explained.invalidRequest.what',
      },
      {
        ...asking('give back', 'channels:takeover.giveBackText', press('channels:takeover.giveBack')),
        answers: filled,
      },
      { ...asking('remove', 'channels:remove.confirm', press('channels:remove.button')), answers: filled },
    ],
  },
];
