// Responses to quick calls, which gateways send over one persistent connection. Equal to the responses over HTTP.
import type { QuickCall } from '@srs-stack/contract/quick-calls.ts';
import type { Modules } from '../modules.ts';

export type QuickResponses = Readonly<Record<QuickCall, () => unknown>>;

export function quickResponses({ settings, streams }: Pick<Modules, 'settings' | 'streams'>): QuickResponses {
  return {
    status: () => settings.system.status(),
    queryPublishSecret: () => streams.publishSecret.current(),
  };
}
