/** A sports club at two places, with lessons: small enough to read, with a denied page, a user at both branches and one at none. */
export const organisation = {
  locations: [
    { locationCode: 'NYC001', name: 'New York', address: '476 Fifth Avenue' },
    { locationCode: 'LON001', name: 'London' },
  ],
  users: [
    { displayName: 'Ada', userType: 'LEAD', email: 'ada@example.org', locations: ['NYC001', 'LON001'] },
    { displayName: 'Ben', userType: 'MEMBER', email: 'ben@example.org', locations: ['NYC001'] },
    { displayName: 'Cleo', userType: 'MEMBER', email: 'cleo@example.org', locations: [] },
  ],
  groups: [
    { name: 'Teachers', groupType: 'TEACHER', location: 'NYC001', users: ['ada@example.org'], roles: ['teacher'] },
    { name: 'Helpers', groupType: 'VOLUNTEER', location: 'NYC001', users: ['ben@example.org'], roles: ['helper'] },
    { name: 'Visitors', groupType: 'VOLUNTEER', location: 'LON001', users: ['ada@example.org'], roles: ['helper'] },
  ],
  roles: [
    { roleName: 'teacher', description: 'Plans lessons', allows: ['dashboard', 'lessons', 'reports'], denies: [] },
    { roleName: 'helper', description: 'Lends a hand', allows: ['dashboard', 'lessons'], denies: ['reports'] },
  ],
  pages: ['dashboard', 'lessons', 'reports'],
} as const

/** A question about the sample whose answer is yes. */
export const sampleQuestion = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' } as const
