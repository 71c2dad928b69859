// Selects the stream key or the publish secret for the addresses of a guide.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';

type StreamKey = ResponseOf<typeof calls.queryStreamKeys>['keys'][number];

export interface StreamKeyChoice {
  /** Unexpired keys; empty while loading. */
  readonly keys: readonly StreamKey[];
  /** Undefined if the publish secret is selected. */
  readonly chosen: StreamKey | undefined;
  readonly choose: (id: string | undefined) => void;
}

export function useStreamKey(): StreamKeyChoice {
  const { data } = useQuery(apiQuery(calls.queryStreamKeys, {}));
  const [id, choose] = useState<string>();
  const isValid = ({ expiresAt }: StreamKey) => expiresAt === null || Date.parse(expiresAt) > Date.now();
  const keys = data?.keys.filter(isValid) ?? [];
  return { keys, chosen: keys.find((key) => key.id === id), choose };
}
