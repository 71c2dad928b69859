// Converts refusals and stream ends to RTMP status messages, which encoders and players display.

import type { Status } from '@srs-stack/media/protocols/rtmp/command-message.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { PlayRefusal } from '../gate/play-gate.ts';

/** Reasons that concern the stream name, not the authorization of the peer. */
const badNames: readonly PlayRefusal['reason'][] = ['name-invalid', 'stream-busy', 'stream-not-found'];

export function publishRefusal(reason: PlayRefusal['reason'], detail: string): Status {
  const code = badNames.includes(reason) ? 'NetStream.Publish.BadName' : 'NetStream.Publish.Denied';
  return { level: 'error', code, description: `${reason}: ${detail}` };
}

export function playRefusal(reason: PlayRefusal['reason'], detail: string): Status {
  const code = badNames.includes(reason) ? 'NetStream.Play.StreamNotFound' : 'NetStream.Play.Failed';
  return { level: 'error', code, description: `${reason}: ${detail}` };
}

const endTexts: Readonly<Record<StreamEndReason, string>> = {
  unpublished: 'the publisher ended the stream',
  kicked: 'ended by the operator',
  replaced: 'another publisher took over the stream',
  timeout: 'no media arrived for too long',
  error: 'the stream failed',
  shutdown: 'the server is shutting down',
};

/** Status with which the server ends an admitted publisher. */
export function publishEnd(reason: StreamEndReason): Status {
  return { level: 'error', code: 'NetStream.Publish.Denied', description: endTexts[reason] };
}

/** Status for a player whose stream has ended. */
export function playEnd(reason: StreamEndReason): Status {
  return { level: 'status', code: 'NetStream.Play.UnpublishNotify', description: endTexts[reason] };
}
