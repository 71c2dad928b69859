// Form for switch, target and opaque text, which are saved together. A test sends one request to the typed target, saved or not.
import { Alert, Button, Group, Switch, TextInput } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxHookOpaqueLength, maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { IconSend } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { useUnsavedChanges } from '../../../shared/unsaved-changes.ts';
import { monoInput } from '../../../ui/mono-input.ts';
import { showToast } from '../../../ui/toast.ts';
import classes from './callback.module.css';
import { EventList } from './event-list.tsx';
import { useApplyHooks, useTestHooks } from './queries.ts';
import { CallbackSaveProblem } from './save-problem.tsx';
import { TestResult } from './test-result.tsx';

type Hooks = ResponseOf<typeof calls.queryHooks>;
type Draft = Pick<Hooks, 'all' | 'target' | 'opaque'>;
const exampleTarget = `${location.origin}${calls.hooksExample.path}?fail=false`;

export function CallbackForm({ stored }: { stored: Hooks }) {
  const { t } = useTranslation(['hooks', 'common']);
  const [draft, setDraft] = useState<Draft>();
  // The revision when the operator started typing. Polling keeps this revision, so the save detects a change by another operator.
  const [revision, setRevision] = useState(stored.revision);
  const [isTargetMissing, setIsTargetMissing] = useState(false);
  const forget = () => setDraft(undefined);
  const apply = useApplyHooks(() => {
    forget();
    void showToast({ message: t('saved') });
  });
  const test = useTestHooks();
  const { all, target, opaque } = draft ?? stored;
  const isDirty =
    draft !== undefined && (['all', 'target', 'opaque'] as const).some((key) => draft[key] !== stored[key]);
  useUnsavedChanges(isDirty);
  const change = (part: Partial<Draft>) => {
    if (!draft) setRevision(stored.revision);
    setDraft({ all, target, opaque, ...part });
    setIsTargetMissing(false);
    apply.reset();
  };
  const request = { all, target: target.trim(), opaque, host: stored.host };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (all && target.trim() === '') setIsTargetMissing(true);
    else apply.mutate({ ...request, revision: draft ? revision : stored.revision });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <Switch
        aria-label={t('all.label')}
        checked={all}
        onChange={(event) => change({ all: event.currentTarget.checked })}
        label={t('all.label')}
        description={t('all.hint')}
      />
      <TextInput
        mt="md"
        label={t('target.label')}
        description={t('target.hint')}
        placeholder="http://127.0.0.1:8000/events"
        value={target}
        maxLength={maxTargetUrlLength}
        onChange={(event) => change({ target: event.currentTarget.value })}
        error={isTargetMissing ? t('target.missing') : undefined}
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        styles={monoInput}
      />
      <Group mt="xs" gap="xs">
        <Button variant="default" size="xs" onClick={() => change({ target: exampleTarget })}>
          {t('target.example')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSend size={16} aria-hidden />}
          disabled={target.trim() === ''}
          loading={test.isPending}
          onClick={() => test.mutate({ target: target.trim(), opaque })}
        >
          {t('test.send')}
        </Button>
      </Group>
      {test.data && <TestResult delivery={test.data} />}
      {test.error && (
        <div className={classes.below}>
          <InlineFailure error={test.error} />
        </div>
      )}
      <TextInput
        mt="md"
        label={t('opaque.label')}
        description={t('opaque.hint')}
        value={opaque}
        maxLength={maxHookOpaqueLength}
        onChange={(event) => change({ opaque: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <EventList />
      {stored.host !== '' && (
        <Alert color="gray" variant="light" mt="md" p="sm">
          {t('host', { host: stored.host })}
        </Alert>
      )}
      <CallbackSaveProblem
        error={apply.error}
        onReload={() => {
          apply.reset();
          forget();
        }}
      />
      <Group mt="md" gap="sm">
        <Button type="submit" loading={apply.isPending}>
          {t('common:save')}
        </Button>
        {isDirty && (
          <Button variant="subtle" color="gray" onClick={forget}>
            {t('discard')}
          </Button>
        )}
      </Group>
      <EquivalentCall endpoint={calls.applyHooks} request={request} />
    </form>
  );
}
