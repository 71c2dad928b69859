// Rules for push targets of all tasks: the address, and whether this server may connect to it.
import {
  AppError,
  because,
  builtInPlatforms,
  maxPushTargets,
  type PushTarget,
  programWords,
  type RefusalDetail,
  verbatim,
  type WorkerDetail,
  workerDetail,
  workerDetails,
} from '@srs-stack/contract';
import { checkAddress, judgeHost, pushSchemes } from '../../network/address-rule.ts';
import { joinAddress, pushOutput } from '../../workers/ffmpeg-args/address.ts';
import type { PlanResult } from '../../workers/worker-plan.ts';

/** Allowed keys of added platforms. A key is a part of worker ids and row ids. */
const platformKey = /^[\w.-]+$/;

export function checkAction(action: string): void {
  if (action !== 'update')
    throw new AppError('invalidRequest', verbatim(`Invalid action "${action}", should be "update"`));
}

/** Throws `invalidRequest` for an unknown platform. @param mark part of the keys of added platforms. */
export function checkPlatform(platform: string, mark: string): void {
  if (platform === '') throw new AppError('invalidRequest', because('target.platform-missing'));
  const isKnown = (builtInPlatforms as readonly string[]).includes(platform);
  if (isKnown || (platform.includes(mark) && platformKey.test(platform))) return;
  throw new AppError('invalidRequest', because('target.platform', { platforms: builtInPlatforms.join(', '), mark }));
}

/** Validates a target. The label of a custom platform is optional, because scripts of earlier releases send none. */
export function checkTarget(target: PushTarget, noServer: RefusalDetail): void {
  if (target.server === '') throw new AppError('invalidRequest', noServer);
  checkPush(target);
}

/** Throws `addressRefused`. */
export function checkPush({ server, secret }: Pick<PushTarget, 'server' | 'secret'>): void {
  checkAddress(pushOutput(server, secret).checked, pushSchemes);
  if (/\p{Cc}/u.test(secret)) throw new AppError('addressRefused', because('address.spaces'));
}

export function checkRoom(count: number): void {
  if (count >= maxPushTargets)
    throw new AppError('invalidRequest', because('target.too-many', { maximum: maxPushTargets }));
}

/** Why an address is refused: it is invalid, or its host is forbidden or unresolvable. Undefined for an allowed address. */
export async function refusedHost(address: string, schemes: readonly string[]): Promise<PlanResult | undefined> {
  let host: string;
  try {
    host = checkAddress(address, schemes).host;
  } catch (error) {
    return { kind: 'fail', reason: 'address-refused', detail: toWorkerDetail(error as Error), needsOperator: true };
  }
  const verdict = await judgeHost(host);
  if (verdict === 'allowed') return undefined;
  if (verdict === 'unknown')
    return {
      kind: 'fail',
      reason: 'host-unknown',
      detail: workerDetail('host-unknown', { host }),
      needsOperator: false,
    };
  const detail = workerDetail('host-forbidden', { host });
  return { kind: 'fail', reason: 'address-refused', detail, needsOperator: true };
}

/** Converts the reason of a refused address for a worker. Keeps the message key if workers have this key too. */
function toWorkerDetail(error: Error): WorkerDetail {
  const detail = error instanceof AppError ? error.detail : undefined;
  if (!detail || !(detail.key in workerDetails)) return programWords(error.message);
  return { of: 'worker', key: detail.key, values: detail.values, text: error.message };
}

/** Secrets in a target's address: the key, and user, password and query of the server. */
export function secretsOfTarget({ server, secret }: Pick<PushTarget, 'server' | 'secret'>): string[] {
  const userInfo = /^[a-z]+:\/\/([^/@]*)@/i.exec(joinAddress(server, ''))?.[1] ?? '';
  const query = server.split('?').slice(1).join('?');
  return [secret, userInfo, ...userInfo.split(':').slice(1), query].filter((each) => each !== '');
}
