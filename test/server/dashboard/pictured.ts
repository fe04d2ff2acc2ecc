import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.ts';
import type { Scene } from './scene.ts';
import type { Doors } from './scene-doors.ts';
import type { WatchScene } from './scene-monitors.ts';

/** All that pictures are taken of. */
export interface Pictured extends Scene {
  service: TestService;
  watch: WatchScene;
  doors: Doors;
  /** A monitor of 10,000 addresses. */
  large: string;
}

/** Leads to what a picture is taken of; what it opens stays open for the picture alone. */
export type Step = (page: Page, scene: Pictured) => Promise<unknown>;

export const outside: Record<string, Step> = {
  welcome: (page) => page.goto('/'),
  'sign-up': (page) => page.goto('/sign-up'),
  'sign-in': (page) => page.goto('/sign-in'),
  forgot: (page) => page.goto('/forgot'),
  'forgot-sent': async (page) => {
    await page.goto('/forgot');
    await page.getByLabel('Email').fill('ada@shop.example');
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText('Look into your mail').waitFor();
  },
  'link-asked': (page) => page.goto('/sign-in/link'),
  invitation: (page, { watch }) => page.goto(watch.invitation),
  'forgot-limit': async (page) => {
    for (let tries = 0; tries < 7; tries++) {
      await page.goto('/forgot');
      await page.getByLabel('Email').fill('grace@shop.example');
      await page.getByRole('button', { name: 'Send the mail' }).click();
      await page.waitForLoadState();
      if (await page.getByText('Too many').isVisible()) return;
    }
  },
  'sign-in-refused': async (page) => {
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill('nobody@shop.example');
    await page.getByLabel('Password').fill('a wrong password');
    await page.locator('main form button').first().click();
    await page.locator('[role=alert]').first().waitFor();
  },
  'sign-in-second': async (page, { doors, service }) => {
    const cookie = { name: 'sonde_step', value: doors.step, url: service.baseUrl };
    await page.context().addCookies([cookie]);
    await page.goto('/sign-in/second');
  },
  reset: (page, { doors }) => page.goto(doors.reset),
  'reset-ended': (page) => page.goto('/reset?token=none'),
  confirm: (page, { doors }) => page.goto(doors.confirm),
  'link-follow': (page, { doors }) => page.goto(doors.signIn),
  unsubscribe: (page, { doors }) => page.goto(doors.unsubscribe),
  'report-link': (page, { doors }) => page.goto(doors.report),
  'report-ended': (page) => page.goto(`/report?key=${'x'.repeat(43)}`),
  guide: (page) => page.goto('/docs'),
  bot: (page) => page.goto('/bot'),
};

const guidePages =
  'retries ranks monitors people partial cancel pages webhooks client answers limits errors reference changes'.split(
    ' ',
  );
for (const name of guidePages) outside[`guide-${name}`] = (page) => page.goto(`/docs/${name}`);

export const inside: Record<string, Step> = {
  check: (page) => page.goto('/'),
  'check-reading': async (page) => {
    await page.goto('/');
    await page.getByLabel('What to check').fill(pasted);
    await page.getByText('invalid, left out').waitFor();
  },
  batches: (page) => page.goto('/batches'),
  'batch-running': (page, { running }) => page.goto(`/batches/${running}`),
  'batch-http': (page, { http }) => page.goto(`/batches/${http}`),
  'batch-soft404': (page, { http }) => page.goto(`/batches/${http}?show=soft404`),
  'batch-index': (page, { index }) => page.goto(`/batches/${index}`),
  'batch-ranks': (page, { ranks }) => page.goto(`/batches/${ranks}`),
  'batch-compare': (page, { ranks }) => page.goto(`/batches/${ranks}/compare`),
  'batch-report': (page, { http }) => page.goto(`/batches/${http}/report`),
  submission: (page, { submission }) => page.goto(`/submissions/${submission}`),
  'submission-huge': (page, { huge }) => page.goto(`/submissions/${huge}`),
  'batch-canceled': (page, { canceled }) => page.goto(`/batches/${canceled}`),
  'batch-skipped': (page, { skipped }) => page.goto(`/batches/${skipped}`),
  'batch-waiting': async (page, { huge }) => {
    await page.goto(`/submissions/${huge}`);
    await page.locator('.list a.name').first().click();
    await page.waitForLoadState();
  },
  'batch-nothing': (page, { http }) => page.goto(`/batches/${http}?q=nowhere`),
  'batches-nothing': (page) => page.goto('/batches?q=nowhere'),
  singles: (page) => page.goto('/batches/singles'),
  address: (page) => page.goto('/address?url=https%3A%2F%2Fshop.example%2Fshoes%2Ftrail-1000'),
  ranks: (page) => page.goto('/ranks'),
  'unknown-page': (page) => page.goto('/nowhere'),
  tokens: (page) => page.goto('/tokens'),
  credits: (page) => page.goto('/credits'),
  webhooks: (page) => page.goto('/webhooks'),
  delivery: (page, { http }) => page.goto(`/webhooks/${http}`),
  'report-print': async (page, { http }) => {
    await page.goto(`/batches/${http}/report`);
    await page.emulateMedia({ media: 'print' });
  },
  settings: (page) => page.goto('/settings'),
};

export const watcher: Record<string, Step> = {
  'monitor-news': (page) => page.goto('/'),
  'monitor-list': (page) => page.goto('/monitors'),
  'monitor-http': (page, { watch }) => page.goto(watch.http),
  'monitor-index': (page, { watch }) => page.goto(watch.index),
  'monitor-ranks': (page, { watch }) => page.goto(watch.keyword),
  'monitor-changes': (page, { watch }) => page.goto(`${watch.http}/changes`),
  'monitor-runs': (page, { watch }) => page.goto(`${watch.http}/runs`),
  'monitor-runs-index': (page, { watch }) => page.goto(`${watch.index}/runs`),
  'monitor-runs-ranks': (page, { watch }) => page.goto(`${watch.keyword}/runs`),
  'monitor-year': (page, { watch }) => page.goto(`${watch.keyword}?days=365`),
  'monitor-large': (page, { large }) => page.goto(`${large}/subjects`),
  'monitor-large-found': (page, { large }) => page.goto(`${large}/subjects?q=1234`),
  'monitor-addresses': (page, { watch }) => page.goto(`${watch.index}/subjects`),
  'monitor-address': async (page, { watch }) => {
    await page.goto(`${watch.http}/subjects`);
    await page.locator('.rows tbody a').nth(2).click();
    await page.getByText('What was told of it').waitFor();
  },
  'monitor-list-edited': (page, { watch }) => page.goto(`/?monitor=${watch.keyword.split('/').at(-1)}`),
  'monitor-print': async (page, { watch }) => {
    await page.goto(watch.keyword);
    await page.emulateMedia({ media: 'print' });
  },
  'monitor-subjects': (page, { watch }) => page.goto(`${watch.keyword}/subjects`),
  'monitor-subject': async (page, { watch }) => {
    await page.goto(`${watch.keyword}/subjects`);
    await page.locator('.rows tbody a').first().click();
    await page.getByText('What was told of it').waitFor();
  },
  'monitor-terms': async (page, { watch }) => {
    await page.goto(watch.keyword);
    for (const one of await page.locator('main details > summary').all()) await one.click();
  },
  'told-list': (page) => page.goto('/webhooks'),
  'told-monitor': (page, { watch }) => page.goto(`/webhooks/${watch.told.monitor}`),
  'told-credits': (page, { watch }) => page.goto(`/webhooks/${watch.told.credits}`),
  'watch-credits': (page) => page.goto('/credits'),
  'watch-tokens': (page) => page.goto('/tokens'),
  'watch-settings': (page) => page.goto('/settings'),
  members: (page) => page.goto('/members'),
  'members-invited': async (page) => {
    await page.goto('/members');
    await page.getByRole('textbox', { name: 'Invite' }).fill('ida@shop.example');
    await page.getByRole('button', { name: 'Send an invitation' }).click();
    await page.locator('.notice').first().waitFor();
  },
  'members-activity': (page) => page.goto('/activity'),
  'second-factor': (page) => page.goto('/settings/second-factor'),
  'second-factor-app': async (page) => {
    await page.goto('/settings/second-factor');
    await page.getByText('Add…').click();
    await page.getByRole('button', { name: 'Add an app' }).click();
    await page.locator('img, svg.qr, [name=code]').first().waitFor();
  },
};

export const newcomer: Record<string, Step> = {
  'monitor-none': (page) => page.goto('/monitors'),
  'check-empty': (page) => page.goto('/'),
  'batches-none': (page) => page.goto('/batches'),
  'ranks-none': (page) => page.goto('/ranks'),
  'tokens-none': (page) => page.goto('/tokens'),
  'webhooks-none': (page) => page.goto('/webhooks'),
  'check-short': async (page) => {
    await page.goto('/');
    const lines = Array.from({ length: 120 }, (_, n) => `https://shop.example/${n}`);
    await page.getByLabel('What to check').fill(lines.join('\n'));
    await page.getByText('this needs').waitFor();
  },
  'check-ranks': async (page) => {
    await page.goto('/?check=ranks');
    await page.getByLabel('What to check').fill('running shoes\nleather bag\nhttps://shop.example/');
    await page.getByText('looks like an address').waitFor();
  },
  'token-created': async (page, { service }) => {
    await sql`update users set email_confirmed_at = now(), credits_at_confirmation = 0
      where email_confirmed_at is null`.execute(service.db);
    await page.goto('/tokens');
    await page.getByLabel('Token name').fill('Nightly crawl');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Copy it now').waitFor();
  },
};

/** Somebody with a second factor. */
export const careful: Record<string, Step> = {
  'second-factor-on': (page) => page.goto('/settings/second-factor'),
  'settings-careful': (page) => page.goto('/settings'),
};

/** Somebody who only looks, and what goes wrong. */
export const viewer: Record<string, Step> = {
  'viewer-check': (page) => page.goto('/'),
  'viewer-monitor': (page, { watch }) => page.goto(watch.http),
  'error-403': (page) => page.goto('/tokens'),
  'error-404': (page) => page.goto('/batches/nothing'),
  'error-500': async (page, { service, watch }) => {
    await sql`alter table annotations rename to annotations_gone`.execute(service.db);
    await page.goto(watch.http);
    await sql`alter table annotations_gone rename to annotations`.execute(service.db);
  },
};

const pasted = `https://shop.example/shoes
https://shop.example/shoes/running
https://shop.example/shoes
shop.example/bags
https://shop.example/sale
htp://shop.example/about
https://blog.shop.example/2026/spring`;
