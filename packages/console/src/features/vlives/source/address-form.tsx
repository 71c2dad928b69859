import { Button, TextInput } from '@mantine/core';
import { maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from './source.module.css';

export interface AddressFormProps {
  label: string;
  hint: string;
  placeholder: string;
  isBusy: boolean;
  failure: unknown;
  /** Resolves with an error message, or with undefined on success. */
  onSubmit: (address: string) => Promise<string | undefined>;
}

export function AddressForm({ label, hint, placeholder, isBusy, failure, onSubmit }: AddressFormProps) {
  const { t } = useTranslation('vlives');
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setProblem(await onSubmit(address.trim()));
  };
  return (
    <form className={classes.address} onSubmit={(event) => void submit(event)}>
      <TextInput
        label={label}
        description={hint}
        placeholder={placeholder}
        value={address}
        maxLength={maxTargetUrlLength}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setProblem(undefined);
        }}
        error={problem}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <div>
        <Button type="submit" loading={isBusy}>
          {t('source.use')}
        </Button>
      </div>
      {failure !== null && failure !== undefined && <InlineFailure error={failure} />}
    </form>
  );
}
