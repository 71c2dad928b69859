// Tests a target as typed, and shows the result of each step. The test starts no broadcast on the platform.
import { Button, Checkbox, Loader, Text } from '@mantine/core';
import type { ForwardTarget, TargetTest as Test, WorkerDetailKey } from '@srs-stack/contract';
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconMinus, IconPlugConnected } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { phraseText } from '../../i18n/phrase-text.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { presetOfTarget } from '../../shared/push-target/push-targets.ts';
import classes from './forwards.module.css';
import { useForwardTest } from './queries.ts';

export interface TargetTestProps {
  fields: Pick<ForwardTarget, 'server' | 'secret' | 'stream' | 'custom'>;
  platform: string;
}

export function TargetTest({ fields, platform }: TargetTestProps) {
  const { t } = useTranslation('forwards');
  const preset = presetOfTarget({ ...fields, platform }, useLocale());
  const [sendsBlack, setSendsBlack] = useState(false);
  const hintId = useId();
  const { start, test, isFailed } = useForwardTest();
  const isRunning = start.isPending || (start.data !== undefined && !test?.isDone && !isFailed);
  const isHarmless = preset ? preset.harmlessTest !== undefined : sendsBlack;
  const server = fields.server.trim();
  const secret = fields.secret.trim() + (preset?.harmlessTest?.keySuffix ?? '');
  const begin = () => start.mutate({ server, secret, stream: fields.stream, sends: isHarmless ? 'media' : 'nothing' });
  // The result disappears when another address or key is typed.
  const isCurrent = start.variables?.server === server && start.variables.secret === secret;
  return (
    <div className={classes.test}>
      <div className={classes.testHead}>
        <Button
          size="sm"
          variant="default"
          disabled={server === ''}
          aria-describedby={server === '' ? hintId : undefined}
          loading={isRunning}
          leftSection={<IconPlugConnected size={18} aria-hidden />}
          onClick={begin}
        >
          {t('test.button')}
        </Button>
        {server === '' && (
          <Text id={hintId} size="sm" c="dimmed">
            {t('test.needsServer')}
          </Text>
        )}
        {!preset && server !== '' && (
          <Checkbox
            label={t('test.sendsBlack')}
            description={t('test.sendsBlackText')}
            checked={sendsBlack}
            onChange={(event) => setSendsBlack(event.currentTarget.checked)}
          />
        )}
      </div>
      {test && isCurrent && <TestSteps test={test} />}
      {test?.isDone && isCurrent && start.data?.sends === 'nothing' && (
        <Text size="sm" c="dimmed">
          {t(start.variables?.sends === 'nothing' ? 'test.keyUnchecked' : 'test.keyInUse')}
        </Text>
      )}
    </div>
  );
}

const signs = { passed: IconCircleCheck, failed: IconCircleX, skipped: IconMinus, pending: IconCircleDashed } as const;

function TestSteps({ test: { steps, isDone } }: { test: Test }) {
  const { t } = useTranslation('forwards');
  const current = isDone ? undefined : steps.find(({ state }) => state === 'pending')?.step;
  return (
    <ol className={classes.steps} aria-label={t('test.label')} aria-live="polite">
      {steps.map((each) => {
        const Sign = signs[each.state];
        return (
          <li key={each.step} data-step={each.step} data-state={each.state}>
            {each.step === current ? <Loader size={16} aria-hidden /> : <Sign size={18} aria-hidden />}
            <span>{t(`test.step.${each.step}`)}</span>
            <span className={classes.stepState}>
              {t(`test.state.${each.state}`)}
              {each.state === 'passed' && each.step !== 'codec' && ` · ${t('test.milliseconds', { ms: each.ms })}`}
            </span>
            {each.state === 'failed' && <StepFailure step={each} />}
          </li>
        );
      })}
    </ol>
  );
}

function StepFailure({ step: { reason = 'failed', reasonDetail = '', detail } }: { step: Test['steps'][number] }) {
  const { t, i18n } = useTranslation('worker');
  const translated =
    detail &&
    phraseText(detail, {
      has: (key) => i18n.exists(`worker:detail.${key}`),
      format: (key, values) => t(`detail.${key as WorkerDetailKey}`, values),
      separator: ' ',
    });
  return (
    <p>
      <strong>{t(`reason.${reason}.what`)}</strong> {t(`reason.${reason}.remedy`)}
      {reasonDetail !== '' && <small>{translated ?? reasonDetail}</small>}
    </p>
  );
}
