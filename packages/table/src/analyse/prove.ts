import type { AnyDesign } from '../design/design.ts'
import { bindings } from './bindings.ts'
import { collisions, reservedPartition } from './collisions.ts'
import { copiesInKeys, followedCopies } from './copies.ts'
import { derivedItems } from './derived-items.ts'
import { enumerations } from './enumerations.ts'
import { expiry } from './expiry.ts'
import type { Finding } from './finding.ts'
import { type PartitionHeat, partitionHeat } from './heat.ts'
import { forbiddenIndexes, indexAttributes, indexCount } from './indexes.ts'
import { type PatternProof, patternProof } from './pattern-proof.ts'
import { ranges } from './ranges.ts'
import { reach } from './reach.ts'
import { keySizes, transactionSizes } from './sizes.ts'
import { type Check, surveyOf } from './survey.ts'

/** What can be shown of a design without running it. */
export interface Proof {
  readonly design: string
  /** True where no finding is an error. */
  readonly isProven: boolean
  /** Errors first. */
  readonly findings: readonly Finding[]
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
  derivedItems,
  expiry,
  forbiddenIndexes,
  indexAttributes,
  indexCount,
  keySizes,
  transactionSizes,
  reach,
]

/**
 * Shows that every access pattern of a design is one GetItem or Query which returns the entities it names and no other, that no two
 * keys collide, that nothing is left behind when something goes, and that DynamoDB's limits hold; says which partitions run hot.
 * It decides by what the kinds of attributes let a key be, not by trying values: without an error, this holds for every item.
 */
export function prove(design: AnyDesign): Proof {
  const survey = surveyOf(design)
  const findings = checks.flatMap((check) => check(survey))
  const errors = findings.filter(({ severity }) => severity === 'error')
  return Object.freeze({
    design: design.name,
    isProven: errors.length === 0,
    findings: Object.freeze([...errors, ...findings.filter(({ severity }) => severity === 'warning')]),
    patterns: Object.freeze(survey.patterns.map(patternProof)),
    partitions: Object.freeze(partitionHeat(survey)),
  })
}
