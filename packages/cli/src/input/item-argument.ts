import type { Entity, FreeholdError } from '@freehold/table'
import { invalidInput, keyPlaceholders } from '@freehold/table/runtime'
import type { JsonObject } from './json-object.ts'

/** A JSON object that names an item, and may have a change and the expected version. */
export interface ItemArgument {
  /** The attributes of the table key. */
  readonly id: JsonObject
  /** All other attributes, without the version. */
  readonly change: JsonObject
  readonly version?: number
}

function invalid(entity: string, name: string, message: string): FreeholdError {
  return invalidInput(entity, [{ path: [name], message }], { entity })
}

function versionIn(entity: string, inJson: unknown, option: number | undefined): number | undefined {
  if (inJson === undefined) return option
  if (typeof inJson !== 'number' || !Number.isSafeInteger(inJson) || inJson < 0)
    throw invalid(entity, 'version', 'is not a whole number from 0')
  if (option !== undefined && option !== inJson) throw invalid(entity, 'version', `is ${inJson} here and ${option} in --version`)
  return inJson
}

/**
 * Takes an argument apart. `Type` may be given, so that an item can be passed as it was read.
 * @param option the version of `--version`
 * @throws InvalidInput for an invalid version, or the `Type` of another entity
 */
export function takeApart(entity: Entity, argument: JsonObject, option?: number): ItemArgument {
  const { Type, version: inJson, ...attributes } = argument
  if (Type !== undefined && Type !== entity.name) throw invalid(entity.name, 'Type', `is not ${entity.name}`)
  const version = versionIn(entity.name, inJson, option)
  const placeholders = keyPlaceholders(entity)
  const part = (isId: boolean) => Object.fromEntries(Object.entries(attributes).filter(([name]) => placeholders.includes(name) === isId))
  return { id: part(true), change: part(false), ...(version === undefined ? {} : { version }) }
}
