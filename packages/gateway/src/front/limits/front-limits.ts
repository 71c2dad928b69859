// Every limit of the public HTTP(S) servers. A share of an address does not apply to this machine itself, because a reverse
// proxy on it speaks for everybody (TRUST_PROXY tells their addresses then).
import type { Share } from './body-memory.ts';
import type { LaneLimits } from './lane.ts';
import type { TransferLimits } from './transfers.ts';
import type { TurnLimits } from './turn-queue.ts';
import type { UnsentLimits } from './unsent-answers.ts';

/** Those a test shortens. */
export interface Deadlines {
  readonly bodyMs: number;
  readonly uploadStallMs: number;
  readonly readerStallMs: number;
}

/** Longest request line and headers together, bytes: Node answers 431 beyond it. */
export const maxHeaderBytes = 16 * 1024;
/** Most header lines of a request: browsers send about 20, proxies a few more. */
export const maxHeaderCount = 100;
/**
 * Requests of one connection that are being answered or wait for it: clients that pipeline send up to ten. Beyond it nothing more is
 * read, and the connection is closed when these are answered; clients repeat the rest on a new one (RFC 9112 §9.3.2).
 */
export const maxRequestsOfConnection = 16;
/**
 * Requests that begin in one turn of the event loop: some 3 ms, a tenth of the time between two frames. In one second one address gets what
 * 1,000 low-latency players behind one router ask for, a quarter of what a core answers; what exceeds it waits for the next second.
 */
export const requestTurns: TurnLimits = { mostPerTurn: 64, turnMs: 10, mostPerSecondOfAddress: 4_000 };
/** A request's headers must be complete this long after the connection or the previous request, milliseconds (slow-loris). */
export const headersTimeoutMs = 10_000;
/** How often Node looks for such connections, milliseconds. */
export const connectionCheckIntervalMs = 2_000;
/** A request body of a call must be complete this long after its headers, milliseconds (slow body). */
const bodyTimeoutMs = 30_000;
/** An upload must bring `uploadProgressBytes` in this time, milliseconds; so must a body on its way to a backend. */
export const uploadStallMs = 60_000;
/** What an upload must bring in `uploadStallMs`, bytes: 270 bytes per second, less than any line that could finish one. */
export const uploadProgressBytes = 16 * 1024;
/** An idle kept connection is closed after this long, milliseconds: the console polls each 10 s. */
export const keepAliveMs = 30_000;
/** A client that was told to stop, or that has closed its side, keeps its connection this long, milliseconds. */
export const lingerMs = 1_000;
/** A client may stop reading an answer or a file this long, milliseconds; then it is cut off. */
export const readerStallMs = 60_000;
/**
 * Bytes of complete answers that clients have not taken and nobody shares: the playlist of four hours to rewind has 600 KB, so these are 400
 * viewers on slow lines, 100 behind one router. Beyond it one that takes nothing is cut off.
 */
export const unsentAnswers: UnsentLimits = {
  mostBytes: 256 * 1024 ** 2,
  mostBytesPerAddress: 64 * 1024 ** 2,
  idleMs: 5_000,
};
/** A proxied answer may run ahead of its client by this much, bytes, before the control plane is asked to wait: a few reads. */
export const maxHeldAnswerBytes = 256 * 1024;
/** Longest wait for the control plane's answer, milliseconds: ordering a certificate takes minutes. */
export const answerTimeoutMs = 300_000;
/** Longest pause within an answer, milliseconds: event streams send a comment more often. */
export const answerPauseMs = 300_000;
/** Wait for a connection to the control plane, milliseconds: it is on this machine. */
export const connectTimeoutMs = 2_000;
/** Bodies of calls held in memory, all together, bytes: 64 of the largest; beyond it the oldest incomplete one is given up. */
export const bodyMemory: Share = { most: 64 * 1024 ** 2, mostPerAddress: 16 * 1024 ** 2 };
/** Largest report of a player, bytes: five ways to play with every figure have 1,500. */
export const maxReportBytes = 4 * 1024;
/** A report must be complete this long after its headers, milliseconds. */
export const reportBodyMs = 5_000;
/** Reports held in memory before they are complete, bytes: 1,024 and 128 of the largest. */
export const reportMemory: Share = { most: 4 * 1024 ** 2, mostPerAddress: 512 * 1024 };
/** Calls at the control plane at the same time, with their bodies complete; a call takes milliseconds. */
export const callLane: LaneLimits = { most: 128, mostPerAddress: 48, mostWaiting: 4_096, mostWaitingPerAddress: 1_024 };
/** Uploads at the same time, for as long as they take; more are asked to come back. */
export const uploadLane: LaneLimits = { most: 64, mostPerAddress: 24, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Event streams at the same time: a few more than the control plane admits (`maxEventStreams`), which then says why. */
export const eventLane: LaneLimits = { most: 104, mostPerAddress: 104, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Answers that the control plane goes on with at the pace of a client that reads slowly. */
export const slowReaders: TransferLimits = { most: 32, mostPerAddress: 16, idleMs: 1_000 };
/** Answers that have ended and that their clients have not taken yet, each of at most `maxHeldAnswerBytes`. */
export const unreadAnswers: TransferLimits = { most: 512, mostPerAddress: 128, idleMs: 1_000 };
/** Connections to the control plane: one for each place above. */
export const maxPlatformConnections = callLane.most + uploadLane.most + eventLane.most + slowReaders.most;
/** Questions under way on the connection of quick calls: as many as calls; beyond it a call is asked in full. */
export const maxQuickQuestions = callLane.most;
/** When a question waits and no answer came for this long, all are asked in full, milliseconds: an answer from memory takes one. */
export const quickPauseMs = 5_000;
/** Between two tries to make that connection, milliseconds: a control plane that has just started is asked on it soon. */
export const quickRetryMs = 250;
/** The same for a control plane that said it takes none, milliseconds: another product, or one that logs each call. */
export const quickAbsentMs = 10_000;
/** A call that finds no connection to the control plane free is given up after this long, milliseconds. */
export const callWaitMs = 30_000;
/** When a client that was refused a place may come back, seconds. */
export const busyRetrySeconds = 5;
/** Files sent at the same time: each holds a file and 128 KB. When all are taken, one that stands still makes room. */
export const fileTransfers: TransferLimits = { most: 1_024, mostPerAddress: 512, idleMs: 5_000 };
/** Bytes of a file read at a time: two of them wait for a client that reads slowly. */
export const fileReadBytes = 64 * 1024;
/** Sockets of one public server: below the usual limit of open files, above what one machine serves. */
export const maxPublicConnections = 30_000;
/**
 * Of these, connections without a request under way: half a TLS handshake, half a head, kept for a next request. What a third of the
 * limit is; the engine's viewers may take the rest.
 */
export const maxUnusedConnections = 10_000;
/**
 * The same of one address: browsers keep six to a server, so this is a school of 300 behind one router. The oldest is closed for
 * a newer one, which a browser does not notice.
 */
export const maxUnusedConnectionsPerAddress = 2_048;
/** When all sockets are taken, idle ones are closed for new clients, at most once in this time, milliseconds: it walks all. */
export const roomIntervalMs = 1_000;
/** Sockets of one address at one public server: a school behind one router has a tenth of it. */
export const maxConnectionsPerAddress = 10_000;
/** Sockets to one backend of a proxied path; more requests than that wait. */
export const maxBackendSockets = 256;
/** Requests at one backend: no address takes all of its sockets, and a school behind one router finds enough. */
export const backendLane: LaneLimits = {
  most: maxBackendSockets,
  mostPerAddress: 192,
  mostWaiting: 4_096,
  mostWaitingPerAddress: 1_024,
};
/** WebSockets to all backends at the same time. */
export const webSocketLane: LaneLimits = {
  most: 4_096,
  mostPerAddress: 1_024,
  mostWaiting: 0,
  mostWaitingPerAddress: 0,
};
/** An upgraded connection that is quiet is asked whether its other end is still there after this long, milliseconds. */
export const webSocketKeepAliveMs = 60_000;
/** Longest wait for a backend's answer, milliseconds: the usual limit of web servers. */
export const backendAnswerMs = 60_000;
/** Longest pause within a backend's answer, milliseconds: event streams send a comment more often. */
export const backendIdleMs = 300_000;
/** The control plane has this long to say whether it takes new work, milliseconds: health checks wait 2 s or more. */
export const readinessTimeoutMs = 1_500;
/** A TLS handshake must be done in this time, milliseconds. */
export const handshakeTimeoutMs = 10_000;
/**
 * TLS handshakes that begin in one turn of the event loop and in one second: each takes 0.5 ms of the core that carries the media, so all
 * together take half of it. One address gets what 300 browsers behind one router open in four seconds. The rest waits.
 */
export const handshakeTurns: TurnLimits = { mostPerTurn: 4, mostPerSecond: 1_000, mostPerSecondOfAddress: 500 };
/** How often the certificate files are looked at, milliseconds: two stat calls. */
export const certificateCheckMs = 2_000;
/** Longest ACME challenge file, bytes: a key authorisation has about 90. */
export const maxChallengeBytes = 4 * 1024;
/** While the control plane is away, one log line per this long, milliseconds: open consoles ask every second. */
export const awayLogIntervalMs = 10_000;

export const deadlines: Deadlines = { bodyMs: bodyTimeoutMs, uploadStallMs, readerStallMs };
