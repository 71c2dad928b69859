// What control planes of other nodes ask of this one: files of recordings that lie here, and that something is done with what does. A
// gateway of this node has let them in by their certificate; the path takes its secret, and what is not here is asked of nobody else.
import {
  type RecordOrder,
  recordOrder,
  type VliveSourceOrder,
  vliveSourceOrder,
} from '@srs-stack/contract/models/node-orders.ts';
import { nodeRecordOrders, nodeRecordPrefix, nodeVliveSource } from '@srs-stack/contract/node-calls.ts';
import type { FastifyInstance } from 'fastify';
import type { Vlives } from '../../tasks/vlives.ts';
import { sendSuccess } from '../wire/wire-format.ts';
import { type RecordLinksOptions, registerRecordLinks } from './record-links.ts';

export interface NodePagesOptions {
  readonly records: {
    link: RecordLinksOptions['records']['link'];
    obey(order: RecordOrder): Promise<void>;
  };
  readonly vlives: Pick<Vlives, 'setOwnSource'>;
  /** Absolute. */
  readonly dataDir: string;
}

export function registerNodePages(app: FastifyInstance, { records, vlives, dataDir }: NodePagesOptions): void {
  // The node that asks has judged its viewer, and opens what a playlist names itself.
  registerRecordLinks(app, { prefix: nodeRecordPrefix, records, admit: async () => '', dataDir, access: 'node' });
  app.route({
    method: 'POST',
    url: nodeRecordOrders,
    schema: { body: recordOrder },
    config: { access: 'node' },
    handler: async (request, reply) => {
      await records.obey(request.body as RecordOrder);
      return sendSuccess(request, reply, null);
    },
  });
  app.route({
    method: 'POST',
    url: nodeVliveSource,
    schema: { body: vliveSourceOrder },
    config: { access: 'node' },
    handler: async (request, reply) => {
      const { platform, files, ip } = request.body as VliveSourceOrder;
      return sendSuccess(request, reply, await vlives.setOwnSource(platform, files, { ip }));
    },
  });
}
