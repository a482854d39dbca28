import { leaving } from '@freehold/frame/leaving'
import { User } from '../design.ts'
import { type RebacContext, rebacHost } from './rebac-host.ts'

export const { flows: leavingFlows, job: erasingUser } = leaving<RebacContext, typeof User>(rebacHost, User)
