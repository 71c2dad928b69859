// Detects concurrent changes of settings. An update contains the revision of the values that it changes, and fails if the stored revision
// is newer.
import { z } from 'zod';

/** Maximum length of a revision, characters. */
const maxRevisionLength = 64;

/** Changes with the stored values. Opaque to clients. */
export const settingsRevision = z.string().max(maxRevisionLength);
/** Optional in updates. If the stored revision differs, the update fails with `settingsChanged`. Absent skips this check. */
export const expectedRevision = settingsRevision.optional();
