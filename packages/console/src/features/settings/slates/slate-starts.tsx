// Starts a stream with its slate before the encoder connects, and lists the started streams without an encoder.
import { Button, NumberInput, Progress, Select, TextInput } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { longestSlateMinutes, slateStartRates } from '@srs-stack/contract/limits.ts';
import { isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { SlateBadge } from '../../../shared/streams/slate-badge.tsx';
import { StatusBadge, type StatusState } from '../../../ui/status-badge.tsx';
import { SlateFailure } from './slate-failure.tsx';
import classes from './slates.module.css';

type Start = ResponseOf<typeof calls.querySlates>['starts'][number];

const sizes = ['1920x1080', '1280x720', '854x480', '1080x1920', '720x1280'] as const;
const badges: Readonly<Record<Exclude<Start['state'], 'on-air'>, StatusState>> = {
  preparing: 'connecting',
  waiting: 'connecting',
  failed: 'error',
};

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: apiKey(calls.querySlates) });
}

export function SlateStarts({ starts, longest }: { starts: readonly Start[]; longest: number }) {
  const { t } = useTranslation('slates');
  return (
    <>
      <StartForm longest={longest} />
      {starts.length > 0 && (
        <ul className={classes.rows} aria-label={t('start.list')}>
          {starts.map((start) => (
            <StartRow key={`${start.app}/${start.stream}`} start={start} />
          ))}
        </ul>
      )}
    </>
  );
}

function StartForm({ longest }: { longest: number }) {
  const { t } = useTranslation('slates');
  const [stream, setStream] = useState('');
  const [size, setSize] = useState<string>(sizes[0]);
  const [fps, setFps] = useState('30');
  const [minutes, setMinutes] = useState<number | string>(longest);
  const [isRefused, setIsRefused] = useState(false);
  const start = useMutation({ ...apiMutation(calls.startSlate), onSuccess: useRefresh() });
  const isNameWrong = !isValidStreamName(stream.trim());
  const areMinutesWrong = !(Number(minutes) >= 1 && Number(minutes) <= longestSlateMinutes);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(isNameWrong || areMinutesWrong);
    if (isNameWrong || areMinutesWrong) return;
    const [width = 0, height = 0] = size.split('x').map(Number);
    const rate = slateStartRates.find((each) => String(each) === fps) ?? 30;
    start.mutate({ stream: stream.trim(), width, height, fps: rate, longestMinutes: Number(minutes) });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <div className={classes.start}>
        <TextInput
          label={t('start.stream')}
          placeholder="livestream"
          value={stream}
          onChange={(event) => setStream(event.currentTarget.value)}
          error={isRefused && isNameWrong && t('start.streamWrong')}
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          label={t('start.size')}
          data={sizes.map((value) => ({ value, label: value.replace('x', ' × ') }))}
          value={size}
          onChange={(value) => setSize(value ?? sizes[0])}
          allowDeselect={false}
        />
        <Select
          label={t('start.fps')}
          data={slateStartRates.map(String)}
          value={fps}
          onChange={(value) => setFps(value ?? '30')}
          allowDeselect={false}
        />
        <NumberInput
          label={t('start.longest')}
          suffix={t('minutesSuffix')}
          value={minutes}
          onChange={setMinutes}
          clampBehavior="none"
          error={isRefused && areMinutesWrong && t('longestWrong', { max: longestSlateMinutes })}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={start.isPending}
        >
          {t('start.button')}
        </Button>
      </div>
      {start.error && <InlineFailure error={start.error} />}
    </form>
  );
}

function StartRow({ start: { app, stream, state, progress, failure, reason, onAirMs } }: { start: Start }) {
  const { t } = useTranslation('slates');
  const stop = useMutation({ ...apiMutation(calls.stopSlate), onSuccess: useRefresh(), onError: useReportError() });
  return (
    <li className={classes.row}>
      <span className={classes.name}>{`${app}/${stream}`}</span>
      {state === 'on-air' ? (
        <SlateBadge stream={{ slateForMs: onAirMs }} />
      ) : (
        <StatusBadge state={badges[state]}>{t(`start.state.${state}`)}</StatusBadge>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        loading={stop.isPending}
        onClick={() => stop.mutate({ app, stream })}
      >
        {t('start.stop')}
      </Button>
      {state === 'preparing' && progress !== undefined && (
        <Progress className={classes.wide!} value={progress * 100} size="sm" aria-label={t('start.state.preparing')} />
      )}
      {failure && (
        <p className={classes.quiet}>
          <SlateFailure message={failure} reason={reason} />
        </p>
      )}
    </li>
  );
}
