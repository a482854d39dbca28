import { leaving } from '@freehold/frame/leaving'
import { User } from '../design.ts'
import { removeUser } from './delete-user.ts'
import { type PlatformContext, platformHost } from './platform-host.ts'

/** A user who is erased gives its seats back, as one who is deleted. */
export const { flows: leavingFlows, job: erasingUser } = leaving<PlatformContext, typeof User>(platformHost, User, { remove: removeUser })
