import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

export const queryVersion = defineEndpoint({
  path: '/terraform/v1/mgmt/versions',
  aliases: [
    '/terraform/v1/host/versions',
    '/terraform/v1/ffmpeg/versions',
    '/terraform/v1/hooks/versions',
    '/terraform/v1/tencent/versions',
  ],
  tag: 'System',
  summary: 'The running version, without a leading v; also the readiness probe.',
  access: 'none',
  request: z.object({}),
  response: z.object({ version: z.string() }),
});
