// Form for a new or existing camera: name, address, stream name, options. The address can be tested before the camera is saved.
import { Alert, Button, Checkbox, Group, Radio, TextInput } from '@mantine/core';
import type { Camera } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxLabelLength, maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { IconCheck, IconDeviceCctv } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../shared/equivalent-call.tsx';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toast.ts';
import { type CameraFields, cameraOf, fieldsOf, isReady } from './camera-fields.ts';
import classes from './cameras.module.css';
import { OnvifFinder } from './onvif-finder.tsx';
import { useCheckAddress, useSaveCamera, useTestCamera } from './queries.ts';
import { SourceFields } from './source-fields.tsx';

export function CameraForm({ camera, onClose }: { camera: Camera | undefined; onClose: () => void }) {
  const { t } = useTranslation('cameras');
  const [fields, setFields] = useState<CameraFields>(() => fieldsOf(camera));
  const [isRefused, setIsRefused] = useState(false);
  const check = useCheckAddress();
  const save = useSaveCamera();
  const set = (change: Partial<CameraFields>) => setFields({ ...fields, ...change });
  const request = cameraOf(fields, camera);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(!isReady(fields));
    if (!isReady(fields)) return;
    const checked = await check.mutateAsync({ url: fields.address.trim() }).catch(() => undefined);
    if (!checked) return;
    save.mutate(cameraOf(fields, camera, checked), {
      onSuccess: () => {
        void showToast({ message: t('saved', { title: fields.label || fields.stream }) });
        onClose();
      },
    });
  };
  const failure = check.error ?? save.error;
  return (
    <Panel title={t(camera ? 'form.change' : 'form.new')} icon={<IconDeviceCctv size={20} aria-hidden />}>
      <form onSubmit={onSubmit} noValidate>
        <Fields fields={fields} set={set} isRefused={isRefused} />
        {failure && <InlineFailure error={failure} />}
        <AddressTest address={fields.address.trim()} />
        <div className={classes.buttons}>
          <Button type="submit" loading={check.isPending || save.isPending}>
            {t('form.save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('form.cancel')}
          </Button>
        </div>
        <EquivalentCall endpoint={calls.cameraSecret} request={request} />
      </form>
    </Panel>
  );
}

interface FieldsProps {
  fields: CameraFields;
  set: (change: Partial<CameraFields>) => void;
  isRefused: boolean;
}

function Fields({ fields, set, isRefused }: FieldsProps) {
  const { t } = useTranslation('cameras');
  const first = useRef<HTMLInputElement>(null);
  // The form may be far from the card that opened it, so the form takes the focus.
  useEffect(() => first.current?.focus(), []);
  const missing = (value: string) => (isRefused && value.trim() === '' ? t('form.missing') : undefined);
  return (
    <div className={classes.fields}>
      <TextInput
        ref={first}
        label={t('form.label')}
        value={fields.label}
        maxLength={maxLabelLength}
        onChange={(event) => set({ label: event.currentTarget.value })}
        autoComplete="off"
      />
      <SourceFields address={fields.address} onChange={(address) => set({ address })} missing={missing}>
        <OnvifFinder
          acceptsAnyCertificate={fields.acceptsAnyCertificate}
          onFound={(found) => set({ ...found, label: fields.label || (found.label ?? '') })}
        />
      </SourceFields>
      <TextInput
        label={t('form.stream')}
        description={t('form.streamHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={fields.stream}
        onChange={(event) => set({ stream: event.currentTarget.value })}
        error={missing(fields.stream)}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        label={t('form.subAddress')}
        description={t('form.subAddressHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={fields.subAddress}
        maxLength={maxTargetUrlLength}
        onChange={(event) => set({ subAddress: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <Checkbox
        label={t('form.silent')}
        description={t('form.silentHint')}
        checked={fields.isSilent}
        onChange={(event) => set({ isSilent: event.currentTarget.checked })}
      />
      {/^rtsps?:/i.test(fields.address.trim()) && !fields.isSilent && (
        <Checkbox
          label={t('form.onDemand')}
          description={t('form.onDemandHint')}
          checked={fields.onDemand}
          onChange={(event) => set({ onDemand: event.currentTarget.checked })}
        />
      )}
      {/^rtsp:/i.test(fields.address.trim()) && <Transport transport={fields.transport} set={set} />}
      {/^(?:rtsps|https):/i.test(fields.address.trim()) && (
        <Checkbox
          label={t('form.anyCertificate')}
          description={t('form.anyCertificateHint')}
          checked={fields.acceptsAnyCertificate}
          onChange={(event) => set({ acceptsAnyCertificate: event.currentTarget.checked })}
        />
      )}
    </div>
  );
}

function Transport({ transport, set }: Pick<CameraFields, 'transport'> & Pick<FieldsProps, 'set'>) {
  const { t } = useTranslation('cameras');
  return (
    <Radio.Group
      label={t('form.transport')}
      description={t('form.transportHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={transport}
      onChange={(chosen) => set({ transport: chosen === 'udp' ? 'udp' : 'tcp' })}
    >
      <Group gap="lg" my={6}>
        <Radio value="tcp" label="TCP" />
        <Radio value="udp" label="UDP" />
      </Group>
    </Radio.Group>
  );
}

function AddressTest({ address }: { address: string }) {
  const { t } = useTranslation('cameras');
  const test = useTestCamera();
  const { video, audio } = test.data ?? {};
  const parts = [
    video && `${video.codec_name} ${video.width} × ${video.height}`,
    audio ? audio.codec_name : t('test.noAudio'),
  ].filter((part) => typeof part === 'string');
  return (
    <div className={classes.test}>
      <Button
        size="xs"
        variant="default"
        disabled={address === ''}
        loading={test.isPending}
        onClick={() => test.mutate({ url: address })}
      >
        {t('test.button')}
      </Button>
      {test.error && <InlineFailure error={test.error} />}
      {test.data && test.variables?.url === address && (
        <Alert variant="light" color="green" p="xs" icon={<IconCheck aria-hidden />}>
          {video ? t('test.found', { media: parts.join(', ') }) : t('test.allowed')}
        </Alert>
      )}
    </div>
  );
}
