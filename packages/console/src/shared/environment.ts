// Provides the server's environment to all screens.
import type { Environment } from '@srs-stack/contract';
import { createContext, useContext } from 'react';

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

/** @throws Error outside the access gate, which provides the environment. */
export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext);
  if (!environment) throw new Error('useEnvironment must be used inside AccessGate');
  return environment;
}
