// How many test files may run at a time.
import { availableParallelism, totalmem } from 'node:os';

/** A product, often with a browser and encoders, has this much memory, bytes. */
const productBytes = 1.5 * 1024 ** 3;

/**
 * Tests wait for programs, sockets and real time more than they compute. Under `npm test` a file starts only when processors are
 * idle (`file-admission.ts`), so this is an upper bound.
 */
export const maxWorkers = Math.max(1, Math.min(8, 3 * availableParallelism(), Math.floor(totalmem() / productBytes)));
