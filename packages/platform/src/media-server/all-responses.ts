// Calls several media servers in parallel: failing ones are omitted, unless all fail.
import { AppError } from '@srs-stack/contract';

/** Responses of the servers that respond; throws the error of the first when none does. Rethrows bugs. */
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
