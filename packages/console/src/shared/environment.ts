// The environment of the server, for every screen: ports, limits, candidate.
import type { Environment } from '@srs-stack/contract';
import { createContext, useContext } from 'react';

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

/** @throws Error outside the access gate. */
export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext);
  if (!environment) throw new Error('useEnvironment must be used inside AccessGate');
  return environment;
}
