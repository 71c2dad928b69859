// Renders a component in English with all providers of a screen.
import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { type Namespace, startI18n } from '../i18n/i18n.ts';
import { Providers } from '../shared/providers.tsx';

export async function renderPart(part: ReactNode, namespaces: readonly Namespace[] = []): Promise<RenderResult> {
  await startI18n('en', ['common', ...namespaces]);
  return render(
    <Providers client={createQueryClient()} env="test">
      <MemoryRouter>{part}</MemoryRouter>
    </Providers>,
  );
}
