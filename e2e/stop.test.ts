// However the product was started and whoever is told to end it, the signal ends both servers, cleanly.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { olderNode } from './support/older-node.ts';
import { type Command, startProduct } from './support/product.ts';

const startScript = fileURLToPath(new URL('../packages/stack/src/start.mjs', import.meta.url));

async function expectCleanEnd(command: Command, signal: NodeJS.Signals): Promise<void> {
  const product = await startProduct({}, command);
  try {
    expect(product.serversRunning()).toBe(2);
    expect(await product.stop(signal)).toBe(0);
    expect(product.serversRunning()).toBe(0);
    expect(existsSync(join(product.dataDir, 'run/supervisor.pid'))).toBe(false);
    expect(product.output()).not.toMatch(/"level":(50|60)/);
  } finally {
    await product.remove();
  }
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('to npm start', () => expectCleanEnd(['npm', 'start'], signal));

  test('to the start script under the Node that npm installed', () =>
    expectCleanEnd([process.execPath, startScript], signal));

  test.skipIf(!olderNode)('to the start script under an older Node', () =>
    expectCleanEnd([olderNode!, startScript], signal),
  );
});
