// Whether the SRS that stands beside this product answers, for the banner.
import type { Environment } from './environment.ts';

/** On the same machine it answers in milliseconds. */
const timeoutMs = 2_000;
/** As gateway and platform have it. */
const defaultApi = '127.0.0.1:1985';

/** `host:port` of its HTTP API when there is one and it does not answer. Never rejects. */
export async function findAwayMediaServer(environment: Environment): Promise<string | undefined> {
  if (environment.MEDIA_SERVER !== 'srs') return undefined;
  const api = environment.SRS_API_SERVER || defaultApi;
  try {
    const answer = await fetch(`http://${api}/api/v1/versions`, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.arrayBuffer();
    return answer.ok ? undefined : api;
  } catch {
    return api;
  }
}
