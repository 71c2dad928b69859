// Bodies of the callbacks, with the keys of SRS (docs/reference/protocols/media-server-api.md). `stream_id` is omitted: the id is unknown
// before the first publisher, and the control plane does not use the id.
import type { StreamEvent } from '@srs-stack/contract';
import type { HlsSegmentEvents, HlsSegmentEvent as SegmentBody } from '@srs-stack/contract/wire/callback-bodies.ts';
import { defaultVhost, type HlsSegmentEvent, type SessionInfo, type StreamKey } from '@srs-stack/engine';

/** Ids that every callback contains. */
export interface ServerIdentity {
  readonly serverId: string;
  readonly serviceId: string;
}

export type SessionAction = 'on_publish' | 'on_unpublish' | 'on_play' | 'on_stop';
export type CallbackBody = StreamEvent | SegmentBody;

/** Request for the renditions of a stream. With `isPeek`, an on-demand ladder is not started. */
interface VariantsQuestion extends StreamKey {
  readonly isPeek: boolean;
}

/** Body of a callback to the control plane. */
export type CallbackQuestion = CallbackBody | HlsSegmentEvents | VariantsQuestion;

/** `/app/stream` on the default vhost, `vhost/app/stream` on any other vhost, as in SRS. */
export function toCallbackStreamUrl({ vhost, app, stream }: StreamKey): string {
  return `${vhost === defaultVhost ? '' : vhost}/${app}/${stream}`;
}

export function sessionBody(identity: ServerIdentity, action: SessionAction, session: SessionInfo): StreamEvent {
  const body = {
    server_id: identity.serverId,
    service_id: identity.serviceId,
    action,
    client_id: session.clientId,
    ip: session.ip,
    vhost: session.vhost,
    app: session.app,
    tcUrl: session.tcUrl,
    stream: session.stream,
    param: session.param,
    stream_url: toCallbackStreamUrl(session),
  };
  const { digest, priority } = session;
  if (action === 'on_publish') return { ...body, ...(digest && { digest }), ...(priority && { priority }) };
  return action === 'on_play' ? { ...body, pageUrl: session.pageUrl } : body;
}

export function segmentBody(identity: ServerIdentity, cwd: string, event: HlsSegmentEvent): SegmentBody {
  return {
    server_id: identity.serverId,
    service_id: identity.serviceId,
    action: 'on_hls',
    client_id: event.clientId,
    ip: event.ip,
    vhost: event.vhost,
    app: event.app,
    tcUrl: event.tcUrl,
    stream: event.stream,
    param: event.param,
    duration: event.durationSeconds,
    cwd,
    file: event.file,
    url: event.url,
    m3u8: event.m3u8,
    m3u8_url: event.m3u8Url,
    seq_no: event.sequenceNumber,
    stream_url: toCallbackStreamUrl(event),
  };
}
