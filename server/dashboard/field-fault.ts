import type { Refusal } from './refusal.ts';

/** What a view asks about a form that was refused; `invalid` is text of ours, for a tag. */
export interface FieldFault {
  /** Why, where it is no field's fault; else null. */
  problem: string | null;
  /** What is wrong with a field; null when nothing is said of it. */
  faultOf(field: string): string | null;
  /** Attributes for the field at fault, which has the focus then; for others what names its hint, if it has one. */
  invalid(field: string, hintId?: string): string;
  /** The attribute for the field that one begins with; none where another is at fault. */
  firstFocus: string;
}

/** A refusal as views show it: at the field that is at fault, or above the form. */
export function fieldFault(refusal: Refusal | undefined): FieldFault {
  const { field = null, message = null } = refusal ?? {};
  return {
    problem: field === null ? message : null,
    faultOf: (name) => (name === field ? message : null),
    invalid: (name, hintId) => {
      if (name !== field) return hintId ? ` aria-describedby="${hintId}"` : '';
      const describedBy = [`${name}-fault`, hintId].filter(Boolean).join(' ');
      return ` aria-invalid="true" aria-describedby="${describedBy}" autofocus`;
    },
    firstFocus: field === null ? ' autofocus' : '',
  };
}
