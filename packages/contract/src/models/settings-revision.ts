// How two operators who save the same settings at once are told apart: the second sends what it saw, and is refused.
import { z } from 'zod';

/** Longest revision, characters. */
const maxRevisionLength = 64;

/** Stands for the stored values; changes with every change of them. Opaque to callers. */
export const settingsRevision = z.string().max(maxRevisionLength);
/** Sent back with an update: refused with `settingsChanged` when the stored values are others. Left out: not compared. */
export const expectedRevision = settingsRevision.optional();
