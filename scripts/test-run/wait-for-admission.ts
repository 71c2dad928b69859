// Set-up file of all tests under `npm test`: waits until the processors have capacity for the file (`file-admission.ts`). Without
// `TEST_ADMISSION`, as under `npx vitest`, files start immediately.
import { connect, type Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { kindOf } from './file-kinds.ts';
import { type Answer, noTimeMessage } from './time-left.ts';

/** Path of the queue's socket. */
const path = process.env.TEST_ADMISSION;
/** Connection of the previous file in the same worker: hooks of a file whose tests are all skipped do not run. */
const place = Symbol.for('srs-stack.admission');
const worker = globalThis as { [place]?: Socket };

if (path) {
  worker[place]?.destroy();
  const socket = connect(path);
  worker[place] = socket;
  socket.unref();
  const response = await new Promise<Answer>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes) as Answer));
    // The queue closes only when the run ends, so the response no longer matters.
    socket.once('error', () => resolve('begin'));
    const file = expect.getState().testPath ?? '';
    socket.write(`${kindOf(file)} ${file}`);
  });
  // Loads nothing of the file; the reporter lists it among those that did not run.
  if (response === 'no time') throw new Error(noTimeMessage);
  afterAll(() => void socket.destroy());
}
