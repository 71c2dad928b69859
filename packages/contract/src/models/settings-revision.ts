// Detects concurrent changes of settings: an update sends the revision it is based on, and is refused if another update came first.
import { z } from 'zod';

/** Longest revision, characters. */
const maxRevisionLength = 64;

/** Identifies the stored values and changes with them. Opaque to clients. */
export const settingsRevision = z.string().max(maxRevisionLength);
/** Optional in an update: refused with `settingsChanged` when the stored revision differs. Absent: not compared. */
export const expectedRevision = settingsRevision.optional();
