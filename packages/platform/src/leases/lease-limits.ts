// Times of a lease. Never two holders: who holds counts from the moment it asked for its last renewal, who waits from the moment it
// saw it, which is later; `holdMs` and the time a task takes to end are less than `takeAfterMs`.

/** Between two renewals, milliseconds. */
export const renewEveryMs = 1_000;
/** A holder that could not renew for this long ends its tasks, milliseconds: some three renewals may fail. */
export const holdMs = 5_000;
/** A task that has not ended this long after its holder could renew is killed from outside, milliseconds: `holdMs` and the grace of `stopGraceMs`. */
export const killAfterMs = 6_500;
/** A row that has not changed for this long is taken over, milliseconds. A node that dies is replaced within a renewal more: some nine seconds. */
export const takeAfterMs = 8_000;
/** A node that cannot do a task now (its files are elsewhere, its source is not here) leaves it to the others for this long, milliseconds. */
export const unsuitedDelayMs = 3_000;
/** For each task it has, a node lets others go first for this long, milliseconds: so they spread. */
export const loadDelayMs = 100;
/** … and no longer than this, milliseconds. */
export const maxLoadDelayMs = 2_000;
/** A task that was handed over is not taken back for this long, milliseconds. */
export const handedOverMs = 3_000;
/** How long a caller waits until another node has ended a task, milliseconds: a renewal, the grace of a process, and as much again. */
export const remoteEndMs = 4_000;
/** Looks for that, milliseconds. */
export const remoteEndPollMs = 200;
