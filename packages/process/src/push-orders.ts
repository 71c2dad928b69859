// Which streams the gateways send to other servers, as the control plane writes it for those of its machine: `config/pushes.json`.
// The gateways go on by it while the control plane is down, and begin again by it after a restart of their own. Plain, because a gateway
// loads no schemas.

/** Below the folder `config/` of the data folder; readable by its owner alone, for it holds stream keys. */
export const pushOrdersFile = 'pushes.json';

export interface PushOrder {
  /** Of the control plane's task. */
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Of RTMP and RTMPS the application's URL, of SRT the whole address. */
  readonly server: string;
  /** Stream name at the server, as typed; empty for SRT. */
  readonly key: string;
  /** The target gets everything so much later, seconds; absent: 0. */
  readonly delaySeconds?: number;
}

/** Longest delay of a push, seconds: its media are in memory. */
export const maxPushDelaySeconds = 60;

/** @throws when the text is not what the control plane writes. */
export function parsePushOrders(text: string): PushOrder[] {
  const { pushes } = JSON.parse(text) as { pushes?: unknown };
  if (!Array.isArray(pushes)) throw new Error('`pushes` is not an array');
  return pushes.map(toOrder);
}

export function writePushOrders(pushes: readonly PushOrder[]): string {
  return `${JSON.stringify({ pushes })}\n`;
}

function toOrder(entry: unknown): PushOrder {
  const { id, vhost, app, stream, server, key, delaySeconds = 0 } = (entry ?? {}) as Record<keyof PushOrder, unknown>;
  const values = [id, vhost, app, stream, server, key];
  if (!values.every((value) => typeof value === 'string') || !isDelay(delaySeconds))
    throw new Error('a push is damaged');
  return { id, vhost, app, stream, server, key, ...(delaySeconds > 0 && { delaySeconds }) } as PushOrder;
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxPushDelaySeconds;
}
