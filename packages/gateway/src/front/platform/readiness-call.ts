// `/readyz` of the public server. The control plane decides whether the server is ready. Requests that arrive during a query share its
// result, so that frequent requests are cheap.
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { readyPath } from '@srs-stack/contract/constants.ts';
import { readinessOf } from '@srs-stack/contract/values/readiness.ts';
import type { PlatformAddress } from '@srs-stack/process/listen-address.ts';
import { request } from '@srs-stack/process/node-http.ts';
import { sendHealth } from '../http/failure-response.ts';
import { readinessTimeoutMs } from '../limits/front-limits.ts';

interface Answer {
  readonly status: number;
  readonly body: object;
}

/**
 * Responds with 200 or 503 and a `Readiness`. When the control plane sends no valid response in time, responds with 503 `controlPlaneAway`.
 */
export function createReadinessCall(platform: PlatformAddress): (response: ServerResponse) => Promise<void> {
  let pending: Promise<Answer> | undefined;
  return async (response) => {
    pending ??= queryReadiness(platform).finally(() => {
      pending = undefined;
    });
    const { status, body } = await pending;
    sendHealth(response, status, body);
  };
}

/** Never rejects. */
function queryReadiness(platform: PlatformAddress): Promise<Answer> {
  const away: Answer = { status: 503, body: readinessOf('controlPlaneAway') };
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    const call = request({ ...platform, path: readyPath, signal }, (response) => {
      text(response).then(
        (body) => resolve(answerOf(response.statusCode, body) ?? away),
        () => resolve(away),
      );
    });
    call.once('error', () => resolve(away));
    call.end();
  });
}

function answerOf(status: number | undefined, body: string): Answer | undefined {
  if (status !== 200 && status !== 503) return undefined;
  try {
    return { status, body: JSON.parse(body) as object };
  } catch {
    return undefined;
  }
}
