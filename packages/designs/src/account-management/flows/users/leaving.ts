import { leaving } from '@freehold/frame/leaving'
import { User } from '../../design.ts'
import { type AccountContext, accountHost } from '../account-host.ts'

export const { flows: leavingFlows, job: erasingUser } = leaving<AccountContext, typeof User>(accountHost, User)
