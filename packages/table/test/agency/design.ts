import { dependingOn, design, edge, entity, mirror, oneOf, query, text, ulid, unless } from '../../src/language.ts'

export const Firm = entity('Firm', { attributes: { id: ulid().made(), name: text() }, key: ['FIRM#{id}', 'META'] })
export const Site = entity('Site', {
  attributes: { id: ulid().made(), firm_id: ulid(), name: text() },
  key: ['FIRM#{firm_id}', 'SITE#{id}'],
  refers: { firm_id: Firm },
})
export const SitePlace = mirror('SitePlace', Site, ['SITE#{id}', 'META'], ['name'])

/** Of a firm or of nobody; one may be a part of another of the same owner. */
export const Skill = entity('Skill', {
  attributes: { id: ulid().made(), firm_id: ulid().optional(), name: text(), parent_id: ulid().optional() },
  key: ['FIRM#{firm_id}|SHARED', 'SKILL#{id}'],
  refers: { firm_id: Firm, parent_id: { to: 'itself', onRemove: 'refuse' } },
})

export const Tool = entity('Tool', { attributes: { id: ulid().made(), name: text() }, key: ['TOOL#{id}', 'META'] })
export const { SkillTool, ToolSkill } = edge({
  ends: { skill_id: Skill, tool_id: { to: Tool, onRemove: 'refuse' } },
  attributes: { firm_id: ulid().optional() },
  items: { SkillTool: ['SKILL#{skill_id}', 'TOOL#{tool_id}'], ToolSkill: ['TOOL_SKILLS#{tool_id}', 'SKILL#{skill_id}'] },
})

export const Post = entity('Post', {
  attributes: {
    id: ulid().made(),
    place_type: oneOf('firm', 'site'),
    place_id: ulid(),
    firm_id: ulid().from('place_id', { Firm: 'id' }),
    place_name: text().from('place_id', 'name'),
    skill_id: ulid(),
    skill_owner: text(),
  },
  key: ['POST#{id}', 'META'],
  indexes: { GSI1: ['FIRM#{firm_id}', 'POST#{id}'] },
  refers: {
    place_id: dependingOn('place_type', { firm: Firm, site: SitePlace }),
    skill_id: { to: Skill, onRemove: 'refuse', by: { firm_id: unless('skill_owner', 'SHARED') } },
  },
})
export const PlacePost = mirror('PlacePost', Post, ['PLACE#{place_type}#{place_id}', 'POST#{id}'], ['firm_id'])
export const SkillPost = mirror('SkillPost', Post, ['SKILL_POSTS#{skill_id}', 'POST#{id}'], ['skill_owner', 'firm_id'])

/** References of every form: depending on an attribute, to nothing for one value, to their own entity; an end that refuses to go. Firms are tenants. */
export const agency = design({
  name: 'agency',
  table: 'agency',
  entities: { Firm, Site, SitePlace, Skill, Tool, SkillTool, ToolSkill, Post, PlacePost, SkillPost },
  features: { tools: [Tool, SkillTool, ToolSkill] },
  tenants: { by: 'firm_id', of: { Firm: 'id' }, shared: [Skill, Tool, SkillTool, ToolSkill], crossing: ['skillsOfTool', 'posts'] },
  patterns: {
    everythingOfFirm: query('FIRM#{firm_id}').returns(Firm, Site, Skill),
    postsOfFirm: query('PLACE#firm#{place_id}').returns(PlacePost),
    toolsOfSkill: query('SKILL#{skill_id}').returns(SkillTool),
    skillsOfTool: query('TOOL_SKILLS#{tool_id}').returns(ToolSkill),
    postsOfSkill: query('SKILL_POSTS#{skill_id}').returns(SkillPost),
    posts: query('POST#{id}').returns(Post),
  },
})
