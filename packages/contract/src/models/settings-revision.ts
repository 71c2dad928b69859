// Detects concurrent changes of settings. An update contains a revision and fails if the stored values have changed since that revision.
import { z } from 'zod';

/** Maximum length of a revision, characters. */
const maxRevisionLength = 64;

/** Changes with the stored values. Opaque to clients. */
export const settingsRevision = z.string().max(maxRevisionLength);
/** Optional in updates. If the stored revision differs, the update fails with `settingsChanged`. If absent, nothing is compared. */
export const expectedRevision = settingsRevision.optional();
