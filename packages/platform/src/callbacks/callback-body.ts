// The JSON body of each callback, with the keys that current and older receivers expect. Keys with empty values are omitted.
import type { HookAction } from '@srs-stack/contract';

interface StreamFields {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

interface PublisherEvent extends StreamFields {
  readonly action: 'on_publish' | 'on_unpublish';
  /** Query of the publisher, including the publish secret. */
  readonly param?: string;
  readonly server_id?: string;
  readonly client_id?: string;
  /** Priority of a spare encoder whose stream already has a publisher. No `on_unpublish` follows this `on_publish`. */
  readonly priority?: number | undefined;
}

/** A viewer of a stream whose access rule requires a verdict of the operator's service. */
interface PlayEvent extends StreamFields {
  readonly action: 'on_play';
  readonly param: string;
  readonly ip: string;
  readonly client_id: string;
  readonly pageUrl: string;
}

interface RecordBegin extends StreamFields {
  readonly action: 'on_record_begin';
  /** Recording task. */
  readonly uuid: string;
}

interface RecordEnd extends StreamFields {
  readonly action: 'on_record_end';
  readonly uuid: string;
  /** 0: the MP4 exists; 100: only the segments exist. */
  readonly artifactCode: 0 | 100;
  /** Query that authorizes playback of a protected file; '' for an unprotected stream. */
  readonly artifactQuery?: string;
  /** Default `/data/record/{uuid}/index.mp4`. */
  readonly artifactPath?: string;
  readonly artifactSize?: number;
  /** Seconds. */
  readonly artifactDuration?: number;
}

interface ImageRecognised extends StreamFields {
  readonly action: 'on_ocr';
  readonly uuid: string;
  readonly prompt: string;
  readonly result: string;
}

/** An event that causes a callback. */
export type CallbackEvent = PublisherEvent | PlayEvent | RecordBegin | RecordEnd | ImageRecognised;
/** `test` is sent by the console to test a target. */
export type CallbackAction = HookAction | 'test';

export interface BodyContext {
  readonly requestId: string;
  readonly opaque: string;
  readonly host: string;
  readonly now: Date;
}

/** Keys that are sent even when empty. */
const alwaysThere = new Set(['request_id', 'action', 'opaque', 'artifact_code']);

export function callbackBody(event: CallbackEvent, context: BodyContext): Record<string, unknown> {
  const { action, vhost, app, stream } = event;
  const common = { request_id: context.requestId, action, opaque: context.opaque, vhost, app, stream };
  return withoutEmpty({ ...common, ...detailsOf(event, context) });
}

/** A test body has the form of `on_publish`, for the stream `live/livestream`. */
export function testBody(context: BodyContext): Record<string, unknown> {
  const event = { action: 'on_publish', vhost: '__defaultVhost__', app: 'live', stream: 'livestream' } as const;
  return { ...callbackBody(event, context), action: 'test' };
}

function detailsOf(event: CallbackEvent, { host, now }: BodyContext): Record<string, unknown> {
  switch (event.action) {
    case 'on_publish':
    case 'on_unpublish': {
      const { param, server_id, client_id, priority } = event;
      return { param, server_id, client_id, priority, update: now.toISOString() };
    }
    case 'on_play': {
      const { param, ip, client_id, pageUrl } = event;
      return { param, ip, client_id, page_url: pageUrl, update: now.toISOString() };
    }
    case 'on_record_begin':
      return { uuid: event.uuid };
    case 'on_record_end': {
      const { uuid, artifactCode, artifactSize, artifactDuration } = event;
      const query = event.artifactQuery ? `?${event.artifactQuery}` : '';
      const { artifactPath = `/data/record/${uuid}/index.mp4` } = event;
      return {
        uuid,
        artifact_code: artifactCode,
        artifact_path: artifactPath,
        artifact_url: `${host.replace(/\/+$/, '')}/terraform/v1/hooks/record/hls/${uuid}/index.mp4${query}`,
        artifact_size: artifactSize,
        artifact_duration: artifactDuration,
      };
    }
    case 'on_ocr':
      return { uuid: event.uuid, prompt: event.prompt, result: event.result };
  }
}

function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => alwaysThere.has(key) || (value !== undefined && value !== '')),
  );
}
