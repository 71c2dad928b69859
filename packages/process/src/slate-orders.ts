// Which streams get a slate when their source is gone, as the control plane writes it for the gateways of its machine:
// `config/slates.json`. Plain, because a gateway loads no schemas.

/** Below the folder `config/` of the data folder. */
export const slateOrdersFile = 'slates.json';

/** Most streams with a slate: their media are kept in memory. */
export const maxSlates = 50;

export interface SlateOrder {
  readonly app: string;
  readonly stream: string;
  /** Silence of the source after which the slate begins, seconds. */
  readonly afterSeconds: number;
  /** The stream ends after so much slate, minutes. */
  readonly longestMinutes: number;
  /** Absolute path of an MPEG-TS file with the codecs, size, sample rate and channels of the stream. */
  readonly file: string;
}

/** @throws when the text is not what the control plane writes. */
export function parseSlateOrders(text: string): SlateOrder[] {
  const { slates } = JSON.parse(text) as { slates?: unknown };
  if (!Array.isArray(slates)) throw new Error('`slates` is not an array');
  if (slates.length > maxSlates) throw new Error(`more than ${maxSlates} slates`);
  return slates.map(toOrder);
}

export function writeSlateOrders(slates: readonly SlateOrder[]): string {
  return `${JSON.stringify({ slates })}\n`;
}

function toOrder(entry: unknown): SlateOrder {
  const { app, stream, afterSeconds, longestMinutes, file } = (entry ?? {}) as Record<keyof SlateOrder, unknown>;
  const isNamed = [app, stream, file].every((value) => typeof value === 'string' && value !== '');
  if (!isNamed || !isPositive(afterSeconds) || !isPositive(longestMinutes)) throw new Error('a slate is damaged');
  return { app, stream, afterSeconds, longestMinutes, file } as SlateOrder;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
