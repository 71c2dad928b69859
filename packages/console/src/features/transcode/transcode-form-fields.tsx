import {
  Alert,
  Input,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  TextInput,
} from '@mantine/core';
import { transcodeRules } from '@srs-stack/contract/constants.ts';
import { maxStreamKeyLength, maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { transcodePictureDefaults } from '@srs-stack/contract/values/transcode-picture.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { monoInput, monoSecret } from '../../ui/mono-input.ts';
import { PictureFields } from './picture-fields.tsx';
import classes from './transcode.module.css';
import type { TranscodeForm } from './use-transcode-form.ts';
import type { TranscodeField, TranscodeFields } from './validate-transcode.ts';

type FormPart = Pick<TranscodeForm, 'fields' | 'set' | 'problem'>;

export function TranscodeFormFields(form: FormPart) {
  const { t } = useTranslation('transcode');
  const { fields, problem } = form;
  return (
    <div className={classes.fields}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <Bitrate {...form} field="vbitrate" />
        <Choice {...form} field="vcodec" />
        <Choice {...form} field="vprofile" />
        <Choice {...form} field="vpreset" hint={t('hint.vpreset')} />
        <Bitrate {...form} field="abitrate" />
        <Choice {...form} field="acodec" />
      </SimpleGrid>
      <Channels {...form} />
      <PictureFields
        picture={fields.picture ?? transcodePictureDefaults}
        onChange={(picture) => form.set({ picture })}
      />
      <Output {...form} />
      {problem && (
        <Alert role="alert" variant="light" color="broken" p="sm" icon={<IconAlertTriangle aria-hidden />}>
          <ProblemText field={problem} value={problem === 'secret' ? '' : String(fields[problem])} />
        </Alert>
      )}
    </div>
  );
}

/** Error message of an invalid field; never contains the stream key. */
function ProblemText({ field, value }: { field: TranscodeField; value: string }) {
  const { t } = useTranslation('transcode');
  const details = { field: t(`field.${field}`), rule: t(`rule.${field}`) };
  return value === '' ? t('invalidEmpty', details) : t('invalid', { ...details, value });
}

function Bitrate({ fields, set, problem, field }: FormPart & { field: 'vbitrate' | 'abitrate' }) {
  const { t } = useTranslation('transcode');
  return (
    <NumberInput
      label={t(`field.${field}`)}
      suffix=" Kbps"
      value={fields[field]}
      onChange={(value) => set({ [field]: value === '' ? '' : Number(value) })}
      error={problem === field && t(`rule.${field}`)}
      description={problem !== field && t(`rule.${field}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      step={field === 'vbitrate' ? 100 : 16}
      // Reports an invalid number instead of correcting the value.
      clampBehavior="none"
      hideControls
    />
  );
}

function Choice({ fields, set, problem, field, hint }: ChoiceProps) {
  const { t } = useTranslation('transcode');
  return (
    <Select
      label={t(`field.${field}`)}
      data={[...transcodeRules[field]]}
      value={fields[field]}
      onChange={(value) => set({ [field]: value ?? '' } as Partial<TranscodeFields>)}
      error={problem === field && t(`rule.${field}`)}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      checkIconPosition="right"
    />
  );
}

interface ChoiceProps extends FormPart {
  field: 'vcodec' | 'vprofile' | 'vpreset' | 'acodec';
  hint?: string;
}

function Channels({ fields, set }: FormPart) {
  const { t } = useTranslation('transcode');
  return (
    <div>
      <Input.Label labelElement="div" mb="0.4rem" id="transcode-channels">
        {t('field.achannels')}
      </Input.Label>
      <SegmentedControl
        fullWidth
        aria-labelledby="transcode-channels"
        value={String(fields.achannels)}
        onChange={(value) => set({ achannels: Number(value) })}
        data={transcodeRules.achannels.map((value) => ({ value: String(value), label: t(`channels.${value}`) }))}
      />
    </div>
  );
}

function Output({ fields, set, problem }: FormPart) {
  const { t } = useTranslation(['transcode', 'common']);
  return (
    <>
      <TextInput
        label={t('field.server')}
        value={fields.server}
        onChange={(event) => set({ server: event.currentTarget.value })}
        error={problem === 'server' && t('rule.server')}
        maxLength={maxTargetUrlLength}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <PasswordInput
        label={t('field.secret')}
        description={t('hint.secret')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={fields.secret}
        onChange={(event) => set({ secret: event.currentTarget.value })}
        error={problem === 'secret' && t('rule.secret')}
        maxLength={maxStreamKeyLength}
        autoComplete="new-password"
        data-1p-ignore
        spellCheck={false}
        styles={monoSecret}
        visibilityToggleButtonProps={{
          'aria-label': t('common:secret.show', { name: t('field.secret') }),
          tabIndex: 0,
        }}
      />
    </>
  );
}
