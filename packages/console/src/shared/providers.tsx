// Provides theme, query cache and toasts to all screens.
import { MantineProvider } from '@mantine/core';

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { colorSchemeManager } from '../theme/color-scheme.ts';
import { cssVariablesResolver } from '../theme/css-variables.ts';
import { theme } from '../theme/theme.ts';
import { ToastHost } from '../ui/toast-host.tsx';

export interface ProvidersProps {
  client: QueryClient;
  /** `test` disables Mantine's transitions and portals. */
  env?: 'default' | 'test';
  children: ReactNode;
}

export function Providers({ client, env = 'default', children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      env={env}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariablesResolver}
    >
      <QueryClientProvider client={client}>
        <ToastHost />
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}
