// Pages for viewers and publishers, and the console of the media server, beside the console.
import type { GalleryPage } from '../gallery-page.ts';

const flv = encodeURIComponent('https://live.example.com/live/livestream.flv');
const rtc = 'app=live&stream=livestream';

export const playerPages: readonly GalleryPage[] = [
  {
    id: 'simple-player',
    path: '/tools/player.html',
    states: [{ name: 'no address' }, { name: 'connecting', path: `/tools/player.html?url=${flv}` }],
  },
  {
    id: 'alternate-player',
    path: '/tools/xgplayer.html',
    states: [{ name: 'no address' }, { name: 'connecting', path: `/tools/xgplayer.html?url=${flv}` }],
  },
  { id: 'srs-player', path: '/players/srs_player.html', states: [{ name: 'filled' }] },
  {
    id: 'whep',
    path: '/players/whep.html',
    states: [{ name: 'filled' }, { name: 'connecting', path: `/players/whep.html?${rtc}&autostart=true` }],
  },
  { id: 'media-console-zh', path: '/console/ng_index.html', states: [{ name: 'empty' }] },
  { id: 'media-console-en', path: '/console/en_index.html', states: [{ name: 'empty' }] },
  { id: 'whip', path: '/players/whip.html', states: [{ name: 'filled', path: `/players/whip.html?${rtc}` }] },
  { id: 'rtc-player', path: '/players/rtc_player.html', states: [{ name: 'filled' }] },
  { id: 'rtc-publisher', path: '/players/rtc_publisher.html', states: [{ name: 'filled' }] },
];
