// Access: first start, login, logout.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { fill, press, steps } from '../steps.ts';

const logIn = steps((page) => page.getByRole('textbox').fill('a wrong guess'), press('login:submit.idle'));

export const entryPages: readonly GalleryPage[] = [
  {
    id: 'boot',
    source: 'first-paint',
    path: 'routers-login',
    states: [
      { name: 'loading', answers: { envs: 'pending' }, isSignedOut: true, shows: 'common:loading' },
      {
        name: 'unreachable',
        answers: { envs: 'unreachable' },
        isSignedOut: true,
        shows: 'common:controlPlane.away',
      },
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
      {
        name: 'token refused',
        isSignedOut: true,
        answers: { init: data({ init: false, setupTokenRequired: true }) },
        actAnswers: { init: refused('setupTokenWrong') },
        act: steps(fill('setup:setupToken', 'a guess'), press('setup:submit')),
        shows: 'errors:explained.setupTokenWrong.what',
      },
      {
        name: 'weak password',
        isSignedOut: true,
        act: fill('setup:password', '12345678'),
        shows: 'setup:strength.weak',
      },
      {
        name: 'no password',
        isSignedOut: true,
        act: steps(fill('setup:password', ''), press('setup:submit')),
        shows: 'setup:strength.empty',
      },
      {
        name: 'submitting',
        isSignedOut: true,
        actAnswers: { init: 'pending' },
        act: press('setup:submit'),
        shows: 'setup:submitting',
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
        act: logIn,
        shows: 'errors:explained.passwordWrong.what',
      },
      {
        name: 'throttled',
        isSignedOut: true,
        answers: { login: refused('loginThrottled') },
        act: logIn,
        shows: 'errors:explained.loginThrottled.what',
      },
      {
        name: 'submitting',
        isSignedOut: true,
        answers: { login: 'pending' },
        act: logIn,
        shows: 'login:submit.submitting',
      },
      {
        name: 'masked',
        isSignedOut: true,
        act: steps(
          (page) => page.getByRole('textbox').fill('a wrong guess'),
          (page, text) => page.getByLabel(text('login:showPassword')).click(),
        ),
        shows: (page) => page.locator('input[type="password"]'),
      },
      {
        name: 'session ended',
        path: 'routers-scenario?tab=forward',
        answers: { forwardSecret: refused('tokenInvalid'), forwardStreams: refused('tokenInvalid') },
        shows: 'login:submit.idle',
      },
    ],
  },
  // The logout screen redirects immediately, so its screenshot shows the login screen.
  { id: 'logout', path: 'routers-logout', states: [{ name: 'done', shows: 'login:submit.idle' }] },
];
