// Queries the selected SRS server while the page is visible.
import { useQuery } from '@tanstack/react-query';
import { whileAllowed } from '../../shared/streams/use-streams.ts';
import { useSrsApi } from '../srs-api-context.ts';

type Read<T> = (api: ReturnType<typeof useSrsApi>, signal: AbortSignal) => Promise<T>;

/** @param name key in the query cache. */
export function useSrsQuery<T>(name: string, read: Read<T>) {
  const api = useSrsApi();
  return useQuery({
    queryKey: [api.origin, 'page', name],
    queryFn: ({ signal }) => read(api, signal),
    refetchInterval: whileAllowed,
    staleTime: 0,
    retry: false,
    structuralSharing: false,
  });
}
