import Type from 'typebox';
import { TargetUrl } from './text.ts';

/** POST /check (SPEC.md 4.1). */
export const IndexCheckRequest = Type.Object({ url: TargetUrl }, { $id: 'IndexCheckRequest' });
export type IndexCheckRequest = Type.Static<typeof IndexCheckRequest>;
