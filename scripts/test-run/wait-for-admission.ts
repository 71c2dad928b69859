// Loaded before every test file of `npm test`: waits until the processors have room for it (`file-admission.ts`). Without the
// variable, as under `npx vitest`, files start at once.
import { connect, type Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { kindOf } from './file-kinds.ts';
import { type Answer, noTimeMessage } from './time-left.ts';

/** Path of the socket of the queue. */
const path = process.env.TEST_ADMISSION;
/** Place of the file before this one in the same worker: hooks of a file whose tests are all skipped do not run. */
const place = Symbol.for('srs-stack.admission');
const worker = globalThis as { [place]?: Socket };

if (path) {
  worker[place]?.destroy();
  const socket = connect(path);
  worker[place] = socket;
  socket.unref();
  const answer = await new Promise<Answer>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes) as Answer));
    // A run whose queue is gone ends anyway.
    socket.once('error', () => resolve('begin'));
    const file = expect.getState().testPath ?? '';
    socket.write(`${kindOf(file)} ${file}`);
  });
  // Nothing of the file is loaded; the reporter lists it with those that did not run.
  if (answer === 'no time') throw new Error(noTimeMessage);
  afterAll(() => void socket.destroy());
}
