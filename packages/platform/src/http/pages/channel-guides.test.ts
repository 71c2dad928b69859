import type { Channel } from '@srs-stack/contract/models/channel.ts';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerChannelGuides } from './channel-guides.ts';

it('a program guide is written once for all requests, and again when it or its title changes', async () => {
  let titles = 0;
  const slot = () => ({
    ...{ item: 'a', cause: 'playlist' as const },
    ...{ startsAt: '2026-01-02T03:00:00Z', endsAt: '2026-01-02T04:00:00Z' },
    get title() {
      titles += 1;
      return 'Film';
    },
  });
  let guide = { channel: { stream: 'c', title: 'Channel' } as Channel, slots: [slot()] };
  const app = Fastify();
  registerChannelGuides(app, { channels: { guide: () => guide }, admit: async () => undefined });
  const ask = async (format: string) => (await app.inject(`/terraform/v1/live/channel/guide/c.${format}`)).body;
  const [xml, json] = [await ask('xml'), await ask('json')];
  expect([xml, json].map((text) => text.includes('Film'))).toEqual([true, true]);
  expect([await ask('xml'), await ask('json'), titles]).toEqual([xml, json, 2]);
  guide = { ...guide, channel: { ...guide.channel, title: 'Another' } };
  expect(await ask('xml')).toContain('Another');
  guide = { ...guide, slots: [] };
  expect(await ask('json')).not.toContain('Film');
  await app.close();
});
