import { storageKeys } from '@srs-stack/contract';
import { render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { startI18n } from '../../i18n/i18n.ts';
import { Providers } from '../../shared/providers.tsx';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import LogoutPage from './logout-page.tsx';

test.each([true, false])(
  'the callback, if one is given (%s), is called after the credential was deleted',
  async (given) => {
    const server = startFakeServer();
    server.respondWith({ logOut: () => null });
    await startI18n('en', ['common', 'logout']);
    localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
    const storedAtCall: (string | null)[] = [];
    const onLogout = vi.fn(() => storedAtCall.push(localStorage.getItem(storageKeys.token)));
    render(
      <Providers client={createQueryClient()} env="test">
        <MemoryRouter initialEntries={['/zh/routers-logout']}>
          <Routes>
            <Route path="/zh/routers-logout" element={<LogoutPage {...(given ? { onLogout } : {})} />} />
            <Route path="/zh/routers-login" element={<p>the login</p>} />
          </Routes>
        </MemoryRouter>
      </Providers>,
    );
    expect(screen.getByRole('heading', { name: 'Logout' })).toBeTruthy();
    await waitFor(() => expect(screen.getByText('the login')).toBeTruthy());
    expect(storedAtCall).toEqual(given ? [null] : []);
    expect(localStorage.getItem(storageKeys.token)).toBeNull();
    // The server removes the session cookie, which requires the credential.
    expect(server.callsOf('logOut').map(({ body }) => body.token)).toEqual([testSession.token]);
  },
);
