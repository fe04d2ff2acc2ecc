import {
  ActivityList,
  InvitationMade,
  InvitationRequest,
  Me,
  MemberChange,
  MemberList,
  MemberShown,
  TokenList,
  TokenMade,
  TokenRequest,
  TokenShown,
} from '../person.ts';
import { listOf } from './examples.ts';
import { json, type Operation, type Parameter } from './operation.ts';
import { paging } from './parameters.ts';
import * as examples from './person-examples.ts';

const id = (name: string, description: string): Parameter => ({
  in: 'path',
  name,
  description,
  schema: { type: 'integer', examples: [9] },
});

export const peopleOperations: Operation[] = [
  {
    id: 'getMe',
    method: 'get',
    path: '/api/v1/me',
    tag: 'Account',
    summary: 'Get who one is',
    description: 'The account, whoever made the token, and what the token may do.',
    answers: { 200: json('Who one is.', Me, { me: examples.me }) },
  },
  {
    id: 'listActivity',
    method: 'get',
    path: '/api/v1/activity',
    tag: 'Account',
    summary: 'List who did what in the account',
    isLiveOnly: true,
    description: 'When and from where, by the addresses of then; newest first. Kept for 400 days.',
    role: 'owner',
    parameters: paging,
    answers: { 200: json('A page of it.', ActivityList, { page: listOf(examples.activity) }, ['Link']) },
  },
  {
    id: 'listTokens',
    method: 'get',
    path: '/api/v1/tokens',
    tag: 'Account',
    summary: 'List tokens',
    isLiveOnly: true,
    description:
      'All of the account for its owners, for a member those that he made; newest first, revoked ones last.',
    scope: 'manage',
    role: 'member',
    answers: { 200: json('The tokens.', TokenList, { all: { success: true, data: [examples.token] } }) },
  },
  {
    id: 'makeToken',
    method: 'post',
    path: '/api/v1/tokens',
    tag: 'Account',
    summary: 'Make a token',
    description: 'Its rights are its scope (by default `check`) and the present role of its maker together.',
    scope: 'manage',
    role: 'member',
    isLiveOnly: true,
    isUnlimitedOnly: true,
    body: {
      schema: TokenRequest,
      examples: { check: { name: 'Nightly crawl', scope: 'check', credits_per_month: 5000 } },
    },
    answers: {
      201: json(
        'The token, shown this once.',
        TokenMade,
        { made: { success: true, token: 'sonde_0iBhYkVvQ0vDqj3mW2yQ7nq4fQzYkVvQ04fQz', ...examples.token } },
        ['Idempotent-Replayed'],
      ),
    },
  },
  {
    id: 'revokeToken',
    method: 'delete',
    path: '/api/v1/tokens/{token_id}',
    tag: 'Account',
    summary: 'Revoke a token',
    description: 'From the next request on it is not valid. A member revokes what he made.',
    scope: 'manage',
    role: 'member',
    isLiveOnly: true,
    parameters: [id('token_id', 'As the list of tokens names it.')],
    answers: {
      200: json('The token as it is then.', TokenShown, {
        revoked: { success: true, ...examples.token, revoked_at: '2026-11-21T10:00:00+00:00' },
      }),
    },
  },
];

export const memberOperations: Operation[] = [
  {
    id: 'listMembers',
    method: 'get',
    path: '/api/v1/members',
    tag: 'Account',
    summary: 'List who is in the account',
    isLiveOnly: true,
    description: 'Who came first before the others, and who was invited.',
    answers: {
      200: json('Everybody.', MemberList, {
        all: { success: true, data: [examples.member], invitations: [examples.invitation] },
      }),
    },
  },
  {
    id: 'inviteMember',
    method: 'post',
    path: '/api/v1/members',
    tag: 'Account',
    summary: 'Invite somebody',
    description:
      'By a mail where the service sends mail, which takes a confirmed address of your own; else by a `link` to hand over, ' +
      'shown this once. It is good for 7 days, for this address alone; 20 may be open, and 50 a day are mailed.',
    scope: 'manage',
    isLiveOnly: true,
    isUnlimitedOnly: true,
    body: {
      schema: InvitationRequest,
      examples: { member: { email: 'grace@example.com', role: 'member' } },
    },
    answers: {
      201: json(
        'Invited.',
        InvitationMade,
        {
          invited: {
            success: true,
            ...examples.invitation,
            link: 'https://sonde.example.com/invitation?key=0iBhYkVvQ0vDqj3mW2yQ7nq4fQzYkVvQ04fQz',
          },
        },
        ['Idempotent-Replayed'],
      ),
    },
  },
  {
    id: 'changeMember',
    method: 'patch',
    path: '/api/v1/members/{member_id}',
    tag: 'Account',
    summary: "Change a member's role",
    description: 'It counts from the next request on. The last owner stays one.',
    scope: 'manage',
    isLiveOnly: true,
    isUnlimitedOnly: true,
    parameters: [id('member_id', 'As the list of members names it.')],
    body: { schema: MemberChange, examples: { owner: { role: 'owner' } } },
    answers: {
      200: json('The member as he is then.', MemberShown, {
        changed: { success: true, ...examples.member, voided: examples.voided },
      }),
    },
    errors: [409],
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: '/api/v1/members/{member_id}',
    tag: 'Account',
    summary: 'Remove a member',
    description: 'He loses his tokens and sessions in this account at once. The last owner stays.',
    scope: 'manage',
    isLiveOnly: true,
    isUnlimitedOnly: true,
    parameters: [id('member_id', 'As the list of members names it.')],
    answers: {
      200: json('Who was removed.', MemberShown, {
        removed: { success: true, ...examples.member, voided: examples.voided },
      }),
    },
    errors: [409],
  },
];
