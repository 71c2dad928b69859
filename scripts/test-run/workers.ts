// Maximum number of test files that run in parallel.
import { availableParallelism, totalmem } from 'node:os';

/** Memory of a product and its browser and encoders, bytes. */
const productBytes = 1.5 * 1024 ** 3;

/**
 * An upper bound. Tests mostly wait for programs, sockets and real time, and under `npm test` a file starts only when processors are idle
 * (`file-admission.ts`).
 */
export const maxWorkers = Math.max(1, Math.min(8, 3 * availableParallelism(), Math.floor(totalmem() / productBytes)));
