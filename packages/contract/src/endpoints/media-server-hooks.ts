import { defineEndpoint } from '../endpoint.ts';
import { nullData } from '../models/envelope.ts';
import { hlsSegmentEvent, streamEvent } from '../wire/callback-bodies.ts';

export const verifyStream = defineEndpoint({
  path: '/terraform/v1/hooks/srs/verify',
  tag: 'Media server',
  summary: 'Asked by the media server when a publisher or player comes or goes.',
  access: 'media-server',
  request: streamEvent,
  response: nullData,
});

export const hlsSegment = defineEndpoint({
  path: '/terraform/v1/hooks/srs/hls',
  tag: 'Media server',
  summary: 'Told by the media server when an HLS segment is complete.',
  access: 'media-server',
  request: hlsSegmentEvent,
  response: nullData,
});
