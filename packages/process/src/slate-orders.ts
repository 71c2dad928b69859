// The streams that show a slate while their source is unavailable. The control plane writes them to `config/slates.json` for the gateways
// of its machine. Plain, because a gateway loads no schemas.

/** Below the folder `config/` of the data folder. */
export const slateOrdersFile = 'slates.json';

/** Maximum number of streams with a slate: their media is kept in memory. */
export const maxSlates = 50;

export interface SlateOrder {
  readonly app: string;
  readonly stream: string;
  /** Silence of the source before the slate starts, seconds. */
  readonly afterSeconds: number;
  /** Longest duration of the slate, minutes; then the stream ends. */
  readonly longestMinutes: number;
  /** Absolute path of an MPEG-TS file with the codecs, size, sample rate and channels of the stream. */
  readonly file: string;
}

/** @throws when the text is invalid. */
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
