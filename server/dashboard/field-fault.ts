import type { Refusal } from './refusal.ts';

/** What a view asks about a form that was refused; `invalid` is text of ours, for a tag. */
export interface FieldFault {
  /** Why, where it is no field's fault; else null. */
  problem: string | null;
  /** What is wrong with a field; null when nothing is said of it. */
  faultOf(field: string): string | null;
  /** Attributes for the field at fault, which has the focus then; empty for the others. */
  invalid(field: string): string;
}

/** A refusal as views show it: at the field that is at fault, or above the form. */
export function fieldFault(refusal: Refusal | undefined): FieldFault {
  const { field = null, message = null } = refusal ?? {};
  return {
    problem: field === null ? message : null,
    faultOf: (name) => (name === field ? message : null),
    invalid: (name) =>
      name === field ? ` aria-invalid="true" aria-describedby="${name}-fault" autofocus` : '',
  };
}
