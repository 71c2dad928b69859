// Time limits of a lease, which ensure that a lease never has two holders. The holder counts from the start of its last renewal. Other
// nodes start counting later, when they see the renewal. `holdMs` plus the time to stop a task is less than `takeAfterMs`.

/** Renewal interval, milliseconds. */
export const renewEveryMs = 1_000;
/** Without a renewal for this long, a holder stops its tasks, milliseconds. About three renewals may fail. */
export const holdMs = 5_000;
/** Without a renewal for this long, the guard process kills the task, milliseconds: `holdMs` plus `stopGraceMs`. */
export const killAfterMs = 6_500;
/** Another node takes over a row that is unchanged for this long, milliseconds. */
export const takeAfterMs = 8_000;
/**
 * A node that is currently unable to run a task leaves the task to other nodes for this long, milliseconds. The files or the source of the
 * task may be on another node.
 */
export const unsuitedDelayMs = 3_000;
/** Delay before taking a task, milliseconds per running task of the node. Spreads tasks over the nodes. */
export const loadDelayMs = 100;
/** Upper limit of `loadDelayMs` for all tasks together, milliseconds. */
export const maxLoadDelayMs = 2_000;
/** After handing over a task, a node does not take the task back for this long, milliseconds. */
export const handedOverMs = 3_000;
/** Longest wait until another node has stopped a task, milliseconds: a renewal, the grace of a process, and a margin. */
export const remoteEndMs = 4_000;
/** Polling interval during `remoteEndMs`, milliseconds. */
export const remoteEndPollMs = 200;
