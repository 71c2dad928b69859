// Reads the orders of the previous process. They stay in effect.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSlateOrders, type SlateOrder, slateOrdersFile } from '@srs-stack/process/slate-orders.ts';

/** An order with a slate. */
export type Ordered = SlateOrder & { readonly file: string };

export function slateOrdersPath(dataDir: string): string {
  return join(dataDir, 'config', slateOrdersFile);
}

/** Empty if the file is missing or unreadable. */
export async function readSlateOrders(dataDir: string): Promise<Ordered[]> {
  try {
    const orders = parseSlateOrders(await readFile(slateOrdersPath(dataDir), 'utf8'));
    return orders.flatMap(({ backup: _, file, ...order }) => (file ? [{ ...order, file }] : []));
  } catch {
    return [];
  }
}
