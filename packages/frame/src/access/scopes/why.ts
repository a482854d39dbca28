import type { Entity } from '@freehold/table'
import type { Evidence, Why } from '../../decision/decision.ts'
import { evidence, explained, malformedNames, unusableAmong, unusableEvidence } from '../../decision/evidence.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { asText, type Fields } from '../link.ts'
import type { Ids } from '../tie.ts'
import { inactiveWords, verdictOf } from './denial.ts'
import { type Findings, findingsOf, type Grant, nameIn, roleName } from './findings.ts'
import { isOf } from './flaws.ts'
import type { RoleStep } from './hierarchy.ts'
import type { ScopedAsked } from './need.ts'
import type { Scoped } from './scoped.ts'
import { isLive, keyOf, type Situation } from './situation.ts'

interface Node {
  readonly step: string
  readonly entity: Entity
  readonly id: Ids
  readonly looked: LoadResult<Fields>
}

const found = (step: string, entity: Entity, id: Ids, message: string, as?: Evidence['as']): Evidence =>
  evidence(step, entity, id, 'found', message, as)

function roleWords(step: RoleStep | undefined): string {
  const name = roleName(step)
  return name === undefined ? 'role' : `role ${name}`
}

/** Tells what a question was decided by. */
function telling(declared: Scoped, findings: Findings, now: string) {
  const { chain, subject: node, assigned, declaredRoles, patterns, where, need } = declared
  const { asked, ids, unusable, situation, judged, hierarchy, permission } = findings
  const { entity: Role, linked } = declaredRoles
  const who = node.field
  const step = declared.assignment.name

  /** The subject and the scope chain, from the outermost scope down. */
  const nodesOf = ({ subject, subject_id, scope: { path, nodes } }: Situation): readonly Node[] => {
    const beneath = chain.levels.flatMap(({ type, entity }, index): readonly Node[] => {
      const looked = nodes[index]
      return looked === undefined ? [] : [{ step: type, entity, id: chain.keyAt(path, index), looked }]
    })
    return [{ step: who, entity: node.entity, id: { [node.id]: subject_id }, looked: subject }, ...beneath]
  }
  const conditions = ({ name }: Entity) => Object.values(where[name] ?? {}).map((value) => ` and ${value}`)

  const scopeChain = (): readonly Evidence[] => {
    if (situation === undefined) return []
    const nodes = nodesOf(situation).map((each) =>
      found(each.step, each.entity, each.id, `The ${each.step} is there${conditions(each.entity).join('')}.`),
    )
    const met = need?.isAsked(asked) === true ? need.metBy(situation.scope, asked, now) : undefined
    return met === undefined || need === undefined ? nodes : [...nodes, need.found(met)]
  }

  const grantChain = ({ assignment, roles, pattern }: Grant): readonly Evidence[] => {
    const { scope_type, until, item } = assignment
    const steps = roles.map((each, index) => {
      const { role_id, role_owner, definition } = each
      const as = definition.node.state === 'found' ? { version: definition.node.item.version } : undefined
      const is = index === 0 ? 'exists' : 'is above the role before, which grants all that this one does'
      return found('role', Role, { role_owner, id: role_id }, `The ${roleWords(each)} ${is}.`, as)
    })
    const last = roles.at(-1)
    const isLinked = last?.definition.node.state === 'found' && last.definition.node.item.isLinked
    const rests = [assigned.owner, assigned.from, assigned.until].flatMap((name) => name ?? [])
    const as = Object.fromEntries(rests.map((name) => [name, asText(item[name]) ?? null]))
    const words = patterns.wordsOf(pattern)
    return [
      found(
        step,
        assigned.entity,
        keyIn(assignment),
        `The ${who} has the role at the ${scope_type}${until === undefined ? '' : ` until ${until}`}.`,
        as,
      ),
      ...steps,
      found(
        'permission',
        isLinked && linked !== undefined ? linked.links : Role,
        { role_id: last?.role_id ?? '', permission: words },
        `The ${roleWords(last)} grants ${words}, which covers ${patterns.wordsOf(permission)}.`,
      ),
    ]
  }
  const keyIn = (assignment: Grant['assignment']) => keyOf(declared, String(assignment.item[assigned.subject]), assignment)

  const refusals = ({ subject, subject_id, scope }: Situation): readonly Evidence[] => {
    const told: Evidence[] = []
    const inactive = (name: string, entity: Entity, id: Ids, looked: LoadResult<Fields>) => {
      if (looked.state === 'found' && !isLive(declared, entity.name, looked.item))
        told.push(evidence(name, entity, id, 'inactive', inactiveWords(declared, entity.name, name, looked.item)))
    }
    const [own, ...nodes] = nodesOf({ subject, subject_id, scope, assignments: { found: [], unusable: [] } })
    if (own !== undefined) inactive(own.step, own.entity, own.id, own.looked)
    if (subject.state === 'found' && !isOf(declared, subject.item, scope.path[0]))
      told.push(evidence(who, node.entity, { [node.id]: subject_id }, 'denies', `The ${who} is of another ${chain.levels[0]?.type}.`))
    for (const each of nodes) inactive(each.step, each.entity, each.id, each.looked)
    return findings.isMet || need === undefined ? told : [...told, ...need.missing(scope, asked, now)]
  }

  const missingAssignments = ({ subject_id, scope, assignments }: Situation): readonly Evidence[] => {
    if (hierarchy === undefined) return []
    const { entity, subject, type, id } = assigned
    if (judged.length === 0 && assignments.unusable.length === 0)
      return chain
        .scopesOf(scope.path)
        .map(({ scope_type, scope_id }) =>
          evidence(
            step,
            entity,
            { [subject]: subject_id, [type]: scope_type, [id]: scope_id },
            'missing',
            `The ${who} has no role at this ${scope_type}.`,
          ),
        )
    return judged.flatMap(({ assignment, flaw }) =>
      flaw === undefined ? [] : [evidence(step, entity, keyIn(assignment), flaw.state, flaw.message)],
    )
  }

  /** The missing permission of each role that counts, and of those above it. */
  const missingGrants = (): readonly Evidence[] =>
    judged.flatMap(({ assignment, flaw }): readonly Evidence[] => {
      if (flaw !== undefined || hierarchy === undefined) return []
      return hierarchy.chain(assignment).flatMap((each): readonly Evidence[] => {
        const { role_owner, role_id, definition, links } = each
        const { node: role, unusable: bad } = definition
        const id = { role_owner, id: role_id }
        if (role.state !== 'found') return unusableEvidence('role', Role, id, role)
        const entries = (links?.found ?? []).flatMap(({ entry }) =>
          linked === undefined ? [] : unusableEvidence('permission', linked.catalogue, { id: entry }, hierarchy.catalogue?.get(entry)),
        )
        return [
          ...bad.flatMap((one) => unusableEvidence('permission', Role, id, one)),
          ...unusableAmong('permission', links?.unusable ?? []),
          ...entries,
          evidence('permission', Role, id, 'missing', `The ${roleWords(each)} lacks ${patterns.wordsOf(permission)}.`),
        ]
      })
    })

  const missingAt = (at: Situation): readonly Evidence[] => [
    ...nodesOf(at).flatMap(({ step: name, entity, id, looked }) => unusableEvidence(name, entity, id, looked)),
    ...refusals(at),
    ...unusableAmong(step, at.assignments.unusable),
    ...missingAssignments(at),
    ...missingGrants(),
  ]

  /** A scope that was asked for by its bare id. */
  const noScope = (): readonly Evidence[] => {
    const last = chain.levels.findLast(({ type }) => asked[type] !== undefined)
    if (last === undefined) return []
    const id = asText(asked[last.type]) ?? ''
    return [evidence(last.type, last.entity, { [last.id]: id }, 'missing', `No ${last.type} has the id ${JSON.stringify(id)}.`)]
  }
  const noSubject = (): Evidence => {
    const { text } = nameIn(declared, asked)
    return evidence(who, node.entity, { [node.called?.by ?? node.id]: text }, 'missing', `No ${who} is called ${JSON.stringify(text)}.`)
  }

  return {
    scopeChain,
    grantChain,
    missing: (): readonly Evidence[] => [
      ...(ids.subject === undefined ? [noSubject()] : []),
      ...(ids.path === undefined ? noScope() : []),
      ...malformedNames(unusable),
      ...(situation === undefined ? [] : missingAt(situation)),
    ],
  }
}

/** The same as `can`, by the same reads, with the items that it rests on. */
export async function why(declared: Scoped, sources: Sources, asked: ScopedAsked): Promise<Why> {
  const findings = await findingsOf(declared, sources, asked)
  const tell = telling(declared, findings, sources.runtime.now().toISOString())
  const before = findings.grants.length === 0 ? [] : tell.scopeChain()
  return explained(verdictOf(declared, findings), findings.grants, (granting) => [...before, ...tell.grantChain(granting)], tell.missing)
}
