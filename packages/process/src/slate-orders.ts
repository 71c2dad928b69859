// The streams that show a backup source or a slate while their source is unavailable. The control plane writes them to `config/slates.json` for the gateways
// of its machine. Plain, because a gateway loads no schemas.

/** Below the folder `config/` of the data folder. */
export const slateOrdersFile = 'slates.json';

/** Maximum number of streams with a slate: their media is kept in memory. */
export const maxSlates = 50;

/** Maximum number of streams with a backup source. */
export const maxBackups = 50;

export interface SlateOrder {
  readonly app: string;
  readonly stream: string;
  /** Silence of the source before the slate starts, seconds. */
  readonly afterSeconds: number;
  /** Longest duration of the slate, minutes; then the stream ends. */
  readonly longestMinutes: number;
  /** Absolute path of an MPEG-TS file with the codecs, size, sample rate and channels of the stream; absent: no slate. */
  readonly file?: string;
  /** The stream that takes over while it is live; absent: none. */
  readonly backup?: { readonly app: string; readonly stream: string };
}

/** @throws when the text is invalid. */
export function parseSlateOrders(text: string): SlateOrder[] {
  const { slates } = JSON.parse(text) as { slates?: unknown };
  if (!Array.isArray(slates)) throw new Error('`slates` is not an array');
  const orders = slates.map(toOrder);
  if (orders.filter(({ file }) => file).length > maxSlates) throw new Error(`more than ${maxSlates} slates`);
  if (orders.filter(({ backup }) => backup).length > maxBackups) throw new Error(`more than ${maxBackups} backups`);
  return orders;
}

export function writeSlateOrders(slates: readonly SlateOrder[]): string {
  return `${JSON.stringify({ slates })}\n`;
}

function toOrder(entry: unknown): SlateOrder {
  const values = (entry ?? {}) as Record<keyof SlateOrder, unknown>;
  const { app, stream, afterSeconds, longestMinutes, file, backup } = values;
  const isWhole = isName(app) && isName(stream) && isPositive(afterSeconds) && isPositive(longestMinutes);
  const isUseful = file !== undefined || backup !== undefined;
  if (!isWhole || !isUseful || (file !== undefined && !isName(file))) throw new Error('a slate is damaged');
  return { app, stream, afterSeconds, longestMinutes, ...(file && { file }), ...toBackup(backup) } as SlateOrder;
}

function toBackup(value: unknown): Pick<SlateOrder, 'backup'> {
  if (value === undefined) return {};
  const { app, stream } = (value ?? {}) as Record<string, unknown>;
  if (!isName(app) || !isName(stream)) throw new Error('a backup order is invalid');
  return { backup: { app, stream } };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
