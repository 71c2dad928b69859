// Calls from the control planes of other nodes. They read or change recordings on this node, and select files of this node as sources of
// virtual live streams. A gateway has authenticated the other node by certificate, and the path requires the internal secret. Returns only
// files of this node.
import {
  type RecordOrder,
  recordOrder,
  type VliveSourceOrder,
  vliveSourceOrder,
} from '@srs-stack/contract/models/node-orders.ts';
import { nodeRecordOrders, nodeRecordPrefix, nodeVliveSource } from '@srs-stack/contract/node-calls.ts';
import type { FastifyInstance } from 'fastify';
import type { Vlives } from '../../tasks/vlive/vlives.ts';
import { sendSuccess } from '../wire/wire-format.ts';
import { type RecordLinksOptions, registerRecordLinks } from './record-links.ts';

export interface NodePagesOptions {
  readonly records: {
    link: RecordLinksOptions['records']['link'];
    obey(order: RecordOrder): Promise<void>;
  };
  readonly vlives: Pick<Vlives, 'setOwnSource'>;
  /** Absolute path. */
  readonly dataDir: string;
}

export function registerNodePages(app: FastifyInstance, { records, vlives, dataDir }: NodePagesOptions): void {
  // The calling node has authorized the viewer, and adds the access query to playlists.
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
