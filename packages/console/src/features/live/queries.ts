import { calls } from '@srs-stack/contract/calls.ts';
import { apiMutation, apiQuery } from '../../api/api-query.ts';

/** Polling interval of the visible card, milliseconds. A new stream appears within two seconds. */
export const liveCardPollMs = 2_000;

/** Queries all live streams: a missing stream usually is live or refused under another name. */
export const liveQuery = { ...apiQuery(calls.queryLive, {}), retry: false, staleTime: 0 };
export const kickMutation = apiMutation(calls.kickStream);
