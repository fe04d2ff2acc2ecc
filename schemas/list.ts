import Type from 'typebox';
import { Nullable, Warnings } from './common.ts';

/** Creates the schema of a page of a list (docs/interface.md). `name` is the name of the schema. */
export function ListSchema<T extends Type.TSchema>(entry: T, name: string, perPageMax = 100) {
  return Type.Object(
    {
      success: Type.Literal(true),
      data: Type.Array(entry),
      current_page: Nullable(Type.Integer({ minimum: 1 }), 'Null if the request has `cursor`'),
      per_page: Type.Integer({ minimum: 1, maximum: perPageMax }),
      total: Nullable(Type.Integer({ minimum: 0, description: 'Null if greater than 10,000' })),
      last_page: Nullable(Type.Integer({ minimum: 1, description: 'Null if `total` is null' })),
      total_is_more: Type.Optional(Type.Literal(true, { description: 'More than 10,000 entries exist' })),
      next_page_url: Nullable(Type.String({ format: 'uri' }), 'Null on the last page'),
      prev_page_url: Nullable(Type.String({ format: 'uri' }), 'Null on the first page and with `cursor`'),
      next_cursor: Nullable(
        Type.String(),
        'Cursor of the next page. With a cursor, every page is as fast as page 1, and new entries do not shift the page. ' +
          'Null on the last page',
      ),
      warnings: Type.Optional(Warnings),
    },
    { $id: name },
  );
}
