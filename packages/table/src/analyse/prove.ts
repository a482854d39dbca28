import type { AnyDesign } from '../design/design.ts'
import { absences } from './absence.ts'
import { bindings } from './bindings.ts'
import { collisions, reservedPartition } from './collisions.ts'
import { copiedTenants, copiesInKeys, followedCopies } from './copies.ts'
import { derivedItems } from './derived-items.ts'
import { enumerations } from './enumerations.ts'
import { expiry } from './expiry.ts'
import type { Finding, FindingCode } from './finding.ts'
import { type PartitionHeat, partitionHeat } from './heat.ts'
import { forbiddenIndexes, indexAttributes, indexCount } from './indexes.ts'
import { type PatternProof, patternProof } from './pattern-proof.ts'
import { ranges } from './ranges.ts'
import { reach } from './reach.ts'
import { keySizes, transactionSizes } from './sizes.ts'
import { type Check, surveyOf } from './survey.ts'

/** The result of `prove`: everything that is known of a design without running it. */
export interface Proof<C extends string = FindingCode> {
  readonly design: string
  /** True if no finding is an error. */
  readonly isProven: boolean
  /** Errors first. */
  readonly findings: readonly Finding<C>[]
  readonly patterns: readonly PatternProof[]
  /** The hottest first. */
  readonly partitions: readonly PartitionHeat[]
}

const checks: readonly Check[] = [
  bindings,
  collisions,
  reservedPartition,
  ranges,
  enumerations,
  followedCopies,
  copiesInKeys,
  copiedTenants,
  derivedItems,
  expiry,
  forbiddenIndexes,
  indexAttributes,
  indexCount,
  absences,
  keySizes,
  transactionSizes,
  reach,
]

/**
 * Proves a design a part at a time, so that a server answers others in between. Most of the work is the range of each pattern, which concerns no other
 * pattern.
 */
export function* proving(design: AnyDesign): Generator<void, Proof, void> {
  const survey = surveyOf(design)
  const findings: Finding[] = []
  for (const check of checks) {
    const parts = check === ranges ? survey.patterns.map((pattern) => ({ ...survey, patterns: [pattern] })) : [survey]
    for (const part of parts) {
      findings.push(...check(part))
      yield
    }
  }
  const errors = findings.filter(({ severity }) => severity === 'error')
  return Object.freeze({
    design: design.name,
    isProven: errors.length === 0,
    findings: Object.freeze([...errors, ...findings.filter(({ severity }) => severity === 'warning')]),
    patterns: Object.freeze(survey.patterns.map(patternProof)),
    partitions: Object.freeze(partitionHeat(survey)),
  })
}

/**
 * Proves that every access pattern of a design is one GetItem or Query that returns only the entities it names, that no two keys collide,
 * that a removal leaves nothing behind, and that DynamoDB's limits hold. Also says which partitions may become hot.
 * The proof does not try values: it computes with all texts that the kinds allow. Without an error, the result holds for every item.
 */
export function prove(design: AnyDesign): Proof {
  const parts = proving(design)
  for (;;) {
    const part = parts.next()
    if (part.done === true) return part.value
  }
}
