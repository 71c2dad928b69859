// Provides the API client of the selected SRS server to all pages.
import { createContext, useContext } from 'react';
import type { SrsApi } from '../api/srs-api.ts';

export const SrsApiContext = createContext<SrsApi | undefined>(undefined);

export function useSrsApi(): SrsApi {
  const api = useContext(SrsApiContext);
  if (!api) throw new Error('useSrsApi must be used inside SrsApiContext');
  return api;
}
