// Sends an HTTP request and returns the raw response headers, so that duplicates are visible.
import { type IncomingHttpHeaders, request } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { bodyText } from './fake-platform.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface TestRequest {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly tls?: boolean;
  readonly signal?: AbortSignal;
}

export function ask({
  port,
  path,
  method = 'GET',
  headers = {},
  body,
  tls,
  signal,
}: TestRequest): Promise<TestResponse> {
  const options = { host: '127.0.0.1', port, path, method, headers, agent: false as const, ...(signal && { signal }) };
  return new Promise((resolve, reject) => {
    const outgoing = tls ? tlsRequest({ ...options, rejectUnauthorized: false }) : request(options);
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const { statusCode: status = 0, headers: answered, rawHeaders } = response;
      bodyText(response).then((text) => resolve({ status, headers: answered, rawHeaders, body: text }), reject);
    });
    outgoing.end(body);
  });
}

export function countHeader(answer: TestResponse, name: string): number {
  return answer.rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name.toLowerCase()).length;
}
