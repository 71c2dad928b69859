import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import { httpUrl } from '../conf/product.ts';

const pollMs = 5;
/** Value of `state` in SRS's API after a configuration reload. */
const reloadFinished = 90;
const reloadTimeoutMs = 5_000;

/** Posts one call. @throws with status and text when the server refuses the call. */
export async function postCall(path: string, body: object, bearer?: string): Promise<unknown> {
  const response = await fetch(httpUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

/** Resolves when gateway and platform respond to a call without credential. @throws after `timeoutMs`, or when `ended` resolves. */
export async function untilAnswered(timeoutMs: number, ended?: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void ended?.then(() => {
    hasEnded = true;
  });
  for (const deadline = performance.now() + timeoutMs; ; await delay(pollMs)) {
    const isAnswered = await fetch(`${httpUrl}/terraform/v1/host/versions`)
      .then(async (response) => (await response.text()) !== '' && response.ok)
      .catch(() => false);
    if (isAnswered) return;
    if (hasEnded) throw new Error('the product exited before it responded');
    if (performance.now() > deadline) throw new Error(`the product did not respond within ${timeoutMs} ms`);
  }
}

/** Makes the media server reload its configuration file. Resolves when the new settings are active. */
export async function reloadMediaServer(): Promise<void> {
  const call = async (rpc: string) => {
    const response = await fetch(`http://127.0.0.1:${ports.srsApi}/api/v1/raw?rpc=${rpc}`);
    return (await response.json()) as { data?: { state?: number; err?: number; msg?: string } };
  };
  await call('reload');
  for (const deadline = performance.now() + reloadTimeoutMs; ; await delay(pollMs)) {
    const { data } = await call('reload-fetch');
    if (data?.state === reloadFinished && data.err === 0) return;
    if (performance.now() > deadline)
      throw new Error(`the media server did not reload its configuration in time: ${JSON.stringify(data)}`);
  }
}
