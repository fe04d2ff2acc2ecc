/** The places where a fault run may end the process; nothing happens there otherwise. */
export type FailPoint =
  | 'after_charge'
  | 'before_answer'
  | 'after_fetch'
  | 'before_recording'
  | 'while_finishing'
  | 'before_completion'
  | 'after_delivery'
  | 'before_mail'
  | 'after_mail';

/** Called at each fail point that a process passes. */
export type PassFailPoint = (point: FailPoint) => void;
