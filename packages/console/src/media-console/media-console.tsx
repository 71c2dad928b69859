import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { createSrsApi } from '../api/srs-api.ts';
import { StreamSourceContext } from '../shared/streams/stream-source.ts';
import { readApiAddress } from './api-address.ts';
import { AddressProblem } from './api-problem.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import { ClientsPage } from './pages/clients-page.tsx';
import { StreamsPage } from './pages/streams-page.tsx';
import { SummariesPage } from './pages/summaries-page.tsx';
import { VhostsPage } from './pages/vhosts-page.tsx';
import { SrsApiContext } from './srs-api-context.ts';
import { createSrsSource } from './srs-source.ts';

export function MediaConsole() {
  const { t } = useTranslation('media-console');
  const { search } = useLocation();
  // A string, so that a change of other query parameters does not reset the page.
  const address = JSON.stringify(readApiAddress(new URLSearchParams(search), new URL(location.href)));
  const server = useMemo(() => {
    const read = JSON.parse(address) as ReturnType<typeof readApiAddress>;
    if (typeof read === 'string') return read;
    const api = createSrsApi(read.api);
    return { api, source: createSrsSource(api, read.http) };
  }, [address]);
  if (typeof server === 'string') {
    return (
      <ConsoleFrame origin="">
        <AddressProblem problem={server} />
      </ConsoleFrame>
    );
  }
  return (
    <SrsApiContext value={server.api}>
      <StreamSourceContext value={server.source}>
        <ConsoleFrame origin={server.api.isOwn ? t('thisServer') : server.api.origin}>
          <Routes>
            <Route path="/summaries" element={<SummariesPage />} />
            <Route path="/streams" element={<StreamsPage />} />
            <Route path="/clients" element={<ClientsPage />} />
            <Route path="/vhosts" element={<VhostsPage />} />
            <Route path="*" element={<Navigate to={{ pathname: '/summaries', search }} replace />} />
          </Routes>
        </ConsoleFrame>
      </StreamSourceContext>
    </SrsApiContext>
  );
}
