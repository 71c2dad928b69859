// Streams that the gateways of this machine send to other servers. The control plane writes `config/pushes.json`. Gateways continue with
// this file while the control plane is down, even after a restart of the gateway. Parsed without schemas, because a gateway loads no schema
// library.

/** File in the folder `config/` of the data folder. Only its owner may read it, because it contains stream keys. */
export const pushOrdersFile = 'pushes.json';

export interface PushOrder {
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** URL of the application for RTMP and RTMPS; the whole address for SRT. */
  readonly server: string;
  /** Stream name at the server, as the operator entered it; empty for SRT. */
  readonly key: string;
  /** Delay of all media for the target, seconds. Absent: 0. */
  readonly delaySeconds?: number;
}

/** Maximum delay of a push, seconds. Delayed media is kept in memory. */
export const maxPushDelaySeconds = 60;

/** Parses orders. @throws for an invalid text. */
export function parsePushOrders(text: string): PushOrder[] {
  const { pushes } = JSON.parse(text) as { pushes?: unknown };
  if (!Array.isArray(pushes)) throw new Error('`pushes` is not an array');
  return pushes.map(toOrder);
}

export function writePushOrders(pushes: readonly PushOrder[]): string {
  return `${JSON.stringify({ pushes })}\n`;
}

function toOrder(entry: unknown): PushOrder {
  const { id, vhost, app, stream, server, key, delaySeconds } = (entry ?? {}) as Record<keyof PushOrder, unknown>;
  const values = [id, vhost, app, stream, server, key];
  if (!values.every((value) => typeof value === 'string') || !isDelay(delaySeconds ?? 0))
    throw new Error('an entry of `pushes` lacks id, vhost, app, stream, server or key, or has an invalid delaySeconds');
  return { id, vhost, app, stream, server, key, ...(delaySeconds !== undefined && { delaySeconds }) } as PushOrder;
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxPushDelaySeconds;
}
