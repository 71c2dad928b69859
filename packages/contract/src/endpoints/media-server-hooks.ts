import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { paths } from '../paths.ts';
import { hlsSegmentEvent, hlsSegmentEvents, segmentReceipt, streamEvent } from '../wire/callback-bodies.ts';
import { multivariant, multivariantQuestion } from '../wire/multivariant.ts';

export const verifyStream = defineEndpoint({
  ...paths.verifyStream,
  tag: 'Media server',
  summary: 'Called by the media server when a publisher or player connects or disconnects.',
  request: streamEvent,
  /** Response to `on_play`: seconds for which the decision of the callback target is valid; null without a callback target. */
  response: z.object({ watchSeconds: z.number().int() }).nullable(),
});

export const hlsSegment = defineEndpoint({
  ...paths.hlsSegment,
  tag: 'Media server',
  summary: 'Called by the media server when an HLS segment is complete.',
  request: hlsSegmentEvent,
  /** Maximum number of segments per call; null if the request lacks `asks_many`. */
  response: segmentReceipt.nullable(),
});

export const hlsSegments = defineEndpoint({
  ...paths.hlsSegments,
  tag: 'Media server',
  summary: 'Called by the media server when HLS segments of several streams are complete.',
  request: hlsSegmentEvents,
  response: segmentReceipt,
});

export const queryVariants = defineEndpoint({
  ...paths.queryVariants,
  tag: 'Media server',
  summary:
    'Called by the media server when a viewer requests the multivariant playlist; starts a ladder that runs on demand.',
  request: multivariantQuestion,
  response: multivariant,
});
