// Switches for protocols and kinds of tasks. Switching off needs a confirmation and disconnects clients immediately.
import { Button, Skeleton } from '@mantine/core';
import type { ComponentName, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { protocolComponents } from '@srs-stack/contract/values/components.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { EquivalentCall } from '../../shared/equivalent-call.tsx';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './components-page.module.css';
import { ReconnectPublishers } from './reconnect-publishers.tsx';

type Component = ResponseOf<typeof calls.queryComponents>['components'][number];

export function useComponents() {
  return useQuery({ ...apiQuery(calls.queryComponents, {}), refetchInterval: pollIntervalMs });
}

export function ComponentList() {
  const { t } = useTranslation('components');
  const query = useComponents();
  if (!query.data) return <QueryPlaceholder query={query} skeleton={<Skeleton height={420} />} />;
  const { components, mediaServer } = query.data;
  const isProtocol = ({ name }: Component) => protocolComponents.some((each) => each === name);
  const groups = [
    { title: t('parts.protocols'), rows: components.filter(isProtocol) },
    { title: t('parts.tasks'), rows: components.filter((row) => !isProtocol(row)) },
  ];
  return (
    <>
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3 className={classes.groupTitle}>{title}</h3>
          <ul className={classes.parts}>
            {rows.map((row) => (
              <li key={row.name} className={classes.part}>
                <ComponentRow row={row} engine={mediaServer.engine} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <EquivalentCall endpoint={calls.updateComponent} request={{ name: 'srt', enabled: false }} />
    </>
  );
}

function ComponentRow({ row, engine }: { row: Component; engine: 'embedded' | 'srs' }) {
  const { t } = useTranslation('components');
  const { name, state, port } = row;
  const change = useSwitch(name);
  const label = t(`parts.name.${name}`);
  const wasEnabled = change.isSuccess && change.variables.enabled;
  return (
    <>
      <div className={classes.partText}>
        <span className={classes.partName}>
          {label}
          {port !== undefined && state === 'running' && (
            <span className={classes.port}>{t('parts.port', { port })}</span>
          )}
        </span>
        <span className={classes.partDetail}>{t(`parts.text.${name}`)}</span>
        {state === 'absent' && <span className={classes.partDetail}>{t('parts.absentAdvice')}</span>}
        {wasEnabled && engine === 'srs' && name === 'hls' && <ReconnectPublishers />}
      </div>
      <StatusBadge state={badgeOf[state]}>{t(`parts.state.${state}`)}</StatusBadge>
      {state === 'off' && (
        <Button size="xs" loading={change.isPending} onClick={() => change.mutate({ name, enabled: true })}>
          {t('parts.enable')}
          <span className={classes.offscreen}>{label}</span>
        </Button>
      )}
      {state === 'running' && (
        <ConfirmPopover
          dangerous
          text={t('parts.confirm', { name: label })}
          onConfirm={() => change.mutate({ name, enabled: false })}
        >
          <Button size="xs" variant="default" loading={change.isPending}>
            {t('parts.disable')}
            <span className={classes.offscreen}>{label}</span>
          </Button>
        </ConfirmPopover>
      )}
    </>
  );
}

const badgeOf = { running: 'good', off: 'stopped', absent: 'idle', foreign: 'idle' } as const;

function useSwitch(name: ComponentName) {
  const { t } = useTranslation('components');
  const client = useQueryClient();
  const reportError = useReportError();
  return useMutation({
    ...apiMutation(calls.updateComponent),
    onSuccess: async (_data, { enabled }) => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryComponents) });
      await showToast({ message: t(enabled ? 'parts.enabled' : 'parts.disabled', { name: t(`parts.name.${name}`) }) });
    },
    onError: reportError,
  });
}
