import { sonde } from './sonde.mjs';

let cursor = '';
do {
  const page = await sonde(`batches?per_page=2${cursor}`);
  for (const { batch_id, status } of page.data) console.log(batch_id, status);
  cursor = page.next_cursor && `&cursor=${page.next_cursor}`;
} while (cursor);
