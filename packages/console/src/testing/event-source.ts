// Lets a fake server push event stream messages.
import type { MonitorEvent, MonitorSnapshot } from '@srs-stack/contract';
import type { FakeServer } from './fake-server.ts';

export interface PushedStream {
  /** Headers and body of each request for the stream. */
  readonly opened: { lastEventId: string | null; body: unknown }[];
  snapshot(snapshot: MonitorSnapshot): void;
  happened(event: MonitorEvent): void;
  /** Ends the stream, as a stopping server does. */
  end(): void;
}

/** Makes the fake server push events until the test ends. */
export function pushEvents(server: FakeServer): PushedStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const encoder = new TextEncoder();
  const opened: PushedStream['opened'] = [];
  const send = (text: string) => controller?.enqueue(encoder.encode(text));
  server.eventStream = (init) => {
    const headers = new Headers(init.headers);
    opened.push({ lastEventId: headers.get('last-event-id'), body: JSON.parse(String(init.body)) });
    const body = new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own;
        init.signal?.addEventListener('abort', () => {
          if (controller === own) controller = undefined;
          own.error(init.signal?.reason);
        });
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return {
    opened,
    snapshot: (snapshot) => send(`event: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`),
    happened: (event) => send(`id: ${event.id}\nevent: happened\ndata: ${JSON.stringify(event)}\n\n`),
    end() {
      controller?.close();
      controller = undefined;
    },
  };
}
