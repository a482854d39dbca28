import { scopedAccessOf, through } from '@freehold/frame/access'
import { Company, Post, Region, Role, Shop, shops, Till, User, UserEmail } from './design.ts'

const scopes = { company_id: Company, region_id: Region, shop_id: Shop, till_id: Till }
const permission = { action: 'What is done', thing: 'With what it is done' }
const where = { User: { status: 'active' }, Company: { status: 'active' }, Shop: { status: 'active' } } as const
const grants = through(Post).at('kind', 'scope').until('until').byRole('role_id', Role, 'permissions', { above: 'above' })

/** A role at a company, a region, a shop or a till counts at everything beneath it, until the post ends. */
export const access = scopedAccessOf(shops, { subject: User, names: [UserEmail], scopes, permission, where, grants })
