import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { link, looks, noLooks, noStreamKeys, open, ruled, streamKeys } from '../samples/watching.ts';
import { asking, fill, press, steps } from '../steps.ts';

export const watchingPages: readonly GalleryPage[] = [
  {
    id: 'watch-page',
    path: 'routers-settings?tab=page',
    needs: ['queryWatchPages'],
    answers: { queryWatchPages: data(looks) },
    states: [
      { name: 'filled', shows: 'watch-page:embed.link' },
      { name: 'nothing set', answers: { queryWatchPages: data(noLooks) }, shows: 'watch-page:pictureChoose' },
      { name: 'another stream', act: press('watch-page:add'), shows: 'watch-page:addThis' },
      {
        name: 'no pattern',
        act: steps(press('watch-page:add'), press('watch-page:addThis')),
        shows: 'watch-page:patternWrong',
      },
      {
        name: 'saved by somebody else',
        answers: { updateWatchPages: refused('settingsChanged') },
        act: steps(fill('watch-page:name', 'City TV'), press('common:save')),
        shows: 'settings-form:changed.title',
      },
    ],
  },
  {
    id: 'watching',
    path: 'routers-settings?tab=watch',
    needs: ['queryWatching'],
    answers: { queryWatching: data(ruled) },
    states: [
      { name: 'filled', shows: 'watching:keys.full' },
      { name: 'open to all', answers: { queryWatching: data(open) }, shows: 'watching:rules.none' },
      { name: 'a rule more', act: press('watching:rules.add'), shows: 'settings-form:discard' },
      {
        name: 'a rule without a pattern',
        act: steps(press('watching:rules.add'), press('common:save')),
        shows: 'watching:patternWrong',
      },
      {
        name: 'saved by somebody else',
        answers: { updateWatchRules: refused('settingsChanged') },
        act: steps(
          fill('watching:rules.pattern', 'live/all-hands'),
          fill('watching:rules.password', 'let me in'),
          press('common:save'),
        ),
        shows: 'settings-form:changed.title',
      },
      {
        name: 'a link',
        answers: { createWatchLink: data(link) },
        act: press('watching:link.make'),
        shows: 'watching:link.queryHint',
      },
      asking('revoke a key', 'watching:keys.confirm', press('watching:keys.revoke')),
    ],
  },
  {
    id: 'stream-keys',
    path: 'routers-settings?tab=keys',
    needs: ['queryStreamKeys'],
    answers: { queryStreamKeys: data(streamKeys) },
    states: [
      { name: 'filled', shows: 'stream-keys:expired' },
      { name: 'none', answers: { queryStreamKeys: data(noStreamKeys) }, shows: 'stream-keys:none.title' },
      { name: 'no name', act: press('stream-keys:new.create'), shows: 'stream-keys:new.nameMissing' },
      asking('revoke', 'stream-keys:confirm', press('stream-keys:revoke')),
    ],
  },
];
