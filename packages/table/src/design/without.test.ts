import { describe, expect, expectTypeOf, test } from 'vitest'
import { agency, Firm, Post, Site, Skill, SkillTool, Tool, ToolSkill } from '../../test/agency/design.ts'
import { prove } from '../analyse/prove.ts'
import { design, entity, query, text, without } from '../language.ts'
import type { AnyDesign } from './design.ts'

describe('a design without a feature', () => {
  const rest = without(agency, 'tools')

  test('has none of its entities, nor what returns nothing else', () => {
    expect([...rest.form.entities.keys()]).toEqual(['Firm', 'Site', 'SitePlace', 'Skill', 'Post', 'PlacePost', 'SkillPost'])
    expect([...rest.form.patterns.keys()]).toEqual(['everythingOfFirm', 'postsOfFirm', 'postsOfSkill', 'posts'])
    expect(rest.features).toEqual({})
    expect(rest.tenants).toMatchObject({ by: 'firm_id', of: { Firm: 'id' }, shared: [Skill], operators: [], crossing: ['posts'] })
    expectTypeOf<keyof typeof rest.entities>().toEqualTypeOf<'Firm' | 'Site' | 'SitePlace' | 'Skill' | 'Post' | 'PlacePost' | 'SkillPost'>()
    expectTypeOf<keyof typeof rest.patterns>().toEqualTypeOf<'everythingOfFirm' | 'postsOfFirm' | 'postsOfSkill' | 'posts'>()
  })

  test('is a design: proven, of the same name, and nothing hangs on what is gone', () => {
    expect(rest).toMatchObject({ name: 'agency', table: 'agency', tags: {} })
    expect(prove(rest).isProven).toBe(true)
    const dependants = ({ form }: AnyDesign) => form.dependantsOf(Skill).map(({ entity }) => entity.name)
    expect(dependants(agency)).toContain('SkillTool')
    expect(dependants(rest)).not.toContain('SkillTool')
  })

  test('returns what is left from an access pattern of both', () => {
    const both = design({
      name: 'both',
      table: 'both',
      description: 'Firms and their sites',
      entities: { Firm, Site, SitePlace: agency.entities.SitePlace },
      features: { sites: [Site, agency.entities.SitePlace] },
      patterns: { firm: query('FIRM#{firm_id}').returns(Firm, Site) },
    })
    const firms = without(both, 'sites')
    expect(firms.form.patterns.get('firm')?.entities).toEqual([Firm])
    expect(firms.description).toBe('Firms and their sites')
    expectTypeOf<keyof typeof firms.patterns>().toEqualTypeOf<'firm'>()
  })

  test('keeps who may read what, but for what is gone', () => {
    const Club = entity('Club', { attributes: { club: text() }, key: ['CLUB#{club}', 'META'] })
    const Person = entity('Person', { attributes: { id: text() }, key: ['PERSON#{id}', 'META'] })
    const Guest = entity('Guest', { attributes: { id: text() }, key: ['GUEST#{id}', 'META'] })
    const Member = entity('Member', { attributes: { club: text(), id: text() }, key: ['CLUB#{club}', 'PERSON#{id}'] })
    const clubs = design({
      name: 'clubs',
      table: 'clubs',
      entities: { Club, Person, Guest, Member },
      features: { guests: [Guest] },
      patterns: {},
      tenants: { by: 'club', shared: [Person, Guest], readBy: { Person: Member, Guest: Member } },
    })
    expect(without(clubs, 'guests').tenants?.readBy).toEqual({ Person: Member })
  })

  test('that it does not have is refused', () => {
    // Named in an environment variable, say, where no type stops it.
    const leave = (...names: string[]) => without(agency as AnyDesign, ...names)
    expect(() => leave('tool')).toThrow("The design agency has no feature 'tool'; it has: tools.")
    expect(() => leave('constructor')).toThrow('has no feature')
    // @ts-expect-error the design has no such feature
    expect(() => without(agency, 'tool')).toThrow(
      expect.objectContaining({ code: 'InvalidDesign', details: { design: 'agency', feature: 'tool' } }),
    )
  })
})

describe('a feature', () => {
  const { SitePlace, PlacePost, SkillPost } = agency.entities
  const entities = { Firm, Site, SitePlace, Skill, Tool, SkillTool, ToolSkill, Post, PlacePost, SkillPost }
  const withFeatures = (features: Readonly<Record<string, readonly (typeof entities)[keyof typeof entities][]>>) => () =>
    design({ name: 'agency', table: 'agency', entities, patterns: {}, features })

  test.each([
    ['that what stays needs', { places: [Site, SitePlace] }, "Post is not in the feature 'places', but needs SitePlace, which is"],
    ['with one side of an edge only', { tools: [SkillTool] }, "ToolSkill is not in the feature 'tools', but needs SkillTool, which is"],
    [
      'with an owner, but not its mirror',
      { posts: [Post] },
      "PlacePost is not in the feature 'posts', but needs Post, which is; SkillPost is not in the feature 'posts', but needs Post, which is",
    ],
  ])('%s is refused', (_what, features, problem) => {
    expect(withFeatures(features)).toThrow(`The design agency: ${problem}.`)
  })

  test('of what the design does not have is refused', () => {
    const define = () => design({ name: 'few', table: 'few', entities: { Firm }, patterns: {}, features: { tools: [Tool] } })
    expect(define).toThrow("The design few: the feature 'tools' has Tool, which is not among its entities.")
  })
})
