// Set-up file of all tests under `npm test`. Waits until the processors have capacity for the file (`file-admission.ts`). Without
// `TEST_ADMISSION`, e.g. under `npx vitest`, files start immediately.
import { connect, type Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { kindOf } from './file-kinds.ts';
import { type Answer, noTimeMessage } from './time-left.ts';

const path = process.env.TEST_ADMISSION;
/** Key of the connection of the worker's previous file. It may still be open, because a file with only skipped tests runs no hooks. */
const place = Symbol.for('srs-stack.admission');
const worker = globalThis as { [place]?: Socket };

if (path) {
  worker[place]?.destroy();
  const socket = connect(path);
  worker[place] = socket;
  socket.unref();
  const response = await new Promise<Answer>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes) as Answer));
    // The queue closes only when the run ends. The file may then start, because its result no longer matters.
    socket.once('error', () => resolve('begin'));
    const file = expect.getState().testPath ?? '';
    socket.write(`${kindOf(file)} ${file}`);
  });
  // The error prevents the file from loading. The reporter lists the file as not run.
  if (response === 'no time') throw new Error(noTimeMessage);
  afterAll(() => void socket.destroy());
}
