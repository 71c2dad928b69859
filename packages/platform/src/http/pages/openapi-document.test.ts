import {
  eventStreamPath,
  metricsPath,
  recordLinkPrefix,
  resumableUploadPath,
  streamedEvents,
  uploadPath,
} from '@srs-stack/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi-document.ts';

interface Operation {
  readonly operationId: string;
  readonly security: Record<string, string[]>[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Record<string, { readonly content: object }>;
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object; readonly securitySchemes: object };
}

let document: OpenApi;
beforeAll(async () => {
  document = JSON.parse(await openApiDocument('1.2.3'));
});

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the OpenAPI document', () => {
  it('includes the paths outside the catalogue of calls', () => {
    const { paths } = document;
    expect(paths[metricsPath]?.get?.responses[200]?.content).toHaveProperty('text/plain');
    expect(paths[eventStreamPath]?.get?.responses[200]?.content).toHaveProperty('text/event-stream');
    expect(paths[`${uploadPath}{name}`]?.post?.requestBody?.content).toHaveProperty('multipart/form-data');
    expect(paths[`${resumableUploadPath}/{uuid}`]).toHaveProperty('patch');
    expect(paths[`${recordLinkPrefix}{uuid}/index.mp4`]).toHaveProperty('get');
  });

  it('names the credential of every operation, and defines each scheme', () => {
    const names = operations().flatMap(({ security }) => security.flatMap((each) => Object.keys(each)));
    expect(new Set(names)).toEqual(new Set(Object.keys(document.components.securitySchemes)));
  });

  it('gives every operation a unique id', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('defines every schema it refers to, including the data of both events', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThanOrEqual(Object.keys(streamedEvents).length - 1);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(references));
  });
});
