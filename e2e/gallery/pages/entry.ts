// Getting in: the first start, login, logout.
import { data, type GalleryPage, refused } from '../gallery-page.ts';

export const entryPages: readonly GalleryPage[] = [
  {
    id: 'boot',
    path: 'routers-login',
    states: [
      { name: 'loading', answers: { envs: 'pending' }, isSignedOut: true, shows: 'common:loading' },
      { name: 'unreachable', answers: { envs: 'unreachable' }, isSignedOut: true },
      { name: 'failed', answers: { init: refused('internal') }, isSignedOut: true, shows: 'common:reload' },
    ],
  },
  {
    id: 'setup',
    path: 'routers-setup',
    answers: { init: data({ init: false, setupTokenRequired: false }) },
    states: [
      { name: 'filled', isSignedOut: true, shows: 'setup:submit' },
      {
        name: 'waiting',
        isSignedOut: true,
        answers: { check: data({ upgrading: true }) },
        shows: 'setup:waiting',
      },
      {
        name: 'token',
        isSignedOut: true,
        answers: { init: data({ init: false, setupTokenRequired: true }) },
        shows: 'setup:setupToken',
      },
    ],
  },
  {
    id: 'login',
    path: 'routers-login',
    states: [
      { name: 'filled', isSignedOut: true, shows: 'login:submit.idle' },
      { name: 'verifying', answers: { renewToken: 'pending' }, shows: 'login:submit.verifying' },
      {
        name: 'refused',
        isSignedOut: true,
        answers: { login: refused('passwordWrong') },
        act: async (page, text) => {
          await page.getByRole('textbox').fill('a wrong guess');
          await page.getByRole('button', { name: text('login:submit.idle') }).click();
        },
        shows: 'errors:explained.passwordWrong.what',
      },
      {
        name: 'session ended',
        path: 'routers-scenario?tab=forward',
        answers: { forwardSecret: refused('tokenInvalid'), forwardStreams: refused('tokenInvalid') },
        shows: 'login:submit.idle',
      },
    ],
  },
  // The logout screen leaves at once for the login screen; its picture is that one.
  { id: 'logout', path: 'routers-logout', states: [{ name: 'done', shows: 'login:submit.idle' }] },
];
