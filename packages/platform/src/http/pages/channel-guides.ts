// The program guide of a channel as XMLTV and JSON, for everyone who can watch the stream.
import { AppError, channelGuidePrefix, defaultApp, verbatim } from '@srs-stack/contract';
import type { Channel, ProgrammeSlot } from '@srs-stack/contract/models/channel.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { writeGuideJson, writeXmltv } from '../../tasks/channels/programme-guide.ts';
import { clientAddress } from '../wire/client-address.ts';

/** `max-age` of a guide, seconds. Guides change rarely, and a device may request a guide every minute. */
const maxAgeSeconds = 60;

export interface ChannelGuidesOptions {
  readonly channels: {
    guide(stream: string): Guide | undefined;
  };
  /** Throws if the viewer is refused. */
  readonly admit: (viewer: { app: string; stream: string; ip: string; param: string }) => Promise<unknown>;
}

interface Guide {
  readonly channel: Channel;
  readonly slots: readonly ProgrammeSlot[];
}

interface Texts {
  readonly title: string;
  xml?: string;
  json?: string;
}

/** Generated texts of each guide. Cached, because anyone may request a guide, and a guide of two days has hundreds of kilobytes. */
const written = new WeakMap<Guide['slots'], Texts>();

const namePattern = /^([^/]+)\.(xml|json)$/;

export function registerChannelGuides(app: FastifyInstance, { channels, admit }: ChannelGuidesOptions): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${channelGuidePrefix}*`,
    config: { access: 'none' },
    handler: async (request, reply) => {
      const [, stream = '', format] = namePattern.exec((request.params as { '*': string })['*']) ?? [];
      if (stream !== '') await admit({ app: defaultApp, stream, ip: clientAddress(request), param: queryOf(request) });
      const guide = stream === '' ? undefined : channels.guide(stream);
      if (!guide) throw new AppError('notFound', verbatim('there is no such channel'));
      const isXml = format === 'xml';
      return reply
        .header('content-type', isXml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8')
        .header('cache-control', `private, max-age=${maxAgeSeconds}`)
        .send(isXml ? xmlOf(guide) : jsonOf(guide));
    },
  });
}

function textsOf({ channel: { title }, slots }: Guide): Texts {
  const known = written.get(slots);
  if (known?.title === title) return known;
  const texts: Texts = { title };
  written.set(slots, texts);
  return texts;
}

function xmlOf(guide: Guide): string {
  const texts = textsOf(guide);
  texts.xml ??= writeXmltv(guide.channel, guide.slots);
  return texts.xml;
}

function jsonOf(guide: Guide): string {
  const texts = textsOf(guide);
  texts.json ??= writeGuideJson(guide.channel, guide.slots);
  return texts.json;
}

function queryOf({ raw }: FastifyRequest): string {
  const [, ...rest] = (raw.url ?? '').split('?');
  return rest.join('?');
}
