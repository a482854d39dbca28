import { dependingOn, design, email, entity, get, instant, list, mirror, oneOf, record, text, unique, uuid } from '@freehold/table'

// A small design with scopes of four kinds: a company has regions, these have shops, and these tills. Roles are of a company, and inherit.

const id = uuid().made()
const status = oneOf('active', 'closed').made('active')

export const User = entity('User', { attributes: { id, email: email(), status }, key: ['USER#{id}', 'META'] })
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'META'])

export const Company = entity('Company', { attributes: { id, status }, key: ['COMPANY#{id}', 'META'] })
export const Region = entity('Region', {
  attributes: { id, company_id: uuid() },
  key: ['COMPANY#{company_id}', 'REGION#{id}'],
  refers: { company_id: Company },
  fixed: ['company_id'],
})
export const RegionPlace = mirror('RegionPlace', Region, ['REGION#{id}', 'META'])
export const Shop = entity('Shop', {
  attributes: { id, region_id: uuid(), company_id: uuid().from('region_id'), status },
  key: ['REGION#{region_id}', 'SHOP#{id}'],
  refers: { region_id: RegionPlace },
  fixed: ['region_id', 'company_id'],
})
export const ShopPlace = mirror('ShopPlace', Shop, ['SHOP#{id}', 'META'], ['company_id'])
export const CompanyShop = mirror('CompanyShop', Shop, ['COMPANY_SHOPS#{company_id}', 'SHOP#{region_id}#{id}'])
export const Till = entity('Till', {
  attributes: { id, shop_id: uuid(), region_id: uuid().from('shop_id'), company_id: uuid().from('shop_id') },
  key: ['SHOP#{shop_id}', 'TILL#{id}'],
  refers: { shop_id: ShopPlace },
  fixed: ['region_id', 'company_id'],
})
export const TillPlace = mirror('TillPlace', Till, ['TILL#{id}', 'META'], ['region_id', 'company_id'])
export const RegionTill = mirror('RegionTill', Till, ['REGION_TILLS#{region_id}', 'TILL#{shop_id}#{id}'])
export const CompanyTill = mirror('CompanyTill', Till, ['COMPANY_TILLS#{company_id}', 'TILL#{region_id}#{shop_id}#{id}'])

/** Written by users: patterns of permissions, in which `*` stands for any, and the role above. */
export const Role = entity('Role', {
  attributes: { id, company_id: uuid(), permissions: list(record({ action: text(), thing: text() })), above: uuid().optional() },
  key: ['COMPANY#{company_id}', 'ROLE#{id}'],
  refers: { company_id: Company, above: { to: 'itself', onRemove: 'refuse' } },
})
export const RoleAbove = mirror('RoleAbove', Role, ['ROLES_ABOVE#{company_id}', 'ROLE#{id}#{above}'])

export const Post = entity('Post', {
  attributes: {
    user_id: uuid(),
    kind: oneOf('company', 'region', 'shop', 'till'),
    scope: uuid(),
    role_id: uuid(),
    company_id: uuid().from('scope', { Company: 'id' }),
    until: instant().optional(),
  },
  key: ['USER#{user_id}', 'POST#{kind}#{scope}#{role_id}'],
  refers: { user_id: User, scope: dependingOn('kind', { company: Company, region: RegionPlace, shop: ShopPlace, till: TillPlace }) },
})
export const ScopePost = mirror('ScopePost', Post, ['SCOPE#{kind}#{scope}', 'POST#{role_id}#{user_id}'])

const scopes = { Company, Region, RegionPlace, Shop, ShopPlace, CompanyShop, Till, TillPlace, RegionTill, CompanyTill }

export const shops = design({
  name: 'shops',
  table: 'shops',
  noIndexes: true,
  entities: { User, UserEmail, ...scopes, Role, RoleAbove, Post, ScopePost },
  patterns: { user: get(User), till: get(TillPlace) },
})
