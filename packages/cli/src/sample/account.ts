/** An account with two workstreams: small enough to read, with an unscoped role, a user in both workstreams and one whose time has expired. */
export const account = {
  id: 'acme',
  name: 'Acme',
  workstreams: [
    { id: 'research', name: 'Research' },
    { id: 'sales', name: 'Sales' },
  ],
  users: [
    { id: 'ada', email: 'ada@example.org', firstName: 'Ada', lastName: 'Byron', workstreams: ['research', 'sales'] },
    { id: 'ben', email: 'ben@example.org', firstName: 'Ben', lastName: 'Cole', workstreams: ['sales'] },
    { id: 'cleo', email: 'cleo@example.org', firstName: 'Cleo', lastName: 'Dean', endDate: '2025-12-31', workstreams: ['sales'] },
  ],
  groups: [
    { id: 'owners', name: 'Owners', users: ['ada'], roles: ['owner'] },
    { id: 'staff', name: 'Staff', users: ['ada', 'ben', 'cleo'], roles: ['editor', 'auditor'] },
  ],
  roles: [
    { id: 'owner', name: 'Owner', isUnscoped: false, menus: { users: ['canView', 'canCreate', 'canEdit', 'canDelete'] } },
    { id: 'editor', name: 'Editor', isUnscoped: false, menus: { dashboard: ['canView', 'canEdit'], licenses: ['canView'] } },
    { id: 'auditor', name: 'Auditor', isUnscoped: true, menus: { audit: ['canView'] } },
  ],
} as const

/** A question about it whose answer is yes. */
export const accountQuestion = {
  user: 'ada@example.org',
  account: 'acme',
  workstream: 'research',
  menu: 'dashboard',
  action: 'edit',
} as const
