import { type BatchType, batchTypes } from '../schemas/batch.ts';
import type { WebhookTested } from '../schemas/webhook.ts';
import { postSigned, type Sender } from './post.ts';
import { type SampleOptions, sampleMessage } from './samples.ts';

/** Sends a signed sample of one type, or of all three, right now and once, and tells what the receiver made of each. */
export async function sendSamples(
  url: string,
  type: BatchType | undefined,
  options: SampleOptions,
  sender: Sender,
): Promise<WebhookTested['deliveries']> {
  const sent = (type ? [type] : batchTypes).map(async (type) => {
    const message = sampleMessage(type, options);
    const posted = await postSigned(url, message, sender);
    const { status, error, durationMs } = posted ?? { status: null, error: 'aborted', durationMs: 0 };
    const delivered = status !== null && status >= 200 && status < 300;
    return { type, message_id: message.id, delivered, status, error, duration_ms: durationMs };
  });
  return Promise.all(sent);
}
