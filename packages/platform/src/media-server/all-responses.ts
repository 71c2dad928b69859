// Calls several media servers in parallel. Failing servers are omitted, unless all fail.
import { AppError } from '@srs-stack/contract';

/** Returns the responses. If no server responds, throws the error of the first server. Rethrows bugs. */
export async function allResponses<Member, T>(
  members: readonly Member[],
  ask: (member: Member) => Promise<T>,
  failures: unknown[] = [],
): Promise<{ member: Member; response: T }[]> {
  const settled = await Promise.allSettled(members.map(ask));
  const responses = settled.flatMap((each, index) =>
    each.status === 'fulfilled' ? [{ member: members[index]!, response: each.value }] : [],
  );
  const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const bug = reasons.find((reason) => !(reason instanceof AppError));
  if (bug !== undefined) throw bug;
  failures.push(...reasons);
  if (responses.length === 0) throw reasons[0];
  return responses;
}
