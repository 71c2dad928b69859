import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { paths } from '../paths.ts';
import { hlsSegmentEvent, hlsSegmentEvents, segmentReceipt, streamEvent } from '../wire/callback-bodies.ts';
import { multivariant, multivariantQuestion } from '../wire/multivariant.ts';

export const verifyStream = defineEndpoint({
  ...paths.verifyStream,
  tag: 'Media server',
  summary: 'Asked by the media server when a publisher or player comes or goes.',
  request: streamEvent,
  /** For `on_play`: how long the word of the operator's own service holds, seconds; null when that was not asked. */
  response: z.object({ watchSeconds: z.number().int() }).nullable(),
});

export const hlsSegment = defineEndpoint({
  ...paths.hlsSegment,
  tag: 'Media server',
  summary: 'Told by the media server when an HLS segment is complete.',
  request: hlsSegmentEvent,
  /** Null for who does not ask. */
  response: segmentReceipt.nullable(),
});

export const hlsSegments = defineEndpoint({
  ...paths.hlsSegments,
  tag: 'Media server',
  summary: 'Told by the media server when HLS segments of several streams are complete.',
  request: hlsSegmentEvents,
  response: segmentReceipt,
});

export const queryVariants = defineEndpoint({
  ...paths.queryVariants,
  tag: 'Media server',
  summary:
    'Asked by the media server when a viewer wants the playlist of all renditions; starts a ladder that runs on demand.',
  request: multivariantQuestion,
  response: multivariant,
});
