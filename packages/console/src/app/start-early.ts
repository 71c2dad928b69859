// Requests the data of the first screen in parallel with the texts.
import type { QueryClient } from '@tanstack/react-query';
import { readSession } from '../api/stored-session.ts';
import type { Locale } from '../i18n/languages.ts';
import { screenOfPath } from '../navigation/paths.ts';
import { environmentQuery, initQuery } from '../shared/boot-queries.ts';
import { accessStage, screenOfStage } from './access/access-stage.ts';
import { ConsoleShell, screenComponents } from './screens.ts';

/**
 * Assumes that an admin password is set; without a password, one small file is fetched in vain. @param pathname path
 * without the base path.
 */
export function startEarly(client: QueryClient, pathname: string, locale: Locale): void {
  void client.prefetchQuery(environmentQuery(locale));
  void client.prefetchQuery(initQuery);
  const stage = accessStage(true, readSession() !== undefined);
  const screen = screenOfStage(stage, screenOfPath(pathname));
  screenComponents[screen].preload();
  if (stage === 'signed-in' && screen !== 'login') ConsoleShell.preload();
}
