import {
  ActivityList,
  CreatedInvitation,
  CreatedToken,
  InvitationRequest,
  Me,
  MemberChangeRequest,
  MemberList,
  MemberResponse,
  TokenList,
  TokenRequest,
  TokenResponse,
} from '../person.ts';
import { jsonResponse, listResponse, withTag } from './operation.ts';
import { paging } from './parameters.ts';
import * as examples from './person-examples.ts';

const tokenRight = { scope: 'manage', role: 'member', isLiveOnly: true } as const;
const memberRight = { scope: 'manage', isLiveOnly: true, isUnlimitedOnly: true } as const;

export const peopleOperations = withTag('Account', [
  {
    id: 'getMe',
    method: 'get',
    path: '/api/v1/me',
    summary: 'Get the current account and token',
    description: 'Returns the account, the token and its creator.',
    answers: jsonResponse('The account and the token.', Me, { me: examples.me }),
  },
  {
    id: 'listActivity',
    method: 'get',
    path: '/api/v1/activity',
    summary: 'List activity of the account',
    isLiveOnly: true,
    description:
      'Actions of people and tokens, newest first, with the email addresses at the time of the action. Entries are stored for 400 days.',
    role: 'owner',
    parameters: paging,
    answers: listResponse('A page of the activity.', ActivityList, examples.activity),
  },
  {
    id: 'listTokens',
    method: 'get',
    path: '/api/v1/tokens',
    ...tokenRight,
    summary: 'List tokens',
    description:
      'Owners see all tokens of the account. Members see the tokens that they created. Newest first, revoked tokens last.',
    answers: jsonResponse('The tokens.', TokenList, { all: { success: true, data: [examples.token] } }),
  },
  {
    id: 'makeToken',
    method: 'post',
    path: '/api/v1/tokens',
    ...tokenRight,
    // One row for the token, and two rows for activity entries: its creation and its end.
    unbilledRows: 3,
    summary: 'Create a token',
    description:
      'Both the scope of the token (default `check`) and the current role of its creator limit the token.',
    isUnlimitedOnly: true,
    body: {
      schema: TokenRequest,
      examples: { check: { name: 'Nightly crawl', scope: 'check', credits_per_month: 5000 } },
    },
    answers: jsonResponse(
      'The token. It is shown only once.',
      CreatedToken,
      {
        made: { success: true, token: 'sonde_0iBhYkVvQ0vDqj3mW2yQ7nq4fQzYkVvQ04fQz', ...examples.token },
      },
      { status: 201 },
    ),
  },
  {
    id: 'revokeToken',
    method: 'delete',
    path: '/api/v1/tokens/{token_id}',
    ...tokenRight,
    summary: 'Revoke a token',
    description: 'The token is invalid from the next request on. Members can only revoke their own tokens.',
    answers: jsonResponse('The revoked token.', TokenResponse, {
      revoked: { success: true, ...examples.token, revoked_at: '2026-11-21T10:00:00+00:00' },
    }),
  },
  {
    id: 'listMembers',
    method: 'get',
    path: '/api/v1/members',
    summary: 'List members and open invitations',
    isLiveOnly: true,
    description: 'Members in the order in which they joined, and open invitations.',
    answers: jsonResponse('The members and invitations.', MemberList, {
      all: { success: true, data: [examples.member], invitations: [examples.invitation] },
    }),
  },
  {
    id: 'inviteMember',
    method: 'post',
    path: '/api/v1/members',
    ...memberRight,
    // One row for the invitation, and two rows for activity entries.
    unbilledRows: 3,
    summary: 'Invite a member',
    description:
      'If the service sends email, we email the invitation, and you need a confirmed email address. Otherwise, the response ' +
      'has a `link` to pass on. The link is shown only once. An invitation is valid for 7 days, and only for this email address. At ' +
      'most 20 invitations can be open. At most 50 are emailed per day.',
    body: {
      schema: InvitationRequest,
      examples: { member: { email: 'grace@example.com', role: 'member' } },
    },
    answers: jsonResponse(
      'The invitation.',
      CreatedInvitation,
      {
        invited: {
          success: true,
          ...examples.invitation,
          link: 'https://sonde.example.com/invitation?key=0iBhYkVvQ0vDqj3mW2yQ7nq4fQzYkVvQ04fQz',
        },
      },
      { status: 201 },
    ),
  },
  {
    id: 'changeMember',
    method: 'patch',
    path: '/api/v1/members/{member_id}',
    ...memberRight,
    // A demotion must also work if the allowance is used up. For a promotion, the handler checks the allowance.
    isAlwaysAllowed: true,
    unbilledRows: 1,
    summary: "Change a member's role",
    description: 'The new role applies from the next request on. The last owner must stay an owner.',
    body: { schema: MemberChangeRequest, examples: { owner: { role: 'owner' } } },
    answers: jsonResponse('The changed member.', MemberResponse, {
      changed: { success: true, ...examples.member, voided: examples.revokedAccess },
    }),
    errors: [409],
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: '/api/v1/members/{member_id}',
    ...memberRight,
    summary: 'Remove a member',
    description:
      'Revokes the tokens and sessions of the member in this account. The last owner cannot be removed.',
    answers: jsonResponse('The removed member.', MemberResponse, {
      removed: { success: true, ...examples.member, voided: examples.revokedAccess },
    }),
    errors: [409],
  },
]);
