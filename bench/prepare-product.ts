// Creates a data folder of this product with a known admin password and publish secret, through its HTTP API.
//
//   node bench/prepare-product.ts <folder>
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { adminPassword, apiSecret, productCommand, productEnvironment, publishSecret } from './conf/product.ts';
import { stopTree, Tool } from './lib/child-process.ts';
import { postCall, untilAnswered } from './lib/product-api.ts';

const startTimeoutMs = 20_000;

/** Replaces the data folder. @throws when the product does not start or refuses a call. */
export async function prepareProduct(dataDir: string, logFile: string): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const product = new Tool({ ...productCommand, env: productEnvironment(dataDir), log: logFile });
  try {
    await untilAnswered(startTimeoutMs, product.ended);
    await postCall('/terraform/v1/mgmt/init', { password: adminPassword });
    await postCall('/terraform/v1/hooks/srs/secret/update', { secret: publishSecret }, apiSecret);
  } finally {
    await stopTree(product.pid);
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: node bench/prepare-product.ts <folder>');
  await prepareProduct(resolve(folder), `${resolve(folder)}.log`);
}
