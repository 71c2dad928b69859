import type { FuzzTarget } from './target.ts';
import { containerTargets } from './targets/containers.ts';
import { protocolTargets } from './targets/protocols.ts';
import { routesTarget } from './targets/routes.ts';
import { socketTargets } from './targets/sockets.ts';
import { sourceTargets } from './targets/sources.ts';
import { textTargets } from './targets/texts.ts';

export const targets: readonly FuzzTarget[] = [
  ...protocolTargets,
  ...containerTargets,
  ...textTargets,
  ...sourceTargets,
  routesTarget(),
  ...socketTargets,
];
