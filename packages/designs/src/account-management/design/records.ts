import { untold } from '@freehold/frame/attributes'
import { entity, flag, instant, map, mirror, oneOf, text, uuid } from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'
import { actor } from './attributes.ts'
import { User } from './people.ts'

// Items that expire (entities 12-14)

const daysAfter = (instant: unknown, days: number) =>
  typeof instant === 'string' ? new Date(Date.parse(instant) + days * day_ms).toISOString() : undefined

/** Events of no client lie at SYSTEM, in no index. It refers to nothing: it outlives what it tells of. */
export const AuditLog = entity('AuditLog', {
  attributes: {
    id: uuid().made(),
    user_id: uuid().optional(),
    action: text().mayBeAbsent(untold),
    entity_type: text().optional(),
    entity_id: uuid().optional(),
    timestamp: instant().made(),
    client_id: uuid().optional(),
    ip_address: text().optional(),
    user_agent: text().optional(),
    metadata: map().optional(),
    status: oneOf('success', 'failure', 'error')
      .made(() => 'success')
      .mayBeAbsent(untold),
    session_id: uuid().optional(),
    severity: oneOf('info', 'warning', 'critical')
      .made(() => 'info')
      .mayBeAbsent(untold),
    related_entities: map().optional(),
    expires_at: instant().default(({ timestamp }) => daysAfter(timestamp, 365)),
  },
  key: ['CLIENT#{client_id}|SYSTEM', 'AUDIT#{timestamp}#{id}'],
  indexes: { GSI4: ['CLIENT#{client_id}', 'AUDIT#{timestamp}'] },
  appendOnly: true,
  expires: 'expires_at',
})

export const AuthToken = entity('AuthToken', {
  attributes: {
    id: uuid().made(),
    user_id: uuid(),
    client_id: uuid().from('user_id').mayBeAbsent('it is of the client of its user'),
    token_type: oneOf('JWT', 'refresh', 'api').mayBeAbsent(untold),
    token_hash: text().optional().secret().addition('a token is compared with its hash and never stored'),
    issued_at: instant().made().mayBeAbsent(untold),
    expires_at: instant()
      .default(({ issued_at }) => daysAfter(issued_at, 30))
      .mayBeAbsent('nobody knows when it was issued, nor when it ends: it is listed, and lets nobody in')
      .describe('When the token ends: it lives no longer than its type may live.'),
    payload: map().optional(),
    revoked: flag().default(false),
    revoked_at: instant().optional(),
    revoked_by: actor(),
    device_id: text().optional(),
    ip_address: text().optional(),
  },
  key: ['USER#{user_id}', 'TOKEN#{id}'],
  refers: { user_id: User },
  expires: 'expires_at',
})
export const TokenById = mirror('TokenById', AuthToken, ['TOKEN_ID#{id}', 'TOKEN_ID#{id}'], ['client_id'], {
  why: 'a token is revoked by its id alone',
})

export const LoginSession = entity('LoginSession', {
  attributes: {
    id: uuid().made(),
    user_id: uuid(),
    client_id: uuid().from('user_id').mayBeAbsent('it is of the client of its user'),
    sso_provider: text().optional(),
    session_start: instant().made(),
    session_end: instant().optional(),
    ip_address: text().optional(),
    user_agent: text().optional(),
    device_info: map().optional(),
    mfa_verified: flag().default(false),
    location: text().optional(),
    status: oneOf('active', 'expired', 'revoked')
      .made(() => 'active')
      .mayBeAbsent('it is not known to be active'),
    expires_at: instant().default(({ session_start }) => daysAfter(session_start, 90)),
  },
  key: ['USER#{user_id}', 'SESSION#{session_start}#{id}'],
  refers: { user_id: User },
  expires: 'expires_at',
})
export const SessionById = mirror('SessionById', LoginSession, ['SESSION_ID#{id}', 'SESSION_ID#{id}'], ['client_id'], {
  why: 'a session is revoked by its id alone',
})
