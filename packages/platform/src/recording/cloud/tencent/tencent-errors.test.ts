import { because, toWirePhrase } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { toCloudError } from './tencent-errors.ts';

test.each([
  [
    { code: 'ESOCKETTIMEDOUT', message: 'ESOCKETTIMEDOUT' },
    'unreachable',
    'upload a: the cloud service does not respond (ESOCKETTIMEDOUT)',
  ],
  [
    { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND b.cos.ap-x.myqcloud.com' },
    'unreachable',
    'upload a: the name of the cloud service cannot be resolved (ENOTFOUND)',
  ],
  [
    { message: 'request to https://vod… failed, reason: connect ECONNREFUSED 1.2.3.4:443' },
    'unreachable',
    /refuses the connection/,
  ],
  [{ message: 'network timeout at: https://cam.tencentcloudapi.com/' }, 'unreachable', /does not respond/],
  [{ code: 'AuthFailure.SignatureFailure', message: 'no' }, 'credentials', /^cannot upload a: no \(AuthFailure/],
  [{ code: 'AuthFailure.UnauthorizedOperation', message: 'no' }, 'denied', /no/],
  [{ code: 'AccessDenied', message: 'Access Denied.', statusCode: 403 }, 'denied', /Access Denied/],
  [{ code: '404', message: 'Not Found', statusCode: 404 }, 'missing', /Not Found/],
  [{ code: '429', message: 'Too Many', statusCode: 429 }, 'unreachable', /Too Many/],
  [{ code: '400', message: 'Bad', statusCode: 400 }, 'refused', /Bad/],
  [new Error('x'.repeat(5000)), 'refused', /^.{1,320}$/],
  ['words', 'refused', /words/],
])('%j is %s', (error, kind, message) => {
  const mapped = toCloudError(error, because('cloud.upload', { key: 'a' }));
  expect(mapped.kind).toBe(kind);
  expect(mapped.message).toMatch(message);
});

test('errors can be translated by the console', () => {
  const { reason } = toCloudError({ code: 'ECONNREFUSED', message: 'no' }, because('cloud.upload', { key: 'a' }));
  expect(toWirePhrase(reason)).toEqual({
    key: 'cloud.failed',
    values: {
      doing: { key: 'cloud.upload', values: { key: 'a' } },
      what: { key: 'cloud.refuses-connection', values: { code: 'ECONNREFUSED' } },
    },
  });
});
