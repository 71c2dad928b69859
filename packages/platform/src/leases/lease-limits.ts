// Time limits of a lease. They ensure that a lease never has two holders.
// - The holder counts from the start of its last renewal. Other nodes count from the time at which they saw it, which is later.
// - `holdMs` plus the time to stop a task is less than `takeAfterMs`.

/** Renewal interval, milliseconds. */
export const renewEveryMs = 1_000;
/** A holder that could not renew for this long stops its tasks, milliseconds: about three renewals may fail. */
export const holdMs = 5_000;
/**
 * The guard, a separate process, kills a task that still runs this long after the last successful renewal, milliseconds: `holdMs` plus
 * `stopGraceMs`.
 */
export const killAfterMs = 6_500;
/** A row unchanged for this long is taken over, milliseconds. A dead node is replaced at most a renewal interval later. */
export const takeAfterMs = 8_000;
/** A node that cannot run a task now (its files or its source are elsewhere) leaves it to other nodes for this long, milliseconds. */
export const unsuitedDelayMs = 3_000;
/** Delay before taking a task, per task that the node already runs, milliseconds: spreads tasks over the nodes. */
export const loadDelayMs = 100;
/** Upper limit of that delay, milliseconds. */
export const maxLoadDelayMs = 2_000;
/** A node does not take back a task for this time after handing it over, milliseconds. */
export const handedOverMs = 3_000;
/** Longest wait until another node has stopped a task, milliseconds: a renewal, the grace of a process, and a margin. */
export const remoteEndMs = 4_000;
/** Polling interval of that wait, milliseconds. */
export const remoteEndPollMs = 200;
