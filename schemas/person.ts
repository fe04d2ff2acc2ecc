import Type from 'typebox';
import { ActivityEntry } from './activity.ts';
import {
  InterfaceSchema,
  Nullable,
  ObjectSchema,
  StringEnum,
  Timestamp,
  visibleTextPattern,
} from './common.ts';
import { ListSchema } from './list.ts';
import { roles } from './members.ts';
import { scopes } from './scopes.ts';

/** RFC 5321, section 4.5.3.1.3: 256 octets, minus the angle brackets. */
export const emailLengthMax = 254;

const Email = Type.String({ examples: ['ada@example.com'] });
const Scope = StringEnum(scopes);
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: visibleTextPattern });
const CreditsPerMonth = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });

export const ActivityList = ListSchema(ActivityEntry, 'ActivityList');

export const Me = ObjectSchema('Me', {
  success: Type.Literal(true),
  account_id: Type.Integer({ minimum: 1 }),
  person: Nullable(
    Type.Object({ email: Email, role: StringEnum(roles) }),
    'Creator of the token; null for the operator',
  ),
  token: Type.Object({
    token_id: Type.Integer({ minimum: 1 }),
    name: Type.String(),
    scope: Scope,
    expires_at: Nullable(Timestamp, 'Null if it does not expire'),
    credits_per_month: Nullable(CreditsPerMonth, 'Null without a limit'),
    credits_this_month: Nullable(
      Type.Integer({ minimum: 0 }),
      'Charges minus refunds of this month (UTC), including runs of monitors that the token created; null without a limit',
    ),
    is_test: Type.Boolean({ description: 'Whether all answers are simulated' }),
  }),
});

/** A token in lists, without its secret. */
export const Token = ObjectSchema('Token', {
  token_id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  last_four: Type.String(),
  scope: Scope,
  is_test: Type.Boolean({ description: 'Whether all answers are simulated' }),
  made_by: Nullable(Email, 'Null for the operator'),
  credits_per_month: Nullable(CreditsPerMonth, 'Null without a limit'),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp, 'Rounded to the minute; null until the first use'),
  expires_at: Nullable(Timestamp, 'Null if it does not expire'),
  revoked_at: Nullable(Timestamp, 'Null if it was not revoked'),
});

/** GET /tokens. At most 300 tokens, without pages. */
export const TokenList = ObjectSchema('TokenList', { success: Type.Literal(true), data: Type.Array(Token) });

export const TokenRequest = ObjectSchema('TokenRequest', {
  name: Name,
  scope: Type.Optional(Scope),
  expires_at: Type.Optional(
    Nullable(
      Type.String({ format: 'date-time', examples: ['2027-01-31T00:00:00Z'] }),
      'Null for no expiry date',
    ),
  ),
  credits_per_month: Type.Optional(Nullable(CreditsPerMonth, 'Null for no limit')),
  is_test: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: create a test token, whose answers are simulated and free',
    }),
  ),
});
export type TokenRequest = Type.Static<typeof TokenRequest>;

export const CreatedToken = InterfaceSchema('CreatedToken', [Token], {
  success: Type.Literal(true),
  token: Type.String({ description: 'Shown only once' }),
});

export const TokenResponse = InterfaceSchema('TokenResponse', [Token], { success: Type.Literal(true) });

const Member = ObjectSchema('Member', {
  member_id: Type.Integer({ minimum: 1 }),
  email: Email,
  role: StringEnum(roles),
  joined_at: Timestamp,
});

/** An open invitation. */
export const Invitation = ObjectSchema('Invitation', {
  invitation_id: Type.Integer({ minimum: 1 }),
  email: Email,
  role: StringEnum(roles),
  invited_by: Nullable(Email, 'Email address at the time of the invitation; null for the operator'),
  created_at: Timestamp,
  expires_at: Timestamp,
});

export const MemberList = ObjectSchema('MemberList', {
  success: Type.Literal(true),
  data: Type.Array(Member),
  invitations: Type.Array(Invitation),
});

export const InvitationRequest = ObjectSchema('InvitationRequest', {
  email: Type.String({ minLength: 3, maxLength: emailLengthMax }),
  role: StringEnum(roles),
});

export const CreatedInvitation = InterfaceSchema('CreatedInvitation', [Invitation], {
  success: Type.Literal(true),
  link: Nullable(
    Type.String({ format: 'uri' }),
    'Link to pass on, shown only once; null if the service sends the link by email',
  ),
});

export const MemberChangeRequest = ObjectSchema('MemberChangeRequest', { role: StringEnum(roles) });

/** Access that a member lost with a change of the role or by leaving the account. */
const RevokedObjects = Type.Object(
  {
    invitations: Type.Array(Email, {
      description: 'Email addresses of the open invitations that the member had created',
    }),
    report_links: Type.Integer({ minimum: 0 }),
    tokens: Type.Integer({ minimum: 0 }),
    remaining_webhook_urls: Type.Integer({
      minimum: 0,
      description:
        'Number of webhook URLs of monitors and of the credit alert. These URLs are not revoked. Check them, and rotate the webhook secret',
    }),
  },
  {
    description:
      'Access that was revoked because the new role does not allow it, or because the member was removed',
  },
);

export const MemberResponse = InterfaceSchema('MemberResponse', [Member], {
  success: Type.Literal(true),
  voided: RevokedObjects,
});
