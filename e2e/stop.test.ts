// Both servers end cleanly, whatever command started the product and whichever process gets the signal.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shortened } from './support/length.ts';
import { olderNode } from './support/older-node.ts';
import { processesOf } from './support/processes.ts';
import { type Command, startProduct } from './support/product.ts';

const startScript = fileURLToPath(new URL('../packages/stack/src/start.mjs', import.meta.url));

async function expectCleanEnd(command: Command, signal: NodeJS.Signals): Promise<void> {
  const product = await startProduct({}, command);
  // A `finally` block would not run if the product did not end.
  onTestFinished(() => product.remove());
  expect(product.serversRunning()).toBe(2);
  expect(await product.stop(signal)).toBe(0);
  expect(product.serversRunning()).toBe(0);
  expect(existsSync(join(product.dataDir, 'run/supervisor.pid'))).toBe(false);
  expect(product.output()).not.toMatch(/"level":(50|60)/);
}

const signals = shortened(['SIGTERM', 'SIGINT'] as const, (signal) => signal === 'SIGTERM');

describe.each(signals)('%s', (signal) => {
  test('to npm start', () => expectCleanEnd(['npm', 'start'], signal));

  test('to the start script under the Node that npm installed', () =>
    expectCleanEnd([process.execPath, startScript], signal));

  test.skipIf(!olderNode)('to the start script under an older Node', () =>
    expectCleanEnd([olderNode!, startScript], signal),
  );
});

test('processes that remain when the signal is lost are ended with the product', async () => {
  const product = await startProduct({}, ['sh', '-c', '"$0" "$@" & wait', process.execPath, startScript]);
  await product.remove();
  expect(product.serversRunning()).toBe(0);
  expect(processesOf(product.dataDir)).toEqual([]);
});
