import type { RankQuery } from '../../schemas/keyword.ts';
import { rankAnswer, rankQuery } from './answers.ts';
import { type Monitored, monitored } from './monitored.ts';
import type { Records } from './records.ts';

const dayMs = 86_400_000;
const things = ['running shoes', 'trail shoes', 'leather boots', 'rain jacket', 'day pack', 'wool socks'];
const kinds = ['women', 'men', 'kids', 'waterproof', 'wide', 'light', 'cheap', 'vegan', 'winter', 'sale'];

interface Size {
  keywords: number;
  competitors: number;
  days: number;
}

/** Creates a keyword monitor of `shop.example`. Its ranks, and those of its competitors, change every day. */
export async function trackSite(
  service: Pick<Records, 'db'>,
  accountId: number,
  { keywords, competitors, days }: Size,
): Promise<Monitored<'keyword'>> {
  const rivals = Array.from({ length: competitors }, (_, number) => `https://competitor-${number}.example/`);
  const inputs = Array.from({ length: keywords }, (_, number) =>
    rankQuery({
      ...createSearch(number),
      target_url: 'shop.example',
      full: true,
      ...(competitors > 0 ? { competitor_urls: rivals } : {}),
    }),
  );
  const monitor = await monitored(service, accountId, 'keyword', inputs, { confirmLosses: false });
  for (let day = 0; day <= days; day++) {
    const answers = inputs.map((_, number) =>
      rankAnswer(toRank(number, day), {
        landing: `https://shop.example/category/page-${number}`,
        competitors: rivals.map((url, nth) => ({
          url,
          rank: toRank(number + 7 * (nth + 1), day),
          ranked_url: null,
        })),
      }),
    );
    await monitor.run(new Date(Date.now() - (days - day) * dayMs - 60_000), answers);
  }
  return monitor;
}

function createSearch(number: number): Pick<RankQuery, 'keyword' | 'device' | 'tag'> {
  const round = Math.floor(number / (things.length * kinds.length));
  const keyword = `${things[number % things.length]} ${kinds[Math.floor(number / things.length) % kinds.length]}`;
  return {
    keyword: round === 0 ? keyword : `${keyword} ${round + 1}`,
    device: number % 2 === 0 ? 'desktop' : 'mobile',
    tag: `tag ${number % 5}`,
  };
}

/** Returns a rank that changes every day and improves slowly. Some keywords are not ranked once a week. */
function toRank(number: number, day: number): number | null {
  if (number % 6 === 0 && day % 7 === 0) return null;
  const wave = 4 * Math.sin(day / (6 + (number % 7)) + number);
  const rank = 3 + ((number * 13) % 45) - (day * (number % 4)) / 20 + wave;
  return 2 * Math.max(0, Math.round(rank / 2)) + 1 + (day % 2);
}
