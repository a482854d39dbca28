/** A property company: its project, a building, who keeps it, a contractor whose role has expired, and who opens the doors. */
export const property = {
  client: { id: 'ac000000-0000-4000-8000-000000000001', name: 'Acme Property' },
  project: { id: 'ac000000-0000-4000-8000-000000000002', name: 'Harbour' },
  building: { id: 'ac000000-0000-4000-8000-000000000003', name: 'Pier 4' },
  role: {
    id: 'ac000000-0000-4000-8000-000000000004',
    name: 'caretaker',
    permissions: [
      { module: 'devices', action: 'read', resource: '*' },
      { module: 'devices', action: 'reboot', resource: 'camera' },
    ],
  },
  /** Who opens the doors, since when, and who gave that. */
  doors: {
    role: {
      id: 'ac000000-0000-4000-8000-000000000007',
      name: 'doorkeeper',
      permissions: [{ module: 'doors', action: 'open', resource: 'door' }],
    },
    user: { id: 'ac000000-0000-4000-8000-000000000008', email: 'ida@acme.example', first_name: 'Ida' },
    start_at: '2025-06-01T06:00:00.000Z',
    created_by: 'ac000000-0000-4000-8000-000000000005',
  },
  users: [
    { id: 'ac000000-0000-4000-8000-000000000005', email: 'grace@acme.example', first_name: 'Grace' },
    { id: 'ac000000-0000-4000-8000-000000000006', email: 'tom@acme.example', first_name: 'Tom', until: '2025-12-31T00:00:00.000Z' },
  ],
} as const

const { building } = property
const permission = 'devices:reboot:camera'

/** Questions about it. Grace may; Tom's role has expired. */
export const propertyQuestions = {
  can: { user: 'grace@acme.example', building: building.id, permission },
  why: { user: 'tom@acme.example', building: building.id, permission },
  what: { user: 'grace@acme.example', building: building.id },
  who: { building: building.id, permission },
  where: { user: 'grace@acme.example', permission },
} as const
