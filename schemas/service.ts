import Type from 'typebox';

/** GET /healthz. */
export const Alive = Type.Object(
  { success: Type.Literal(true), status: Type.Literal('alive') },
  { $id: 'Alive' },
);

/** GET /readyz. */
export const Ready = Type.Object(
  { success: Type.Literal(true), status: Type.Literal('ready') },
  { $id: 'Ready' },
);
