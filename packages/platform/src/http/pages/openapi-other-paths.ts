// Handwritten parts of the OpenAPI document for paths outside the contract, e.g. Prometheus metrics, health checks, event stream, uploads
// and links to recordings.
import {
  channelGuidePrefix,
  cloudLinkPrefixes,
  eventStreamPath,
  healthPath,
  metricsPath,
  openApiPath,
  readyPath,
  recordLinkPrefix,
  resumableUploadPath,
  streamedEvents,
  uploadPath,
} from '@srs-stack/contract';
import { notReadyReasons } from '@srs-stack/contract/values/readiness.ts';
import { z } from 'zod';

const bearer = [{ bearer: [] }];
const bearerOrQuery = [{ bearer: [] }, { queryToken: [] }];
const text = { type: 'string' };
const file = { schema: { type: 'string', format: 'binary' } };
const failure = { description: 'Refused.', content: { 'application/json': { schema: { type: 'object' } } } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Credentials beside the bearer. Paths refer to these names in `security`. */
export const otherSecuritySchemes = {
  queryToken: { type: 'apiKey', in: 'query', name: 'token', description: 'A session token.' },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'METRICS_TOKEN, which only reads the metrics.' },
  callbackSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Callback-Secret',
    description: 'The callback secret, which the media server sends.',
  },
} as const;

export const otherSchemas = {
  MonitorSnapshot: jsonSchemaOf(streamedEvents.snapshot),
  MonitorEvent: jsonSchemaOf(streamedEvents.happened),
};

export const otherPaths = {
  [metricsPath]: {
    get: {
      operationId: 'readMetrics',
      tags: ['Monitoring'],
      summary: 'Returns metrics for Prometheus.',
      security: [{ metricsToken: [] }, ...bearer],
      responses: { 200: response('Text exposition format 0.0.4.', 'text/plain', { schema: text }), 401: failure },
    },
  },
  [healthPath]: {
    get: {
      operationId: 'readHealth',
      tags: ['System'],
      summary: 'Liveness: responds while the process works, for programs that restart a hung process.',
      security: [],
      responses: { 200: response('Alive.', 'application/json', { schema: { type: 'object' } }) },
    },
  },
  [readyPath]: {
    get: {
      operationId: 'readReadiness',
      tags: ['System'],
      summary: 'Readiness: whether the server accepts new publishers and viewers, for load balancers.',
      security: [],
      responses: { 200: readiness('Ready.', ['ready']), 503: readiness('Not ready.', ['not-ready']) },
    },
  },
  [eventStreamPath]: {
    get: eventStream('readMonitorEvents', {}),
    post: eventStream('readMonitorEventsByPost', {
      requestBody: {
        required: false,
        content: { 'application/json': { schema: { type: 'object', properties: { token: text } } } },
      },
    }),
  },
  [openApiPath]: {
    get: {
      operationId: 'readOpenApiDocument',
      tags: ['System'],
      summary: 'This document.',
      security: [],
      responses: { 200: response('OpenAPI 3.1.', 'application/json', { schema: { type: 'object' } }) },
    },
  },
  [`${uploadPath}{name}`]: {
    post: {
      operationId: 'uploadFile',
      tags: ['Virtual live'],
      summary: 'Uploads a media file as one multipart form.',
      parameters: [pathParameter('name', 'File name with its extension.')],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': { schema: { type: 'object', properties: { token: text, file: file.schema } } },
        },
      },
      security: bearerOrQuery,
      responses: { 200: jsonAnswer('The file; pass its `target` to the `source` call.', uploaded()), default: failure },
    },
  },
  [resumableUploadPath]: {
    post: {
      operationId: 'createUpload',
      tags: ['Virtual live'],
      summary: 'Starts a resumable upload (tus 1.0.0).',
      parameters: [tusVersion(), tusHeader('Upload-Length', 'Size of the file in bytes.'), uploadMetadata()],
      security: bearerOrQuery,
      responses: { 201: { description: 'The upload has started; header Location: its address.' }, default: failure },
    },
  },
  [`${resumableUploadPath}/{uuid}`]: {
    head: {
      operationId: 'queryUpload',
      tags: ['Virtual live'],
      summary: 'Returns how many bytes of a resumable upload are stored: header Upload-Offset.',
      parameters: [pathParameter('uuid'), tusVersion()],
      security: bearerOrQuery,
      responses: { 200: { description: 'The upload exists.' }, 404: { description: 'There is no such upload.' } },
    },
    patch: {
      operationId: 'continueUpload',
      tags: ['Virtual live'],
      summary: 'Sends the next bytes of a resumable upload.',
      parameters: [pathParameter('uuid'), tusVersion(), tusHeader('Upload-Offset', 'Number of bytes stored so far.')],
      requestBody: { required: true, content: { 'application/offset+octet-stream': file } },
      security: bearerOrQuery,
      responses: {
        204: {
          description:
            'The bytes are stored. The Upload-Offset header contains the total number of bytes stored so far.',
        },
        default: failure,
      },
    },
  },
  [`${channelGuidePrefix}{stream}.xml`]: guidePath('readChannelXmltv', 'the XMLTV format', 'application/xml'),
  [`${channelGuidePrefix}{stream}.json`]: guidePath('readChannelGuide', 'JSON', 'application/json'),
  ...recordingPaths('Record', recordLinkPrefix),
  ...recordingPaths('Dvr', cloudLinkPrefixes.dvr),
  ...recordingPaths('Vod', cloudLinkPrefixes.vod),
};

function readiness(description: string, status: string[]) {
  const reason = { type: 'string', enum: [...notReadyReasons] };
  const properties = { status: { type: 'string', enum: status }, reason, message: text };
  return response(description, 'application/json', { schema: { type: 'object', properties, required: ['status'] } });
}

function eventStream(operationId: string, body: object) {
  return {
    operationId,
    tags: ['Monitoring'],
    summary: 'Streams metrics and events.',
    description:
      'Server-sent events: `snapshot` with a MonitorSnapshot, `happened` with a MonitorEvent and its id, `expired` when the ' +
      'credential is no longer valid. With POST the body may contain a session token as `token`.',
    parameters: [
      { name: 'Last-Event-ID', in: 'header', description: 'Id of the last event that was received.', schema: text },
    ],
    ...body,
    security: bearer,
    responses: {
      200: response('An endless stream.', 'text/event-stream', {
        schema: text,
        'x-event-data': { snapshot: ref('MonitorSnapshot'), happened: ref('MonitorEvent') },
      }),
      401: failure,
      503: failure,
    },
  };
}

function guidePath(operationId: string, format: string, type: string) {
  return {
    get: {
      operationId,
      tags: ['Channels'],
      summary: `Returns the program guide of a channel for the next two days in ${format}, for everyone who can watch its stream.`,
      parameters: [pathParameter('stream')],
      security: [],
      responses: { 200: response('The programme.', type, { schema: text }), 403: failure, 404: failure },
    },
  };
}

function recordingPaths(kind: string, prefix: string) {
  const link = (operation: string, summary: string, type: string) => ({
    get: {
      operationId: `read${kind}${operation}`,
      tags: ['Recordings'],
      summary,
      parameters: [pathParameter('uuid')],
      security: [],
      responses: { 200: response(summary, type, file), 404: failure },
    },
  });
  return {
    [`${prefix}{uuid}.m3u8`]: link('Playlist', 'HLS playlist of a recording.', 'application/vnd.apple.mpegurl'),
    ...(kind === 'Record'
      ? {
          [`${prefix}{uuid}/index.mp4`]: link('Mp4', 'MP4 of a complete recording; supports byte ranges.', 'video/mp4'),
          [`${prefix}{uuid}/poster.jpg`]: link('Poster', 'Poster image of a recording.', 'image/jpeg'),
        }
      : {}),
  };
}

function uploaded() {
  return { type: 'object', properties: { uuid: text, target: text }, required: ['uuid', 'target'] };
}

function response(description: string, mediaType: string, content: object) {
  return { description, content: { [mediaType]: content } };
}

function jsonAnswer(description: string, data: object) {
  const properties = { code: { type: 'integer', enum: [0] }, server: { type: 'integer' }, data };
  return response(description, 'application/json', {
    schema: { type: 'object', properties, required: ['code', 'server', 'data'] },
  });
}

function pathParameter(name: string, description?: string) {
  return { name, in: 'path', required: true, ...(description ? { description } : {}), schema: text };
}

function tusHeader(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'integer', minimum: 0 } };
}

function tusVersion() {
  return { name: 'Tus-Resumable', in: 'header', required: true, schema: { type: 'string', enum: ['1.0.0'] } };
}

function uploadMetadata() {
  const description = '`filename` and, after a space, the name of the file as Base64.';
  return { name: 'Upload-Metadata', in: 'header', required: true, description, schema: text };
}

function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema);
  return rest;
}
