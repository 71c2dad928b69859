import { expect, test } from 'vitest';
import { collectYoungGeneration } from './young-generation.ts';

const pieceBytes = 64 * 1024;
const heldBytes = () => process.memoryUsage().arrayBuffers;

function passOn(pieces: number): void {
  for (let count = 0; count < pieces; count++) Buffer.allocUnsafeSlow(pieceBytes).fill(1);
}

test('frees buffers that were dropped while young, and exposes gc to no other code', () => {
  collectYoungGeneration();
  const before = heldBytes();
  passOn(64);
  expect(heldBytes() - before).toBeGreaterThan(60 * pieceBytes);
  // V8 releases memory on another thread. A second collection updates V8's counters.
  collectYoungGeneration();
  collectYoungGeneration();
  expect(heldBytes() - before).toBeLessThan(4 * pieceBytes);
  expect('gc' in globalThis).toBe(false);
});
