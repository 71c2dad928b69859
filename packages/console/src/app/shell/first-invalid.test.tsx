import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useFirstInvalid } from './first-invalid.ts';

const scrolledTo = vi.fn();

beforeEach(() => {
  scrolledTo.mockClear();
  Element.prototype.scrollIntoView = function scrollIntoView() {
    scrolledTo(this);
  };
});

function Frame({ children }: { children: ReactNode }) {
  useFirstInvalid();
  return children;
}

function Fields({ wrong }: { wrong: string }) {
  return ['first', 'second', 'third'].map((name) => (
    <input key={name} aria-label={name} aria-invalid={wrong.includes(name)} />
  ));
}

function PlainForm({ wrong }: { wrong: string }) {
  const [isSaved, setSaved] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setSaved(true);
      }}
    >
      <Fields wrong={isSaved ? wrong : ''} />
      <button type="submit">Save</button>
      <button type="button">Add</button>
    </form>
  );
}

function MarkedForm() {
  const [isSaved, setSaved] = useState(false);
  return (
    <div data-form>
      {isSaved && (
        <p data-invalid tabIndex={-1}>
          No file
        </p>
      )}
      <Fields wrong={isSaved ? 'third' : ''} />
      <button type="button" data-saves onClick={() => setSaved(true)}>
        Start
      </button>
    </div>
  );
}

test('each save focuses the first invalid field of a form and scrolls to it', async () => {
  render(
    <Frame>
      <PlainForm wrong="second third" />
    </Frame>,
  );
  for (let time = 0; time < 2; time++) {
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const field = screen.getByLabelText('second');
    await vi.waitFor(() => expect(document.activeElement).toBe(field));
    expect(scrolledTo).toHaveBeenLastCalledWith(field);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(document.activeElement?.textContent).toBe('Add');
});

test('a form without a form element focuses a message that belongs to no single field', async () => {
  render(
    <Frame>
      <MarkedForm />
    </Frame>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Start' }));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('No file'));
});

test('a form without invalid fields does not scroll', async () => {
  render(
    <Frame>
      <PlainForm wrong="" />
    </Frame>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await new Promise((resolve) => setTimeout(resolve));
  expect(scrolledTo).not.toHaveBeenCalled();
});
