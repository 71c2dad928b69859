// Commands for streams: open a live stream, copy the publish address, start or stop the demo stream.
import { calls } from '@srs-stack/contract/calls.ts';
import { IconBroadcast, IconCopy, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { apiMutation, apiQuery } from '../../api/api-query.ts';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { useLiveStreams } from '../../shared/live-streams.ts';
import { readStreamName } from '../../shared/publish-guide/stream-name.ts';
import { useAddresses } from '../../shared/publish-guide/use-addresses.ts';
import { useCopy } from '../../ui/use-copy.ts';
import type { Command } from './commands.ts';

export function useStreamCommands(): Command[] {
  return [...useLiveCommands(), ...useDemoCommand(), ...useCopyCommands()];
}

function useLiveCommands(): Command[] {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const streams = useLiveStreams().data?.streams ?? [];
  return streams.map(({ id, app, stream, viewers }) => ({
    id: `stream ${id}`,
    group: 'streams',
    label: `${app}/${stream}`,
    hint: t('viewers', { count: viewers }),
    icon: <IconBroadcast size={18} aria-hidden />,
    run: () => navigate(toScreen('streams', `?stream=${encodeURIComponent(`${app}/${stream}`)}`)),
  }));
}

function useDemoCommand(): Command[] {
  const { t } = useTranslation('palette');
  const client = useQueryClient();
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const reportError = useReportError();
  const query = apiQuery(calls.queryDemoStream, {});
  const { data } = useQuery(query);
  const isOn = data?.enabled ?? false;
  const change = useMutation({
    ...apiMutation(isOn ? calls.stopDemoStream : calls.startDemoStream),
    onSuccess: (demo) => client.setQueryData(query.queryKey, demo),
    onError: reportError,
  });
  if (!data) return [];
  return [
    {
      id: 'demo test picture',
      group: 'actions',
      label: t(isOn ? 'stopDemo' : 'startDemo'),
      icon: isOn ? <IconPlayerStop size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />,
      run: () => {
        change.mutate({});
        if (!isOn) void navigate(toScreen('scenario', '?tab=tutorials'));
      },
    },
  ];
}

/** Commands that copy the RTMP server address and the stream key for an encoder. */
function useCopyCommands(): Command[] {
  const { t } = useTranslation(['palette', 'common']);
  const [serverName, keyName] = [t('server'), t('streamKey')];
  const { copy: copyServer } = useCopy(serverName);
  const { copy: copyKey } = useCopy(keyName);
  const { data } = useQuery(apiQuery(calls.queryPublishSecret, {}));
  const secret = data && !data.pubNoAuth ? data.publish : '';
  const { rtmpServer, rtmpStreamKey } = useAddresses(readStreamName(localStorage), secret);
  if (!data) return [];
  const command = (id: string, name: string, run: () => unknown): Command => ({
    id: `copy ${id}`,
    group: 'actions',
    label: t('common:copy.label', { name }),
    keywords: 'OBS RTMP',
    icon: <IconCopy size={18} aria-hidden />,
    run,
  });
  return [
    command('server', serverName, () => copyServer(rtmpServer)),
    command('key', keyName, () => copyKey(rtmpStreamKey)),
  ];
}
