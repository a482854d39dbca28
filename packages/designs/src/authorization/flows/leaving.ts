import { leaving } from '@freehold/frame/leaving'
import { User } from '../design.ts'
import { type AuthorizationContext, authorizationHost } from './authorization-host.ts'

export const { flows: leavingFlows, job: erasingUser } = leaving<AuthorizationContext, typeof User>(authorizationHost, User, {
  inUse: 'cascade',
})
