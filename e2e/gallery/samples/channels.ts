import type { Channel, ChannelItem, ChannelState, ProgrammeSlot } from '@srs-stack/contract/models/channel.ts';

const item = (id: string, kind: ChannelItem['kind'], name: string, source = `vlive/${id}.mp4`, minutes = 0) => ({
  ...{ id, kind, name, source, minutes },
});
const films = [item('f1', 'file', 'Big Buck Bunny.mp4'), item('f2', 'recording', 'talk 2026-03-07 20:00:00', 'r-1')];
const pause = item('p', 'break', '', '', 5);
const folder = item('d', 'folder', '', '/data/films/documentaries');
const news = item('n', 'file', 'Evening news with a rather long title that needs more than one line.mp4');

const channel = (id: string, change: Partial<Channel>): Channel => ({
  ...{ id, title: id, stream: id, zone: 'Europe/Berlin', enabled: true, height: 720, fps: 25, kbps: 3_000 },
  ...{ playlist: [...films, pause, folder], weekly: [] },
  ...change,
});

const evening = channel('evening', {
  title: 'Evening',
  weekly: [
    { days: [1, 2, 3, 4, 5], at: '20:00', minutes: 15, item: news },
    { days: [6, 7], at: '21:30', minutes: 0, item: films[0]! },
  ],
});

const slot = (title: string, cause: ProgrammeSlot['cause'], startsAt: string, endsAt: string): ProgrammeSlot => ({
  ...{ item: title, title, cause, startsAt, endsAt },
});
export const slots = [
  slot('Big Buck Bunny', 'playlist', '2026-03-08T12:00:00Z', '2026-03-08T12:30:00Z'),
  slot('', 'playlist', '2026-03-08T12:30:00Z', '2026-03-08T12:35:00Z'),
  slot('Evening news', 'weekly', '2026-03-08T19:00:00Z', '2026-03-08T19:15:00Z'),
];

const nothing = { ready: 0, total: 0, current: '', done: 0 };

const here = { server: '', startsWith: '', live: null };

export const channels: ChannelState[] = [
  {
    ...{ channel: evening, state: 'on-air', reason: '', now: slots[0]!, next: slots[1]!, ...here },
    live: { stream: 'live/studio', cause: 'takeover', isOnAir: true },
    ...{ preparation: { ready: 3, total: 5, current: 'Evening news', done: 0.42 }, problems: [] },
  },
  {
    channel: channel('films', { title: 'Films' }),
    ...here,
    ...{ state: 'waiting', reason: 'replaced', now: slots[0]!, next: slots[2]! },
    preparation: { ready: 2, total: 2, current: '', done: 0 },
    problems: [
      { title: 'talk 2026-03-07 20:00:00', reason: 'missing', detail: '' },
      { title: 'damaged.mp4', reason: 'failed', detail: 'moov atom not found' },
    ],
  },
  {
    channel: channel('new', { title: 'New' }),
    ...{ state: 'on-air', reason: '', now: slots[0]!, next: slots[1]!, ...here, startsWith: 'Big Buck Bunny' },
    live: { stream: 'live/studio', cause: 'item', isOnAir: false },
    ...{ preparation: { ready: 0, total: 2, current: 'Big Buck Bunny', done: 0.1 }, problems: [] },
  },
  {
    channel: channel('away', { title: 'Berlin' }),
    ...{ state: 'unreachable', reason: '', now: null, next: null, preparation: nothing, problems: [], ...here },
    server: 'berlin-1',
  },
  {
    channel: channel('off', { title: 'Weekend', enabled: false }),
    ...here,
    ...{ state: 'off', reason: '', now: null, next: null, preparation: nothing, problems: [] },
  },
];

export const asRun = [
  { at: '2026-03-08T12:00:00.120Z', kind: 'started' as const, item: 'f1', title: 'Big Buck Bunny', detail: '' },
  { at: '2026-03-08T11:59:59.980Z', kind: 'failed' as const, item: 'x', title: 'damaged', detail: 'ENOENT' },
  { at: '2026-03-08T11:30:00.040Z', kind: 'started' as const, item: '', title: '', detail: '' },
];
