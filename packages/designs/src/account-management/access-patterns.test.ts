import { testAccessPatterns } from '../../test/access-pattern-tests.ts'
import * as as from '../../test/account-items.ts'
import { accountManagement } from './design.ts'

const { idOf } = as
type Six = [string, string, string, string, string, string]
/** Twelve ids of a kind. */
const ids = (kind: Parameters<typeof idOf>[0]) =>
  // The length of what Array.from makes is not in its type.
  Array.from({ length: 12 }, (_, index) => idOf(kind, index + 1)) as [...Six, ...Six]
const [c1, c2] = ids('client')
const [p1, p2, p3, p4, p5] = ids('project')
const [b1, b2, b3, b4, b5] = ids('building')
const [u1, u2, u3, u4, u5, u6] = ids('user')
const [r1, r2, r3, r4, r5, r6, r7] = ids('role')
const [f1, f2, f3] = ids('permission')
const [m1, m2, m3] = ids('module')
const [d1, d2, d3, d4] = ids('device')
const [z1, z2, z3] = ids('zone')
const [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12] = ids('audit')
const [t1, t2, t3, t4] = ids('token')
const [s1, s2, s3, s4, s5] = ids('session')

// Two days, with the instants just outside of them.
const before = '2026-03-13T23:59:59.999Z'
const first = '2026-03-14T00:00:00.000Z'
const within = '2026-03-14T12:00:00.000Z'
const last = '2026-03-15T23:59:59.999Z'
const after = '2026-03-16T00:00:00.000Z'
const days = { from: '2026-03-14', to: '2026-03-15' }

const decoy = (PK: string, SK: string) => as.item('Decoy', PK, SK, {})
/** An item under keys of an index that no entity has, beside those that a pattern finds. */
const decoyOn = (index: string, partition: string, sort: string) =>
  as.item('Decoy', 'DECOY', `${index} ${partition} ${sort}`, { [`${index}PK`]: partition, [`${index}SK`]: sort })
/** Items that a prefix without its delimiter, or one that ignores case, would also find. */
const near = (...kinds: string[]) => kinds.flatMap((kind) => [kind, `${kind}S#${first}`, `${kind.toLowerCase()}#${first}`])

/**
 * Beside what each pattern must find lie its decoys: keys that are the beginning of another or another in another case, things of the same
 * name in other tenants and in none, what was just before and after a range, what is over, keys without their delimiter.
 */
const items = [
  ...as.client(c1, first),
  ...as.client(c2, after),
  ...as.project(c1, p1, before),
  ...as.project(c1, p2, first),
  ...as.project(c1, p3, last),
  ...as.project(c1, p4, after),
  ...as.project(c2, p5, within),
  ...as.building(c1, p1, b1, first),
  ...as.building(c1, p1, b2, last),
  ...as.building(c1, p2, b3, before),
  ...as.building(c2, p5, b4, within),
  ...as.building(c1, p3, b5, after),
  ...as.user(c1, u1, 'ada@example.org', first),
  ...as.user(c1, u2, 'ada@example.org.uk', last),
  ...as.user(c2, u3, 'ada@example.or', within),
  ...as.user(undefined, u4, 'ada#x@example.org', within),
  ...as.user(c1, u5, 'bob@example.org', before),
  ...as.user(c1, u6, 'eve@example.org', after),
  as.ownedProject(c1, u1, p1),
  as.ownedProject(c1, u1, p3),
  as.ownedProject(c1, u2, p2),
  ...as.role(c1, r1, 'Manager', { created_at: first }),
  ...as.role(c1, r2, 'Manager 2', { created_at: last, parent: r1 }),
  ...as.role(c2, r3, 'Manager', { created_at: within }),
  ...as.role(undefined, r4, 'Manager', { created_at: within }),
  ...as.role(c1, r5, 'manager', { created_at: before, parent: r1 }),
  ...as.role(undefined, r6, 'manager', { created_at: within, parent: r4 }),
  ...as.role(c1, r7, 'SYSTEM', { created_at: after }),
  ...as.permission(f1, 'devices', 'read', 'camera'),
  ...as.permission(f2, 'devices', 'read', 'camera#1'),
  ...as.permission(f3, 'Devices', 'read', 'camera'),
  ...as.link(c1, r1, f1),
  ...as.link(c1, r1, f2),
  ...as.link(c2, r3, f1),
  ...as.link(undefined, r4, f1),
  ...as.link(undefined, r4, f3),
  ...as.assignment(c1, u1, r1, 'building', b1),
  ...as.assignment(c1, u1, r2, 'building', b1),
  ...as.assignment(c1, u1, r1, 'building', b2),
  ...as.assignment(c1, u1, r1, 'client', c1),
  ...as.assignment(c1, u1, r1, 'project', p1),
  ...as.assignment(c1, u2, r1, 'building', b1),
  ...as.assignment(c1, u2, r1, 'building', b3),
  ...as.assignment(c1, u2, r1, 'project', p1),
  ...as.assignment(c2, u3, r3, 'building', b4),
  as.subscription(c1, 'building', b1, m1, 'active'),
  as.subscription(c1, 'building', b1, m2, 'trial'),
  as.subscription(c1, 'building', b1, m3, 'expired'),
  as.subscription(c1, 'building', b2, m1, 'expired'),
  as.subscription(c2, 'building', b4, m1),
  as.subscription(c1, 'project', p1, m1),
  ...['theme', 'theme#dark', 'theme2', 'Theme'].map((key) => as.setting(c1, 'client', c1, key)),
  as.setting(c2, 'client', c2, 'theme'),
  as.setting(c1, 'project', p1, 'theme'),
  as.setting(c1, 'building', b1, 'theme'),
  as.setting(c1, 'user', u1, 'theme'),
  as.device(c1, b1, d1),
  as.device(c1, b1, d2),
  as.device(c1, b2, d3),
  as.device(c2, b4, d4),
  as.zone(c1, b1, z1),
  as.zone(c1, b2, z2),
  as.zone(c2, b4, z3),
  as.audit(c1, a1, before, u1),
  as.audit(c1, a2, first, u1),
  as.audit(c1, a3, within, u2),
  as.audit(c1, a4, within, u1),
  as.audit(c1, a5, last, u1),
  as.audit(c1, a6, after),
  as.audit(c1, a7, within, u1, as.longAgo),
  as.audit(c2, a8, within, u1),
  as.audit(undefined, a9, before),
  as.audit(undefined, a10, first, u4),
  as.audit(undefined, a11, last),
  as.audit(undefined, a12, after),
  ...as.token(c1, u1, t1),
  ...as.token(c1, u1, t2),
  ...as.token(c1, u1, t3, as.longAgo),
  ...as.token(c1, u2, t4),
  ...as.identity(c1, u1, 'google', 's#1'),
  ...as.identity(c1, u1, 'github', 's#1'),
  ...as.identity(c1, u2, 'google', 's#10'),
  ...as.session(c1, u1, s1, first),
  ...as.session(c1, u1, s2, within),
  ...as.session(c1, u1, s3, within),
  ...as.session(c1, u1, s4, last, as.longAgo),
  ...as.session(c1, u2, s5, within),
  // In partitions that are read by prefix or range; not where one is read whole.
  ...near('PROJECT', 'ROLE', 'AUDIT').map((sort) => decoy(`CLIENT#${c1}`, sort)),
  ...near('ROLE', 'PERMISSION', 'AUDIT').map((sort) => decoy('SYSTEM', sort)),
  ...near('BUILDING').map((sort) => decoy(`PROJECT#${p1}`, sort)),
  ...near('DEVICE', 'ZONE').map((sort) => decoy(`BUILDING#${b1}`, sort)),
  ...near('ROLE', 'TOKEN', 'SESSION').map((sort) => decoy(`USER#${u1}`, sort)),
  ...near('SUBSCRIPTION', 'ASSIGNMENT').map((sort) => decoy(`SCOPE#building#${b1}`, sort)),
  ...near('SETTING').map((sort) => decoy(`SCOPE#client#${c1}`, sort)),
  ...near('PROJECT', 'BUILDING', 'USER', 'ROLE', 'DEVICE', 'ZONE').map((sort) => decoyOn('GSI1', `CLIENT#${c1}`, sort)),
  ...near('CLIENT', 'PROJECT', 'BUILDING', 'USER', 'ROLE', 'AUDIT').map((sort) => decoyOn('GSI4', `CLIENT#${c1}`, sort)),
  ...[`building#${b1}0#${r1}`, `building#${b1.toUpperCase()}#${r1}`, `building#${b1}`, `Building#${b1}#${r1}`].flatMap((scope) => [
    decoy(`USER#${u2}`, `ROLE#${scope}`),
    decoyOn('GSI2', `USER#${u2}`, `ACCESS#${scope}`),
  ]),
  // Partitions that begin like another, or are another in another case.
  ...[`${c1}0`, c1.toUpperCase()].flatMap((id) => [
    decoy(`CLIENT#${id}`, 'METADATA'),
    decoy(`CLIENT#${id}`, `ROLE#${r1}`),
    decoyOn('GSI1', `CLIENT#${id}`, `PROJECT#${p1}`),
    decoyOn('GSI4', `CLIENT#${id}`, `AUDIT#${within}`),
  ]),
  ...[`${u1}0`, u1.toUpperCase()].flatMap((id) => [decoy(`USER#${id}`, `TOKEN#${t1}`), decoyOn('GSI2', `USER#${id}`, `USER#${id}`)]),
  decoyOn('GSI3', 'EMAIL#Ada@example.org', `USER#${u2}`),
  decoyOn('GSI5', `MODULE#${m1}0`, `SUBSCRIPTION#building#${b1}`),
  decoy('DIRECTORY#CLIENTS', `CLIENT#${c1}`),
  decoy('system', `PERMISSION#${f1}`),
]

const [asC1, asC2, asU1, asB1, asP1] = [`CLIENT#${c1}`, `CLIENT#${c2}`, `USER#${u1}`, `BUILDING#${b1}`, `PROJECT#${p1}`]
const users = (...of: string[]) => of.map((id) => `USER#${id} METADATA`)
const rolesOf = (client: string, ...of: string[]) => of.map((id) => `${client} ROLE#${id}`)
const audits = (client: string, ...of: (readonly [instant: string, id: string])[]) =>
  of.map(([instant, id]) => `${client} AUDIT#${instant}#${id}`)
const heldAs = (place: string) => `ROLE_HOLDERS#${r1} ${place}`
const upper = c1.toUpperCase()

testAccessPatterns(accountManagement, items, [
  // requirements, section 1
  ['userByEmail', { email: ' Ada@Example.ORG ' }, ...users(u1)],
  ['userByEmail', { email: 'ada#x@example.org' }, ...users(u4)],
  [
    'accessOfUserAtScope',
    { user_id: u1, scope_type: 'building', scope_id: b1.toUpperCase() },
    `${asU1} ROLE#building#${b1}#${r1}`,
    `${asU1} ROLE#building#${b1}#${r2}`,
  ],
  ['accessOfUserAtScope', { user_id: u2, scope_type: 'building', scope_id: b1 }, `USER#${u2} ROLE#building#${b1}#${r1}`],
  // section 2: METADATA in the middle
  [
    'entitiesOfClient',
    { client_id: c2 },
    `PROJECT#${p5} BUILDING#${b4}`,
    `${asC2} METADATA`,
    `BUILDING#${b4} DEVICE#${d4}`,
    `${asC2} PROJECT#${p5}`,
    `${asC2} ROLE#${r3}`,
    ...users(u3),
    `BUILDING#${b4} ZONE#${z3}`,
  ],
  ['client', { id: upper }, `${asC1} METADATA`],
  // section 3
  ['projectsOfClient', { client_id: upper }, ...[p1, p2, p3, p4].map((id) => `${asC1} PROJECT#${id}`)],
  ['buildingsOfProject', { project_id: p1 }, `${asP1} BUILDING#${b1}`, `${asP1} BUILDING#${b2}`],
  // section 4
  ['devicesOfBuilding', { building_id: b1 }, `${asB1} DEVICE#${d1}`, `${asB1} DEVICE#${d2}`],
  ['zonesOfBuilding', { building_id: b1 }, `${asB1} ZONE#${z1}`],
  // section 5
  [
    'subscriptionsOfScope',
    { scope_type: 'building', scope_id: b1 },
    ...[m1, m2, m3].map((id) => `SCOPE#building#${b1} SUBSCRIPTION#${id}`),
  ],
  ['subscriptionsOfScope', { scope_type: 'building', scope_id: b1, status: 'trial' }, `SCOPE#building#${b1} SUBSCRIPTION#${m2}`],
  ['subscriptionsOfScope', { scope_type: 'building', scope_id: b2, status: 'active' }],
  [
    'subscriptionsOfModule',
    { module_id: m1 },
    ...[b1, b2, b4].map((id) => `SCOPE#building#${id} SUBSCRIPTION#${m1}`),
    `SCOPE#project#${p1} SUBSCRIPTION#${m1}`,
  ],
  // section 6: both days whole, newest first, all events of one instant, none that is over
  ['auditOfClient', { client_id: c1, ...days }, ...audits(asC1, [last, a5], [within, a4], [within, a3], [first, a2])],
  ['auditOfClient', { client_id: c1, from: last, to: last }, ...audits(asC1, [last, a5])],
  [
    'auditOfClient',
    { client_id: c1, from: '2026-03-14T01:00:00+01:00', to: within },
    ...audits(asC1, [within, a4], [within, a3], [first, a2]),
  ],
  ['activityOfUser', { client_id: c1, user_id: u1 }, ...audits(asC1, [last, a5], [within, a4], [first, a2], [before, a1])],
  ['activityOfUser', { client_id: c1, user_id: u4 }],

  // table design, access patterns
  ['rolesOfClient', { client_id: c1 }, ...rolesOf(asC1, r1, r2, r5, r7)],
  ['role', { client_id: c1, id: r1 }, ...rolesOf(asC1, r1)],
  ['role', { id: r4 }, ...rolesOf('SYSTEM', r4)],
  ['linksOfRole', { role_id: r1 }, `ROLE#${r1} PERMISSION#${f1}`, `ROLE#${r1} PERMISSION#${f2}`],
  [
    'rolesOfUser',
    { user_id: u1 },
    `${asU1} ROLE#building#${b1}#${r1}`,
    `${asU1} ROLE#building#${b1}#${r2}`,
    `${asU1} ROLE#building#${b2}#${r1}`,
    `${asU1} ROLE#client#${c1}#${r1}`,
    `${asU1} ROLE#project#${p1}#${r1}`,
  ],
  [
    'scopesOfUser', // the user itself lies beside its assignments
    { user_id: u1 },
    `${asU1} ROLE#building#${b1}#${r1}`,
    `${asU1} ROLE#building#${b1}#${r2}`,
    `${asU1} ROLE#building#${b2}#${r1}`,
    `${asU1} ROLE#client#${c1}#${r1}`,
    `${asU1} ROLE#project#${p1}#${r1}`,
    `${asU1} METADATA`,
  ],
  ['scopesOfUser', { user_id: u4 }, ...users(u4)],
  ['permissions', {}, ...[f1, f2, f3].map((id) => `SYSTEM PERMISSION#${id}`)],

  // the key tables of entities 9, 13 and 14
  [
    'settingsOfScope',
    { scope_type: 'client', scope_id: c1 },
    ...['Theme', 'theme', 'theme#dark', 'theme2'].map((key) => `SCOPE#client#${c1} SETTING#${key}`),
  ],
  ['settingsOfScope', { scope_type: 'user', scope_id: u1 }, `SCOPE#user#${u1} SETTING#theme`],
  ['tokensOfUser', { user_id: u1 }, `${asU1} TOKEN#${t1}`, `${asU1} TOKEN#${t2}`],
  [
    'sessionsOfUser',
    { user_id: u1 },
    `${asU1} SESSION#${within}#${s3}`,
    `${asU1} SESSION#${within}#${s2}`,
    `${asU1} SESSION#${first}#${s1}`,
  ],

  // what a client has, of one kind
  [
    'buildingsOfClient',
    { client_id: c1 },
    `${asP1} BUILDING#${b1}`,
    `${asP1} BUILDING#${b2}`,
    `PROJECT#${p2} BUILDING#${b3}`,
    `PROJECT#${p3} BUILDING#${b5}`,
  ],
  ['usersOfClient', { client_id: c1 }, ...users(u1, u2, u5, u6)],
  ['rolesOfClientInIndex', { client_id: c1 }, ...rolesOf(asC1, r1, r2, r5, r7)],
  ['devicesOfClient', { client_id: c1 }, `${asB1} DEVICE#${d1}`, `${asB1} DEVICE#${d2}`, `BUILDING#${b2} DEVICE#${d3}`],
  ['zonesOfClient', { client_id: c1 }, `${asB1} ZONE#${z1}`, `BUILDING#${b2} ZONE#${z2}`],

  // what a client got, and when
  ['clientByTime', { client_id: c1, ...days }, `${asC1} METADATA`],
  ['clientByTime', { client_id: c2, ...days }],
  ['projectsByTime', { client_id: c1, ...days }, `${asC1} PROJECT#${p2}`, `${asC1} PROJECT#${p3}`],
  ['projectsByTime', { client_id: c1, from: before, to: first }, `${asC1} PROJECT#${p1}`, `${asC1} PROJECT#${p2}`],
  ['buildingsByTime', { client_id: c1, ...days }, `${asP1} BUILDING#${b1}`, `${asP1} BUILDING#${b2}`],
  ['usersByTime', { client_id: c1, ...days }, ...users(u1, u2)],
  ['rolesByTime', { client_id: c1, ...days }, ...rolesOf(asC1, r1, r2)],

  // additions
  ['clients', {}, `DIRECTORY#CLIENT ${asC1}`, `DIRECTORY#CLIENT ${asC2}`],
  ['projectPlace', { id: p1 }, `${asP1} METADATA`],
  ['buildingPlace', { id: b1 }, `${asB1} METADATA`],
  [
    'clientBuildings',
    { client_id: c1 },
    ...[
      [p1, b1],
      [p1, b2],
      [p2, b3],
      [p3, b5],
    ].map(([p, b]) => `CLIENT_BUILDINGS#${c1} BUILDING#${p}#${b}`),
  ],
  ['userIdOfEmail', { email: ' Ada@Example.ORG ' }, 'USER_EMAIL#ada@example.org USER_EMAIL#ada@example.org'],
  ['clientUsers', { client_id: c1 }, ...[u1, u2, u5, u6].map((id) => `CLIENT_USERS#${c1} USER#${id}`)],
  ['internalUsers', {}, `CLIENT_USERS#SYSTEM USER#${u4}`],
  ['ownedProjects', { owner_user_id: u1 }, ...[p1, p3].map((id) => `OWNED_PROJECTS#${u1} PROJECT#${id}`)],
  [
    'permissionOfKey',
    { module: 'devices', action: 'read', resource: 'camera' },
    'PERMISSION_KEY#devices#read#camera PERMISSION_KEY#devices#read#camera',
  ],
  ['roleOfName', { client_id: c1, name: ' Manager ' }, `ROLE_NAME#${c1}#Manager ROLE_NAME#${c1}#Manager`],
  ['roleOfName', { name: 'Manager' }, 'ROLE_NAME#SYSTEM#Manager ROLE_NAME#SYSTEM#Manager'],
  ['childrenOfRole', { parent_role_id: r1 }, `ROLE_CHILDREN#${r1} ROLE#${r2}`, `ROLE_CHILDREN#${r1} ROLE#${r5}`],
  ['roleParents', { client_id: c1 }, ...[r2, r5].map((id) => `ROLE_PARENTS#${c1} ROLE#${id}#${r1}`)],
  ['systemRoleParents', {}, `ROLE_PARENTS#SYSTEM ROLE#${r6}#${r4}`],
  ['rolesOfPermission', { permission_id: f1 }, ...[r1, r3, r4].map((id) => `PERMISSION_ROLES#${f1} ROLE#${id}`)],
  ['systemRoles', {}, ...rolesOf('SYSTEM', r4, r6)],
  ['systemAudit', days, ...audits('SYSTEM', [last, a11], [first, a10])],
  ['systemAudit', { from: before, to: before }, ...audits('SYSTEM', [before, a9])],
  ['assignmentsOfUserAtScope', { user_id: u2, scope_type: 'building', scope_id: b1 }, `USER#${u2} ROLE#building#${b1}#${r1}`],
  [
    'assignmentsAtScope',
    { scope_type: 'building', scope_id: b1 },
    `SCOPE#building#${b1} ASSIGNMENT#${r1}#${u1}`,
    `SCOPE#building#${b1} ASSIGNMENT#${r1}#${u2}`,
    `SCOPE#building#${b1} ASSIGNMENT#${r2}#${u1}`,
  ],
  [
    'holdersOfRole',
    { role_id: r1 },
    ...[`building#${b1}#${u1}`, `building#${b1}#${u2}`, `building#${b2}#${u1}`, `building#${b3}#${u2}`].map(heldAs),
    ...[`client#${c1}#${u1}`, `project#${p1}#${u1}`, `project#${p1}#${u2}`].map(heldAs),
  ],
  ['tokenById', { id: t1 }, `TOKEN_ID#${t1} TOKEN_ID#${t1}`],
  ['sessionById', { id: s1 }, `SESSION_ID#${s1} SESSION_ID#${s1}`],
  ['signIn', { provider: 'google', subject: 's#1' }, 'IDENTITY#google#s#1 IDENTITY#google#s#1'],
  ['signInsOfUser', { user_id: u1 }, `USER#${u1} IDENTITY#github`, `USER#${u1} IDENTITY#google`],
])
