import type { LiveClient } from '@srs-stack/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { showToast } from '../../ui/toast.ts';
import { useErrorTexts } from '../errors/error-texts.ts';
import { formatBitrate } from '../format-bitrate.ts';
import { formatBytes } from '../format-bytes.ts';
import { connectionMetrics } from './connection-metrics.ts';
import { formatDuration } from './format.ts';
import { Parts } from './parts.tsx';
import { protocolName } from './stream-parts.ts';
import { useStreamSource } from './stream-source.ts';
import classes from './streams.module.css';

/** `streamPath` is set in lists that contain several streams. */
export type ListedClient = LiveClient & { readonly streamPath?: string };

export function ClientRow({ client }: { client: ListedClient }) {
  const { t, i18n } = useTranslation('streams');
  const bytes = (value: number) => formatBytes(value, i18n.language);
  const connection = connectionMetrics({ publisherDetail: client.detail }).map(({ kind, value }) =>
    t(`figure.${kind}`, { ms: value, n: value }),
  );
  return (
    <li className={classes.client} data-publisher={client.isPublisher || undefined}>
      <span className={classes.protocol}>{protocolName(client.protocol)}</span>
      <div className={classes.clientWho}>
        <span className={classes.address}>
          {client.ip || '–'} {client.isPublisher && <b>{roleOf(client, t)}</b>}{' '}
          {client.streamPath && <code>{client.streamPath}</code>}
        </span>
        {client.userAgent !== '' && (
          <span className={classes.agent} title={client.userAgent}>
            {client.userAgent}
          </span>
        )}
        <span className={classes.muted}>
          <Parts
            values={[
              formatDuration(client.uptimeMs),
              formatBitrate(client.kbps * 1_000, i18n.language),
              bytes(client.isPublisher ? client.receivedBytes : client.sentBytes),
              client.queuedBytes > 0 ? t('clients.queued', { size: bytes(client.queuedBytes) }) : '',
              client.droppedFrames > 0 ? t('clients.dropped', { count: client.droppedFrames }) : '',
              ...connection,
            ]}
          />
        </span>
      </div>
      {(!client.isPublisher || client.priority !== undefined) && <KickClient client={client} />}
    </li>
  );
}

function roleOf({ priority }: LiveClient, t: TFunction<'streams'>): string {
  return priority === undefined ? t('clients.publisher') : t('clients.spare', { priority });
}

function KickClient({ client }: { client: LiveClient }) {
  const { t } = useTranslation('streams');
  const { lineOf } = useErrorTexts();
  const source = useStreamSource();
  const queries = useQueryClient();
  const name = client.ip || client.id;
  const kick = useMutation({
    mutationFn: () => source.kickViewer(client),
    onSuccess: () =>
      void showToast({ message: t(client.isPublisher ? 'kick.publisherDone' : 'kick.viewerDone', { name }) }),
    onError: (error) => void showToast({ message: t('kick.failed', { reason: lineOf(error) }), tone: 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey: source.clients(client.streamId).queryKey }),
  });
  // Renders the popover only after a click, because a popover in each row would slow down the list.
  const [isConfirming, setIsConfirming] = useState(false);
  const button = (
    <button
      type="button"
      className={classes.kick}
      disabled={kick.isPending}
      aria-label={t('kick.viewerLabel', { name })}
      onClick={() => setIsConfirming(true)}
    >
      {t('kick.viewer')}
    </button>
  );
  if (!isConfirming) return button;
  return (
    <ConfirmPopover
      dangerous
      defaultOpened
      text={t(client.isPublisher ? 'kick.spareConsequence' : 'kick.viewerConsequence', { name })}
      onConfirm={() => kick.mutate()}
    >
      {button}
    </ConfirmPopover>
  );
}
