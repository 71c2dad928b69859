import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';

/** A test pattern that the server publishes, so that operators see a stream before setting up an encoder. */
export const demoStream = z.object({
  enabled: z.boolean(),
  app: z.string(),
  stream: z.string(),
  /** Time at which the demo stream stops, RFC 3339; '' while off. */
  stopsAt: z.string(),
  ...workerStatus.shape,
});
export type DemoStream = z.infer<typeof demoStream>;

export const queryDemoStream = defineEndpoint({
  ...paths.queryDemoStream,
  tag: 'Demo stream',
  summary: 'Returns the state of the demo stream.',
  request: emptyRequest,
  response: demoStream,
});

export const startDemoStream = defineEndpoint({
  ...paths.startDemoStream,
  tag: 'Demo stream',
  summary: 'Publishes a test pattern with a clock and a tone as live/demo; stops automatically after 30 minutes.',
  request: emptyRequest,
  response: demoStream,
});

export const stopDemoStream = defineEndpoint({
  ...paths.stopDemoStream,
  tag: 'Demo stream',
  summary: 'Stops the demo stream; returns after its process has exited.',
  request: emptyRequest,
  response: demoStream,
});
