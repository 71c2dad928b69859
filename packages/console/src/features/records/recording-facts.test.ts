import { expect, test } from 'vitest';
import { formatMegabytes, formatSeconds } from '../../shared/recording/recording-formats.ts';
import { formatClock, linksOf, moveCommands, withAttempt } from './recording-facts.ts';

test('sizes in MB and durations in seconds have one decimal', () => {
  expect([0, 1024 * 1024, 23_437_000_000].map(formatMegabytes)).toEqual(['0.0 MB', '1.0 MB', '22351.3 MB']);
  expect([0, 0.04, 61.46].map(formatSeconds)).toEqual(['0.0 s', '0.0 s', '61.5 s']);
  expect([0, 59.6, 3661, 360_000].map(formatClock)).toEqual(['00:00:00', '00:01:00', '01:01:01', '100:00:00']);
});

const here = { place: 'server', object: '' } as const;

test('a recording plays as HLS until its MP4 exists', () => {
  const uuid = 'a-b';
  expect(linksOf({ ...here, uuid, state: 'recording' }, '/srv/data/record')).toMatchObject({
    mp4: undefined,
    download: undefined,
    location: '/srv/data/record/a-b/',
    preview: '/tools/player.html?url=%2Fterraform%2Fv1%2Fhooks%2Frecord%2Fhls%2Fa-b.m3u8',
  });
  const { mp4, preview, location } = linksOf({ ...here, uuid, state: 'done' }, '/srv/data/record');
  expect([mp4, preview === mp4, location]).toEqual([
    '/terraform/v1/hooks/record/hls/a-b/index.mp4',
    true,
    '/srv/data/record/a-b/index.mp4',
  ]);
});

test('another attempt keeps the permission of a protected recording', () => {
  const { playlist } = linksOf({ ...here, uuid: 'a-b', state: 'recording', watchQuery: 'watch=R.1.5f' });
  expect(withAttempt(playlist, 2)).toBe('/terraform/v1/hooks/record/hls/a-b.m3u8?watch=R.1.5f&attempt=2');
  expect(withAttempt('/x.m3u8', 0)).toBe('/x.m3u8?attempt=0');
});

test('a recording that is only in the bucket is played through this server; downloads follow the delivery setting', () => {
  const row = { uuid: 'a-b', state: 'done', place: 'bucket', object: 's3://films/live/a-b.mp4' } as const;
  expect(linksOf(row, '/srv/data/record')).toMatchObject({
    played: '/terraform/v1/hooks/record/hls/a-b/index.mp4?via=server',
    download: '/terraform/v1/hooks/record/hls/a-b/index.mp4?download=1',
    location: 's3://films/live/a-b.mp4',
  });
});

test('the commands that move the recordings quote whole paths as one word', () => {
  expect(moveCommands('/srv/data/record')).toBe(
    'mv /srv/data/record /mnt/big-disk/record\nln -s /mnt/big-disk/record /srv/data/record',
  );
  expect(moveCommands("/srv/it's mine/record")).toContain("mv '/srv/it'\\''s mine/record' /mnt");
});
