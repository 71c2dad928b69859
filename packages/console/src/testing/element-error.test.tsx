import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { elementError } from './element-error.ts';

it('contains the query and the page, immediately and after waiting', async () => {
  render(<p>what is there</p>);
  expect(() => screen.getByText('what is not')).toThrow(/what is not.*what is there/s);
  const look = screen.findByRole('button', { name: 'Save' }, { timeout: 10 });
  await expect(look).rejects.toThrow(/Save.*what is there/s);
});

it('does not print the page until the message is read', () => {
  const page = document.createElement('main');
  let timesPrinted = 0;
  const html = () => {
    timesPrinted += 1;
    return '<main></main>';
  };
  Object.defineProperty(page, 'outerHTML', { get: html });
  const error = elementError('nothing is found', page);
  expect(timesPrinted).toBe(0);
  expect(error.message).toContain('nothing is found');
  expect(error.message).toContain('<main');
  expect(timesPrinted).toBe(1);
});
