import { type HTMLElement, parse } from 'node-html-parser';
import type { TestService } from './service.ts';

/** Returns a page of the guide, with its scripts as text. */
export async function guidePage(service: TestService, path: string): Promise<HTMLElement> {
  return parse((await service.call(`/${path}`)).text, { blockTextElements: { script: true } });
}
