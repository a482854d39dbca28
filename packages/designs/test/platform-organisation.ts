import { account, accountGroup, group, groupRole, inWorkstream, member, permission, role, user, workstream } from './platform-items.ts'

/** Ada of Acme, who is in its workstream for research, and may view and edit the dashboard as one of the staff. */
export const adaOfAcme = [
  account('acme'),
  workstream('acme', 'research'),
  ...user('acme', 'ada', 'ada@example.org'),
  ...inWorkstream('acme', 'ada', 'research'),
  group('staff', 'acme'),
  accountGroup('staff', 'acme'),
  ...member('staff', 'ada', 'acme'),
  role('editor', 'acme'),
  ...groupRole('staff', 'editor', 'acme'),
  ...permission('editor', 'dashboard', { canView: true, canEdit: true, accountId: 'acme' }),
]

/** A question about it whose answer is yes. */
export const adaEdits = { user: 'ada', account: 'acme', workstream: 'research', menu: 'dashboard', action: 'edit' } as const
