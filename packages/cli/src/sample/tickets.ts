/** A ticket API with one tenant, for the policies that `freehold policies` begins a folder with. */
export const tickets = {
  tenant: { tenantId: '01ACME00000000000000000000', name: 'Acme Property' },
  roles: {
    agent: { roleId: '01ACME0000000000000000AGEN', name: 'agent', scope: 'tenant' },
    viewer: { roleId: '01ACME0000000000000000V1EW', name: 'viewer', scope: 'tenant' },
  },
  users: [
    { userId: '01ACME00000000000000000ADA', email: 'ada@acme.example', givenName: 'Ada', role: 'agent' },
    { userId: '01ACME0000000000000000VERA', email: 'vera@acme.example', givenName: 'Vera', role: 'viewer' },
  ],
} as const

const tenant = tickets.tenant.tenantId
const resource = { type: 'Ticket', id: 't-1', attributes: { status: 'open', tenant: { type: 'Tenant', id: tenant } } }

/** Questions about it. An agent closes tickets; a viewer only reads them. */
export const ticketQuestions = {
  can: { user: 'ada@acme.example', tenant, action: 'closeTicket', resource },
  why: { user: 'vera@acme.example', tenant, action: 'closeTicket', resource },
  what: { user: 'ada@acme.example', tenant, resource },
  who: { tenant, action: 'closeTicket', resource },
  where: { user: 'ada@acme.example', action: 'createTicket' },
} as const
