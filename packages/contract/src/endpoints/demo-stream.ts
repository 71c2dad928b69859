import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { workerStatus } from '../models/worker.ts';

/** A test picture that the server publishes to itself, so that an operator sees a stream before an encoder is set up. */
export const demoStream = z.object({
  enabled: z.boolean(),
  app: z.string(),
  stream: z.string(),
  /** When it stops by itself, RFC 3339; empty while it is off. */
  stopsAt: z.string(),
  ...workerStatus.shape,
});
export type DemoStream = z.infer<typeof demoStream>;

export const queryDemoStream = defineEndpoint({
  path: '/terraform/v1/ffmpeg/demo/query',
  tag: 'Demo stream',
  summary: 'State of the demo stream.',
  access: 'credential',
  request: emptyRequest,
  response: demoStream,
});

export const startDemoStream = defineEndpoint({
  path: '/terraform/v1/ffmpeg/demo/start',
  tag: 'Demo stream',
  summary: 'Publishes a test picture with a clock and a tone as live/demo; stops by itself after 30 minutes.',
  access: 'credential',
  request: emptyRequest,
  response: demoStream,
});

export const stopDemoStream = defineEndpoint({
  path: '/terraform/v1/ffmpeg/demo/stop',
  tag: 'Demo stream',
  summary: 'Stops the demo stream; answers when its process is gone.',
  access: 'credential',
  request: emptyRequest,
  response: demoStream,
});
