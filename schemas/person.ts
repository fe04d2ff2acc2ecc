import Type from 'typebox';
import { ActivityEntry } from './activity.ts';
import { ListOf } from './list.ts';
import { roles } from './members.ts';
import { scopes } from './scopes.ts';
import { Nullable, Timestamp, visibleTextPattern, Word } from './text.ts';

/** RFC 5321 section 4.5.3.1.3, without the angle brackets. */
export const emailLengthMax = 254;

const Email = Type.String({ examples: ['ada@example.com'] });
const Scope = Word(scopes);
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: visibleTextPattern });
const CreditsPerMonth = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });

/** GET /activity. */
export const ActivityList = ListOf(ActivityEntry, 'ActivityList');

/** GET /me. */
export const Me = Type.Object(
  {
    success: Type.Literal(true),
    account_id: Type.Integer({ minimum: 1 }),
    person: Nullable(
      Type.Object({ email: Email, role: Word(roles) }),
      'Who made the token; null when the operator did',
    ),
    token: Type.Object({
      token_id: Type.Integer({ minimum: 1 }),
      name: Type.String(),
      scope: Scope,
      expires_at: Nullable(Timestamp, 'Null when it has no end'),
      credits_per_month: Nullable(CreditsPerMonth, 'Null without a limit'),
      credits_this_month: Nullable(
        Type.Integer({ minimum: 0 }),
        'Charged against it in this month of UTC, runs of its monitors included, less refunds; null without a limit',
      ),
      is_test: Type.Boolean({ description: 'Whether all its answers are invented' }),
    }),
  },
  { $id: 'Me' },
);

/** A token as lists show it. */
export const Token = Type.Object(
  {
    token_id: Type.Integer({ minimum: 1 }),
    name: Type.String(),
    last_four: Type.String(),
    scope: Scope,
    is_test: Type.Boolean({ description: 'Whether all its answers are invented' }),
    made_by: Nullable(Email, 'Null for the operator'),
    credits_per_month: Nullable(CreditsPerMonth, 'Null without a limit'),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp, 'To the minute; null until its first use'),
    expires_at: Nullable(Timestamp, 'Null when it has no end'),
    revoked_at: Nullable(Timestamp, 'Null while it is not revoked'),
  },
  { $id: 'Token' },
);

/** GET /tokens: all of them, at most 300. */
export const TokenList = Type.Object(
  { success: Type.Literal(true), data: Type.Array(Token) },
  { $id: 'TokenList' },
);

/** POST /tokens. */
export const TokenRequest = Type.Object(
  {
    name: Name,
    scope: Type.Optional(Scope),
    expires_at: Type.Optional(
      Nullable(Type.String({ format: 'date-time', examples: ['2027-01-31T00:00:00Z'] }), 'Null for no end'),
    ),
    credits_per_month: Type.Optional(Nullable(CreditsPerMonth, 'Null for no limit')),
    is_test: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true makes a test token: its answers are invented, and nothing is charged',
      }),
    ),
  },
  { $id: 'TokenRequest' },
);
export type TokenRequest = Type.Static<typeof TokenRequest>;

/** The answer to POST /tokens: the only one that holds the token itself. */
export const TokenMade = Type.Interface(
  [Token],
  { success: Type.Literal(true), token: Type.String({ description: 'Shown this once' }) },
  { $id: 'TokenMade' },
);

/** One token after what was done to it. */
export const TokenShown = Type.Interface([Token], { success: Type.Literal(true) }, { $id: 'TokenShown' });

/** A person in an account. */
export const Member = Type.Object(
  {
    member_id: Type.Integer({ minimum: 1 }),
    email: Email,
    role: Word(roles),
    joined_at: Timestamp,
  },
  { $id: 'Member' },
);

/** Somebody who was asked to join and has not yet. */
export const Invitation = Type.Object(
  {
    invitation_id: Type.Integer({ minimum: 1 }),
    email: Email,
    role: Word(roles),
    invited_by: Nullable(Email, 'As it was then; null for the operator'),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: 'Invitation' },
);

/** GET /members: everybody, and who was invited. */
export const MemberList = Type.Object(
  { success: Type.Literal(true), data: Type.Array(Member), invitations: Type.Array(Invitation) },
  { $id: 'MemberList' },
);

/** POST /members: an invitation. */
export const InvitationRequest = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: emailLengthMax }), role: Word(roles) },
  { $id: 'InvitationRequest' },
);

/** The answer to POST /members. */
export const InvitationMade = Type.Interface(
  [Invitation],
  {
    success: Type.Literal(true),
    link: Nullable(
      Type.String({ format: 'uri' }),
      'To hand over, shown this once; null where the service sends mail, which then has it alone',
    ),
  },
  { $id: 'InvitationMade' },
);

/** PATCH /members/{member_id}. */
export const MemberChange = Type.Object({ role: Word(roles) }, { $id: 'MemberChange' });

/** What a person had made and their new role does not allow. */
const Voided = Type.Object(
  {
    invitations: Type.Array(Email, { description: 'Addresses of their open invitations' }),
    report_links: Type.Integer({ minimum: 0 }),
    tokens: Type.Integer({ minimum: 0 }),
    remaining_webhook_urls: Type.Integer({
      minimum: 0,
      description:
        'Of monitors and the credit alert. They stay, no matter who set them: check them and replace the webhook secret',
    }),
  },
  { description: 'Revoked because the new role does not allow it' },
);

/** One member after what was done. */
export const MemberShown = Type.Interface(
  [Member],
  { success: Type.Literal(true), voided: Voided },
  { $id: 'MemberShown' },
);
