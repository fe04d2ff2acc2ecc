/** Points at which a fault-injection test may end the process. */
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

export type PassFailPoint = (point: FailPoint) => void;
